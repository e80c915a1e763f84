import { createServer, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { ceiling, type Row, type Settings } from '#bench'
import { type BigAccount, fillBigAccount, sizes } from '#big-account'
import { type Call, type Contract, everyCall, type Walk } from '#every-call'
import { listen } from '#listen'
import { residentMb, runSav, scratch, startServer } from '#processes'
import { shopEnv } from '#shop-env'

const maxMs = 50
/** Each call is made in several rounds, since one of them may include a garbage collection by chance. */
const rounds = 3
/** A timeout that no call reaches by its own work. */
const patienceMs = 30_000
const exports = 25
const maxExportsMb = 150

type Sav = Awaited<ReturnType<typeof startServer>>

/**
 * Measures how long each operation of the contract blocks others at most, with a large account: the median of several
 * rounds, in processor time. Beside it is the longest delay of the event loop, which includes other programs. Then 25
 * exports run at once, and another account's receiver answers after a second: this shows their time, and whether its
 * answers still arrive in time. About three minutes.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  using folder = scratch()
  const env = shopEnv(folder.path)
  await runSav(['init'], { folder: folder.path, env })
  say(`filling an account with ${sizes.cases.toLocaleString('en')} cases`)
  const account = await fillBigAccount(env)
  const atOnce = await exporting({ folder: folder.path, env }, account, say)
  await using sav = await startServer(['--no-worker'], { folder: folder.path, env })
  return [...(await walk(sav, account, say)), ...atOnce]
}

export async function walk(sav: Sav, account: BigAccount, say: Settings['say']): Promise<Row[]> {
  const { text } = await answer(sav.port, account.key, { method: 'GET', path: '/openapi.json' })
  const contract: Contract = JSON.parse(text)
  const rows: Row[] = []
  for (const { name, calls } of everyCall(contract, await walkOf(sav, account))) {
    let longest = { holdMs: 0, call: calls[0], status: 0 }
    await sav.delay()
    for (const call of calls) {
      const holds: number[] = []
      let status = 0
      for (let round = 0; round < rounds; round += 1) {
        await sav.hold()
        ;({ status } = await answer(sav.port, account.key, call))
        holds.push(await sav.hold())
        // After a timeout, the call's work may still go on, and would count for the next round.
        if (status === 0) break
      }
      const holdMs = holds.toSorted((a, b) => a - b)[holds.length >> 1] ?? Number.NaN
      if (holdMs > longest.holdMs) longest = { holdMs, call, status }
    }
    const { holdMs, call, status } = longest
    say(`${name}: ${holdMs.toFixed(1)} ms, ${status || 'no answer'}: ${call?.method} ${call?.path}`)
    rows.push({ ...ceiling(`holds-${name}`, 'ms, longest hold', holdMs, maxMs), delay: await sav.delay() })
  }
  return rows
}

/** The values for the walk, read from lists. `asked` has queries that have many matches or read everything. */
async function walkOf(sav: Sav, { key, client_id, poseur_id, params }: BigAccount): Promise<Walk> {
  const read = async (path: string) => JSON.parse((await answer(sav.port, key, { method: 'GET', path })).text).data
  const write = async (path: string) => JSON.parse((await answer(sav.port, key, { method: 'POST', path })).text).data
  const dayOf = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const of = (value: number, ...names: string[]) => Object.fromEntries(names.map((name) => [`${name} id`, value]))
  const [newest] = await read('/api/v1/sav?limite=1')
  const [closed] = await read('/api/v1/sav?limite=1&statut=clos')
  const [rdv] = await read(`/api/v1/planning?limite=1&poseur_id=${poseur_id}`)
  const [delivery] = await read('/api/v1/webhooks/livraisons?limite=1')
  const [endpoint] = await read('/api/v1/webhooks')
  const [evidence] = await read('/api/v1/preuves?limite=1')
  const { photos } = await read(`/api/v1/sav/${newest.id}`)
  const { url } = await write('/api/v1/planning/calendrier')
  return {
    values: {
      ...params,
      ...{ id: newest.id, sav_id: newest.id, client_id, poseur_id, q: 'porte', duree: 60, code_postal: '69003' },
      ...{ date: dayOf(1), delivery: delivery.id, endpoint: endpoint.id, hash: evidence.hash_dossier },
      sha256: String(photos[0]?.url).split('/').at(-1) ?? '',
      calendar: String(url).split('/').at(-1) ?? '',
      ...of(client_id, 'getClient', 'updateClient', 'eraseClient'),
      ...of(poseur_id, 'getPoseur', 'updatePoseur', 'renewPoseurCalendarUnderApi', 'getHorairesUnderApi'),
      ...of(poseur_id, 'getAbsencesUnderApi', 'getCompetencesUnderApi'),
      ...of(rdv.id, 'getRdvUnderApi', 'changeRdvUnderApi', 'listFieldSlots', 'beginRdvUnderApi', 'delayRdvUnderApi'),
      ...of(closed.id, 'getProof', 'checkProof', 'getReport', 'sendReport', 'reopenCase'),
    },
    // After this call, the index's words are removed from the files in the background.
    last: 'eraseClient',
    // The export has the filters of the list, whose calls vary them already.
    varied: { exportCases: ['format', 'tri'] },
    asked: {
      'exportCases tri': ['ville'],
      ...{
        client_id: [client_id],
        poseur_id: [poseur_id],
        visite_par: [poseur_id],
        ville: ['lyon'],
        telephone: ['+33'],
      },
      ...{
        recherche: ['porte', 'la porte du meuble'],
        age_min: [10],
        depuis: [dayOf(-300)],
        modifie_depuis: [dayOf(-300)],
      },
      ...{ page: [36, sizes.cases / 200], 'listRdvUnderApi au': [dayOf(70)], 'getStatistics du': [dayOf(-1800)] },
      ...{ 'listSlotsUnderApi au': [dayOf(30)], state: ['pending'], since: [dayOf(-300)], writes: ['1'] },
    },
  }
}

/** Measures exports while a worker delivers to a slow receiver. */
async function exporting(
  at: { readonly folder: string; readonly env: ReturnType<typeof shopEnv> },
  { key, otherKey }: BigAccount,
  say: Settings['say'],
): Promise<Row[]> {
  await using sav = await startServer([], at)
  const server = createServer((_, res) => void wait(1000).then(() => res.end()))
  const { port } = await listen(server)
  const body = {
    type: 'application/json',
    text: JSON.stringify({ url: `http://127.0.0.1:${port}/`, events: ['sav.created'] }),
  }
  const added = await answer(sav.port, otherKey, { method: 'POST', path: '/api/v1/webhooks', body })
  const test = `/api/v1/webhooks/${JSON.parse(added.text).data.id}/tester`
  await answer(sav.port, key, { method: 'GET', path: '/api/v1/sav/export?recherche=fuite&statut=en_cours' })

  const idleMb = residentMb(sav.pid)
  await sav.hold()
  await sav.delay()
  const formats = Array.from({ length: exports }, (_, n) => (n % 2 === 0 ? 'xlsx' : 'csv'))
  let isOver = false
  const all = Promise.all(
    formats.map((format) =>
      answer(sav.port, key, { method: 'GET', path: `/api/v1/sav/export?format=${format}` }, 600_000),
    ),
  ).finally(() => {
    isOver = true
  })
  let mostMb = 0
  let longestMs = 0
  let deliveries = 0
  for (let n = 0; !isOver; n += 1) {
    // Sends a test delivery now and then during the exports.
    if (n % 10 === 0)
      deliveries += (await answer(sav.port, otherKey, { method: 'POST', path: test })).status === 202 ? 1 : 0
    const start = performance.now()
    await answer(sav.port, otherKey, { method: 'GET', path: '/healthz' })
    longestMs = Math.max(longestMs, performance.now() - start)
    mostMb = Math.max(mostMb, residentMb(sav.pid))
    await wait(100)
  }
  const wrong = (await all).filter(({ status }) => status !== 200).length
  if (wrong > 0) throw new Error(`${wrong} of ${exports} exports did not succeed`)
  const holdMs = await sav.hold()
  const delay = await sav.delay()
  await wait(3000)
  const list = await answer(sav.port, otherKey, { method: 'GET', path: '/api/v1/webhooks/livraisons?limite=1000' })
  const heard: { state: string; attempt_count: number }[] = JSON.parse(list.text).data
  const late = heard.filter(({ state, attempt_count }) => state !== 'delivered' || attempt_count > 1).length
  server.close()
  say(
    `${exports} exports: ${mostMb.toFixed(0)} MB beside ${idleMb.toFixed(0)} idle; /healthz took at most ${longestMs.toFixed(0)} ms`,
  )
  say(`a receiver that takes 1 s: ${heard.length - late} of ${deliveries} deliveries needed only one attempt`)
  return [
    { ...ceiling('holds-exports', `ms, longest hold of ${exports} exports at once`, holdMs, maxMs), delay },
    ceiling('holds-exports-memory', 'MB more than idle', mostMb - idleMb, maxExportsMb),
    ceiling(
      'holds-slow-receiver',
      'one plus the number of deliveries that needed more than one attempt',
      late + 1 + deliveries - heard.length,
      1,
    ),
  ]
}

/** Makes a call. `status` is 0 if no answer came in time. */
function answer(
  port: number,
  key: string,
  { method, path, body }: Call,
  timeoutMs = patienceMs,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const headers = {
      Authorization: `Bearer ${key}`,
      'X-Request-Timestamp': String(Math.floor(Date.now() / 1000)),
      ...(body && { 'Content-Type': body.type }),
    }
    const signal = AbortSignal.timeout(timeoutMs)
    const call = request({ port, host: '127.0.0.1', method, path, headers, signal, agent: false }, (res) => {
      const status = res.statusCode ?? 0
      const isKept = res.headers['content-type']?.includes('json') ?? false
      let text = ''
      res.setEncoding('utf8')
      res.on('data', (chunk: string) => {
        if (isKept) text += chunk
      })
      res.once('end', () => resolve({ status, text }))
      res.once('error', () => resolve({ status: 0, text: '' }))
      if (res.headers['content-type'] === 'text/event-stream') {
        res.destroy()
        resolve({ status, text: '' })
      }
    })
    call.once('error', () => resolve({ status: 0, text: '' }))
    call.end(body?.text)
  })
}
