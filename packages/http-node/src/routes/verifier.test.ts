import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { combinations, type Door, openService, type Service } from '../../test/service.js'

const description = 'La porte du meuble bas ne ferme plus.'
const actor = { account_id: 'default', type: 'cli', id: null, nom: 'test' } as const
const rateLimit = { reads: { quota: 100, windowSeconds: 60 }, writes: { quota: 100, windowSeconds: 60 } }

describe.each(combinations)('the check page through $name', ({ open, store }) => {
  let service: Service
  let door: Door
  let known: string
  let recorded: string
  beforeAll(async () => {
    service = await openService(await store(), { rateLimit, trustedProxies: ['127.0.0.1'] })
    door = await open(service.api)
    const { id } = await service.sav.cases.create(actor, { client_id: service.client_id, description })
    const closed = await service.sav.cases.close(actor, id, { resolution: 'Charnière remplacée.' })
    known = closed.hash_sha256
    recorded = closed.date_cloture
  })
  afterAll(async () => {
    await door.close()
    await service.storage.close()
  })

  /** Each from an address of its own. */
  let callers = 0
  const check = (hash: string, headers: Record<string, string> = {}) =>
    door.call('GET', `/verifier/${hash}`, { headers: { 'x-forwarded-for': `192.0.2.${++callers}`, ...headers } })
  const json = { accept: 'application/json' }

  it('says that a hash is known, and since when, to whoever asks', async () => {
    const answer = await check(known)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.text).toContain('<html lang="fr">')
    expect(answer.text).toContain('Empreinte reconnue')
    expect(answer.text).toContain(`datetime="${recorded}"`)
    expect((await check(known.toUpperCase())).text).toBe(answer.text)
    expect(answer.text).toContain('15 janvier 2026 à 11:30</time> (Europe/Paris)')
    expect(answer.text).toContain(`${known.slice(0, 8)}</span> <span>${known.slice(8, 16)}`)
    expect((await check(known, json)).json).toEqual({
      success: true,
      data: {
        ...{ concorde: true, hash_sha256: known, date: recorded, fuseau: 'Europe/Paris' },
        ...{ dossier: 'conforme', chaine: true, remplace_le: null },
      },
    })
  })

  it('takes the first 16 digits of a hash, and no fewer', async () => {
    expect((await check(known.slice(0, 16))).text).toBe((await check(known)).text)
    expect((await check(known.slice(0, 15))).status).toBe(404)
  })

  it.each([
    ['fr-FR,fr;q=0.9,en;q=0.8', 'fr'],
    ['en-GB,en;q=0.9,fr;q=0.8', 'en'],
    ['de, en;q=0.5', 'en'],
    ['de', 'fr'],
  ])('speaks to Accept-Language: %s in %s, and offers the other', async (language, spoken) => {
    const { text } = await check(known, { 'accept-language': language })
    expect(text).toContain(`<html lang="${spoken}">`)
    const other = spoken === 'fr' ? 'en' : 'fr'
    expect(text).toContain(`<a href="?langue=${other}"`)
    expect((await check(`${known}?langue=${other}`, { 'accept-language': language })).text).toContain(
      `<html lang="${other}">`,
    )
  })

  it('tells nothing of anybody, and runs nothing', async () => {
    const { text, headers } = await check(known)
    for (const personal of ['Durand', 'Alice', 'SAV-', 'default', 'Charnière', known])
      expect(text).not.toContain(personal)
    expect(text).not.toMatch(/<script|javascript:|https?:|\son\w+=/i)
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+=*'; /)
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
  })

  it('looks the same for an unknown hash and for what is none', async () => {
    const unknown = await check('0'.repeat(64))
    expect(unknown.status).toBe(404)
    expect(unknown.text).toContain('Aucune correspondance')
    const others = ['x', '0'.repeat(63), '0'.repeat(65), 'g'.repeat(64), '%3Cscript%3E', known.slice(1), '%00']
    for (const malformed of others) {
      const answer = await check(malformed)
      expect(answer.text, malformed).toBe(unknown.text)
      expect(answer.status).toBe(404)
      const inJson = await check(malformed, json)
      expect([inJson.status, inJson.json]).toEqual([404, { success: false, error: 'Not found' }])
    }
  })

  it.each([
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html'],
    ['*/*', 'text/html'],
    ['application/json', 'application/json'],
    ['application/json, text/html;q=0.9', 'application/json'],
    ['text/html, application/json;q=0.9', 'text/html'],
  ])('Accept: %s gets %s', async (accept, type) => {
    expect((await check(known, { accept })).headers['content-type']).toMatch(type)
  })

  it('is 20 questions a minute from one address', async () => {
    const from = { 'x-forwarded-for': '198.51.100.1' }
    for (let i = 0; i < 20; i += 1) expect((await check(known, from)).status).toBe(200)
    const refused = await check(known, from)
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('3')
    expect((await check(known)).status).toBe(200)
    // And takes nothing from what an address may fail with keys.
    const failing = { headers: { ...from, authorization: 'Bearer wrong' } }
    expect((await door.call('GET', '/api/v1/sav', failing)).status).toBe(401)
  })
})
