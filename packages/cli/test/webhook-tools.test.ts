import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sign } from '@sav/webhook-verify'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../test/needs.js'
import { receiver } from './receiver.js'
import { local, readyWorkplace, workplace } from './workplace.js'

const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`
const body = JSON.stringify({
  event: 'sav.created',
  timestamp: '2026-01-15T10:30:00.000Z',
  data: { event_id: 'evt_1', id: 1, reference: 'SAV-2026-00001', description: 'à régler' },
})

/** A webhook sent two hours ago, as a tool would save it. */
async function captured(sent: string | Uint8Array = body, change: (head: string) => string = (head) => head) {
  const timestamp = Math.floor(Date.now() / 1000) - 7200
  const signed = await sign({ id: 'evt_1', timestamp, body, secret })
  const head = Object.entries({ 'Content-Type': 'application/json', ...signed }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const text = change(['POST /hooks HTTP/1.1', ...head].join('\r\n'))
  return Buffer.concat([Buffer.from(`${text}\r\n\r\n`), Buffer.from(sent)])
}

const pretty = JSON.stringify(JSON.parse(body), null, 2)

it('sav webhooks verify says what is wrong with a saved request', async () => {
  const place = await workplace({ SAV_WEBHOOK_SECRET: secret })
  const other = `whsec_${Buffer.alloc(32, 4).toString('base64')}`
  const dropped = (head: string) => head.replace(/\r\nwebhook-signature: .*/, '')
  for (const [what, file, code, hint, env] of [
    ['as it came', await captured(), 0, null],
    ['parsed and written again', await captured(pretty), 1, /parsed and written again/],
    ['with a line break more', await captured(`${body}\n`), 1, /line break was added/],
    ['read as Latin-1', await captured(Buffer.from(body, 'latin1')), 1, /.+/],
    ['changed', await captured(body.replace('00001', '00002')), 1, /secret is wrong/],
    ['without its body', await captured(''), 1, /body is empty/],
    ['through a proxy', await captured(body, dropped), 1, /webhook-signature is missing: does a proxy/],
    ['with another secret', await captured(), 1, /the secret is wrong/, { SAV_WEBHOOK_SECRET: other }],
  ] as const) {
    await place.write('request.http', file)
    const ran = await place.sav('webhooks verify request.http --json', env)
    const said = JSON.parse(ran.stdout)
    const expected = hint === null ? null : expect.stringMatching(hint)
    expect([what, ran.code, said.ok, said.hint]).toEqual([what, code, code === 0, expected])
    expect(ran.stdout).not.toContain(secret)
  }
  const piped = await place.sav('webhooks verify -', {}, { input: await captured() })
  expect(piped).toMatchObject({ code: 0, stdout: expect.stringMatching(/^webhook-signature +holds$/m) })
  expect(piped.stdout).toMatch(/^Age +72\d\d s: a receiver now refuses it/m)
  const headers = await sign({ id: 'evt_1', timestamp: Math.floor(Date.now() / 1000), body, secret })
  const asJson = await place.sav('webhooks verify -', {}, { input: JSON.stringify({ headers, body }) })
  expect(asJson).toMatchObject({ code: 0, stdout: expect.not.stringMatching(/refuses it now/) })
  for (const [input, message] of [
    ['not a request', /must hold the headers/],
    ['{"headers":1}', /as JSON it must be/],
  ] as const)
    expect(await place.sav('webhooks verify -', {}, { input })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(message),
    })
  await place.fails('webhooks verify request.http', 2, /^Which signing secret\?/, { SAV_WEBHOOK_SECRET: '' })
  expect((await place.sav('webhooks verify nowhere.http')).stderr).toBe('nowhere.http: there is no such file.\n')
})

describe('sav webhooks listen and trigger', () => {
  it('need no endpoint, no secret and no case, and leave nothing behind', async () => {
    const shop = await readyWorkplace()
    const nobody = await shop.sav('webhooks trigger sav.closed')
    expect(nobody).toMatchObject({ code: 3, stderr: expect.stringMatching(/No enabled endpoint takes sav\.closed/) })
    const { url } = await shop.serveHere()
    const refused = await shop.sav('webhooks listen --port 0', {})
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/SAV_WEBHOOK_ALLOW_LOCAL=1/) })

    const key = {
      SAV_API_KEY: (
        await shop.json<{ key: string }>('keys create --name dev --permissions webhooks:read,webhooks:write')
      ).key,
    }
    const listener = shop.start(['webhooks', 'listen', '--port', '0', '--url', url], key)
    await listener.prints(/^receiving webhooks on/m, 'stderr')
    await shop.json('webhooks trigger rdv.created', local)
    await listener.prints(/200 rdv\.created evt_\w+\n {2}\{\n(.*\n)* {4}"statut": "planifie"/)
    await shop.json(['webhooks', 'trigger', 'sav.closed', '--url', url], key)
    await listener.prints(/200 sav\.closed SAV-\d+-\d+ evt_/)
    expect(await shop.json('webhooks list')).toHaveLength(1)
    expect(await listener.kill('SIGINT')).toMatchObject({ code: 0 })
    expect(await shop.json('webhooks list')).toEqual([])
  })

  it('ask before sending to other machines', async () => {
    const shop = await readyWorkplace()
    await shop.json('webhooks add https://example.com/hooks --events sav.closed')
    const asked = await shop.sav('webhooks trigger sav.closed')
    expect(asked).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Send an example of sav\.closed to https:\/\/example\.com\/hooks\?/),
    })
    expect(await shop.json('webhooks trigger sav.closed --yes')).toHaveLength(1)
    expect(await shop.sav('webhooks trigger sav.closd')).toMatchObject({ code: 2 })
    expect(await shop.sav('webhooks trigger sav.created --yes')).toMatchObject({ code: 3 })
  })
})

it('sav webhooks show shows the request, and a command that resends it', async () => {
  const shop = await readyWorkplace(local)
  const atelier = await receiver()
  const add = ['webhooks', 'add', atelier.url, '--events', 'sav.created', '--header', 'X-Token: hunter2']
  const endpoint = await shop.json<{ id: string; secret: string }>(add)
  atelier.trust(endpoint.secret)
  await shop.newCase("L'abattant ne ferme plus")
  const [delivery] = await shop.json<{ id: string; event_id: string }[]>('webhooks history')
  const show = ['webhooks', 'show', delivery?.id ?? '']
  expect((await shop.sav(show)).stdout).not.toContain('What is sent')
  const shown = (await shop.sav([...show, '--body'])).stdout
  expect(shown).toMatch(/^What is sent:\n {2}\{\n {4}"event": "sav\.created"/m)
  expect(await shop.json(show)).toMatchObject({ body: expect.stringContaining(delivery?.event_id ?? '-') })

  const unsigned = (await shop.sav([...show, '--curl'])).stdout
  expect(unsigned).toMatch(
    /^# Not signed: .*\n# Left out, .* the headers X-Token\.\ncurl 'http:.*\n {2}-H 'Content-Type: application\/json'/,
  )
  const signed = (await shop.sav([...show, '--curl'], { SAV_WEBHOOK_SECRET: endpoint.secret })).stdout
  expect(signed).toMatch(/^# Left out, .*\ncurl /)
  for (const command of [unsigned, signed]) expect(command).not.toMatch(/hunter2|whsec_/)
  if (needs('curl', 'that a receiver accepts what `webhooks show --curl` prints')) {
    await promisify(execFile)('sh', ['-c', unsigned])
    await promisify(execFile)('sh', ['-c', signed])
    expect(atelier.events()).toMatchObject([{ event: 'sav.created', data: { event_id: delivery?.event_id } }])
  }
  await shop.json(['webhooks', 'remove', endpoint.id, '--yes'])
  await shop.fails([...show, '--curl'], 1, 'There is no request to show: the endpoint was removed.\n')
})

it('sav cases list --watch shows changes, until it is stopped', async () => {
  const shop = await readyWorkplace()
  const watching = shop.start('cases list --watch')
  await watching.prints(/^No case found\.$/m)
  await shop.newCase()
  await watching.prints(/La porte du four/)
  expect(await watching.kill('SIGINT')).toMatchObject({ code: 0, stdout: expect.not.stringContaining('\u001b') })
})
