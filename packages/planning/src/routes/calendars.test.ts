import { describe, expect, it } from 'vitest'
import { onSqlite, served } from '../../../http-node/test/service.js'

const actor = { account_id: 'default', type: 'cli', id: null, nom: 'test' } as const
const rateLimit = { reads: { quota: 1000, windowSeconds: 60 }, writes: { quota: 1000, windowSeconds: 60 } }

describe('calendars', async () => {
  const { service, door } = await served(onSqlite.open, await onSqlite.store(), {
    rateLimit,
    trustedProxies: ['127.0.0.1'],
  })

  const renew = async (path = `/v1/planning/poseurs/${service.poseur_id}/calendrier`) => {
    const { status, json } = await door.call('POST', path, { headers: service.auth() })
    expect(status).toBe(201)
    return String(json.data.url)
  }
  /** Each call comes from another IP address. */
  let callers = 0
  const read = (path: string, headers: Record<string, string> = {}) =>
    door.call('GET', path, { headers: { 'x-forwarded-for': `192.0.2.${++callers}`, ...headers } })

  it('are read without a key by anyone with the address, until the address is renewed', async () => {
    const url = await renew()
    const { client_id, poseur_id } = service
    const lieu = { ligne1: '12 quai Tilsitt', code_postal: '69002', ville: 'Lyon', acces: 'Code 14B' }
    await service.sav.directory.clients.update(actor, client_id, { lieu, email: 'alice@durand.example' })
    const debut = new Date(service.clock.now() + 86_400_000).toISOString()
    const notes = 'Client difficile.'
    await service.sav.planning.book(actor, { client_id, poseur_id, debut, duree_minutes: 90, notes })
    const answer = await read(url)
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, no-cache',
      'referrer-policy': 'no-referrer',
    })
    expect(answer.text).toMatch(/^BEGIN:VCALENDAR\r\n/)
    for (const needed of ['12 quai Tilsitt', 'Code 14B', 'SEQUENCE:1']) expect(answer.text).toContain(needed)
    for (const personal of ['alice@durand.example', 'difficile', 'sav_cal']) expect(answer.text).not.toContain(personal)
    const renewed = await renew()
    expect((await read(url)).status).toBe(404)
    expect((await read(renewed)).text).toBe(answer.text)
  })

  it('are answered as unchanged if the request has their ETag', async () => {
    const url = await renew('/api/v1/planning/calendrier')
    const first = await read(url)
    const again = await read(url, { 'if-none-match': first.headers['etag'] ?? '' })
    expect(again.status).toBe(304)
    expect(again.text).toBe('')
  })

  it('get the same 404 for any wrong address', async () => {
    const url = await renew()
    const strip = ({ status, text }: { status: number; text: string }) => ({ status, text })
    const unknown = strip(await read(`/calendriers/sav_cal_${'A'.repeat(43)}.ics`))
    expect(unknown.status).toBe(404)
    const others = ['x', 'x.ics', '.ics', url.slice('/calendriers/'.length, -'.ics'.length), `${url.slice(13)}.ics`]
    for (const other of [...others, '%00.ics', `sav_cal_${'%2e'.repeat(43)}.ics`])
      expect(strip(await read(`/calendriers/${other}`)), other).toEqual(unknown)
  })

  it('can be read 20 times a minute from one address', async () => {
    const url = await renew()
    const from = { 'x-forwarded-for': '198.51.100.7' }
    for (let i = 0; i < 20; i += 1) expect((await read(url, from)).status).toBe(200)
    expect((await read(url, from)).status).toBe(429)
    expect((await read(url)).status).toBe(200)
  })
})
