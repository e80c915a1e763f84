import { createWorker, type Permission } from '@sav/core'
import { specifiedDelivery } from '@sav/core/adapter'
import { seededRandom } from '@sav/core/testing'
import { describe, expect, it } from 'vitest'
import { as } from './composed.js'
import { fetchDoor, openService } from './service.js'

const email = 'alice.durand@quixotique.example'
const all = '/api/v1/webhooks/livraisons'

/** Two closed cases, whose reports the customer's mail server has refused, and one webhook that failed. */
async function refusedReports() {
  const service = await openService(undefined, { letters: ['email'] })
  const { sav, storage, clock, client_id } = service
  await sav.directory.clients.update(as('default'), client_id, { email })
  await sav.webhooks.endpoints.add(as('default'), { url: 'http://127.0.0.1:9/', events: ['sav.closed'] })
  const refused = (error: string) => ({
    ...{ ok: false, status: 550, error, unreachable: false, durationMs: 5, final: true as const },
    ...{ responseHeaders: null, response: error },
  })
  const sent: string[] = []
  const worker = createWorker({
    ...{ storage, clock, random: seededRandom(2), secretKey: new Uint8Array(32) },
    ...specifiedDelivery,
    http: { post: async () => refused('answered 410'), close: async () => {} },
    reports: {
      renderer: { render: async () => Buffer.from('%PDF-1.7') },
      carriers: {
        email: {
          timeoutMs: 5_000,
          async carry({ to }) {
            sent.push(to)
            return refused(`550 5.1.1 <${to}>: user unknown, call +33 6 12 34 56 78`)
          },
        },
      },
      checkUrl: () => null,
      timestamper: null,
    },
  })
  for (const description of ['La porte du salon ne ferme plus.', 'Le tiroir du haut grince.']) {
    const { id } = await sav.cases.create(as('default'), { client_id, description })
    await sav.cases.close(as('default'), id, { resolution: 'Charnière remplacée et porte réglée.' })
  }
  const settle = async () => {
    worker.start()
    for (let waited = 0; waited < 5; waited += 1) await clock.advance(1_000)
    await worker.stop()
  }
  await settle()
  const { items } = await sav.webhooks.deliveries.list('default', {})
  const letters = items.filter(({ channel }) => channel === 'email')
  expect(letters).toHaveLength(2)
  expect(sent).toHaveLength(2)
  expect(JSON.stringify(letters)).toContain(email)
  return { ...service, settle, sent, letter: letters[0]?.id ?? '', case_id: 1 }
}

const service = await refusedReports()
const door = fetchDoor(service.api)

async function withKey(...permissions: Permission[]) {
  const bearer = await service.key(permissions)
  return (method: string, path: string, body?: object) =>
    door.call(method, path, {
      headers: service.auth({ authorization: `Bearer ${bearer}` }),
      ...(body && { body: JSON.stringify(body) }),
    })
}

describe('a key that may read webhooks but not customers', () => {
  it('sees only webhooks, with any filter, page by page', async () => {
    const call = await withKey('webhooks:read', 'webhooks:write', 'sav:read')
    for (const filter of ['', '?state=failed', '?endpoint_id=email', '?event=sav.report', '?limite=1']) {
      const answer = await call('GET', `${all}${filter}`)
      expect(answer.status).toBe(200)
      expect(answer.text).not.toContain('quixotique')
      expect(answer.json.data.every(({ channel }: { channel: string }) => channel === 'webhook')).toBe(true)
    }
    const seen: string[] = []
    for (let next: string | null = ''; next !== null; ) {
      const { json } = await call('GET', `${all}?limite=1${next && `&curseur=${next}`}`)
      seen.push(...json.data.map(({ id }: { id: string }) => id))
      next = json.pagination?.curseur ?? json.curseur ?? null
    }
    const { json } = await call('GET', all)
    expect(seen).toEqual(json.data.map(({ id }: { id: string }) => id))
    expect(seen).toHaveLength(2)
  })

  it('gets the same 404 for a letter as for an unknown delivery', async () => {
    const call = await withKey('webhooks:read', 'webhooks:write')
    const none = 'dlv_0000000000000000'
    for (const [method, ending] of [
      ['GET', ''],
      ['POST', '/rejouer'],
    ] as const) {
      const [letter, missing] = [
        await call(method, `${all}/${service.letter}${ending}`),
        await call(method, `${all}/${none}${ending}`),
      ]
      expect([letter.status, letter.text]).toEqual([404, missing.text])
    }
  })

  it('neither counts nor re-sends letters in bulk', async () => {
    const call = await withKey('webhooks:read', 'webhooks:write')
    const before = service.sent.length
    const preview = await call('POST', `${all}/rejouer`, { state: 'failed', dry_run: true })
    expect(preview.json.data).toEqual({ matched: 2 })
    for (const filter of [{ state: 'failed' }, { event: 'sav.report' }, { endpoint_id: 'email' }])
      expect((await call('POST', `${all}/rejouer`, filter)).status).toBe(202)
    await service.settle()
    expect(service.sent).toHaveLength(before)
  })

  it('neither sees nor cancels a replay that re-sends letters', async () => {
    const { id } = await service.sav.webhooks.replays.start(as('default'), { event: 'sav.report', state: 'delivered' })
    const call = await withKey('webhooks:read', 'webhooks:write')
    expect((await call('GET', `${all}/rejouer/${id}`)).status).toBe(404)
    expect((await call('POST', `${all}/rejouer/${id}/annuler`)).status).toBe(404)
    expect((await call('GET', `${all}/rejouer`)).text).not.toContain(id)
    const admin = await withKey('admin')
    expect((await admin('GET', `${all}/rejouer/${id}`)).status).toBe(200)
  })

  it('sees no address in the detail of a case either', async () => {
    const call = await withKey('sav:read', 'webhooks:read')
    const { status, text, json } = await call('GET', `/api/v1/sav/${service.case_id}`)
    expect(status).toBe(200)
    expect(text).not.toMatch(/quixotique|12 34 56 78/)
    expect(json.data.pv.canaux[0].erreur).toBe('550 5.1.1 <…>: user unknown, call …')
  })
})

describe('letters', () => {
  it('are shown to a key that may read the directory', async () => {
    const call = await withKey('webhooks:read', 'directory:read')
    expect((await call('GET', all)).text).toContain(email)
    expect((await call('GET', `${all}/${service.letter}`)).json.data.attempts[0].response).toContain(email)
  })

  it('are sent again by a key that may change cases, which learns no address', async () => {
    const call = await withKey('webhooks:write', 'sav:write')
    const before = service.sent.length
    const retried = await call('POST', `${all}/${service.letter}/rejouer`)
    expect(retried.status).toBe(202)
    expect(retried.text).not.toContain('quixotique')
    await service.settle()
    expect(service.sent).toHaveLength(before + 1)
    const replayed = await call('POST', `${all}/rejouer`, { event: 'sav.report' })
    expect(replayed.json.data.matched).toBe(2)
    await service.settle()
    expect(service.sent).toHaveLength(before + 3)
  })
})
