import { describe, expect, it } from 'vitest'
import { onSqlite, served } from '../../../test/service.js'

const description = 'La porte du meuble bas ne ferme plus.'
const actor = { account_id: 'default', type: 'cli', id: null, nom: 'test' } as const
const rateLimit = { reads: { quota: 100, windowSeconds: 60 }, writes: { quota: 100, windowSeconds: 60 } }

describe('the check page', async () => {
  const { service, door } = await served(onSqlite.open, await onSqlite.store(), {
    rateLimit,
    trustedProxies: ['127.0.0.1'],
  })
  const { id } = await service.sav.cases.create(actor, { client_id: service.client_id, description })
  const closed = await service.sav.cases.close(actor, id, { resolution: 'Charnière remplacée.' })
  const known = closed.hash_sha256
  const recorded = closed.date_cloture

  /** How many calls were made: each comes from its own address. */
  let callers = 0
  const check = (hash: string, headers: Record<string, string> = {}) =>
    door.call('GET', `/verifier/${hash}`, { headers: { 'x-forwarded-for': `192.0.2.${++callers}`, ...headers } })
  const json = { accept: 'application/json' }

  it('says to anyone that a hash is known, and when it was recorded', async () => {
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
        ...{ dossier: 'conforme', chaine: true, remplace_le: null, sur_place: null },
      },
    })
  })

  /** A case closed on site `agoMs` before the close arrived, by a phone whose clock is `decalage_ms` ahead. */
  async function closedOnSite(agoMs: number, decalage_ms: number) {
    const { sav, clock, client_id, poseur_id } = service
    const { id } = await sav.cases.create(actor, { client_id, description })
    days += 1
    const debut = new Date(Date.UTC(2026, 2, 16 + days, 8)).toISOString()
    const rdv = await sav.planning.book(actor, { sav_id: id, poseur_id, debut, duree_minutes: 60 })
    const survenu_a = new Date(clock.now() - agoMs + decalage_ms).toISOString()
    const cloture = { resolution: 'Charnière remplacée.' }
    const where = { rdv_id: rdv.id, reach: 'all', cle: null } as const
    await sav.field.done(actor, where, { survenu_a, decalage_ms, resultat: 'resolu', cloture })
    return (await sav.cases.get('default', id)).preuve.at(-1)?.hash_sha256 ?? ''
  }
  let days = 0
  const minutes = 60_000

  it('shows when the work was closed on site, and when that close was recorded', async () => {
    const hash = await closedOnSite(150 * minutes, 0)
    const { text } = await check(hash)
    expect(text).toContain('a été enregistré le <time datetime="2026-01-15T10:30:00.000Z">')
    expect(text).toContain(
      'close sur place le <time datetime="2026-01-15T08:00:00.000Z">15 janvier 2026 à 09:00</time>',
    )
    expect(text).not.toContain('horloge')
    const { data } = (await check(hash, json)).json
    expect(data.sur_place).toEqual({ survenu_a: '2026-01-15T08:00:00.000Z', cru: true, decalage_ms: 0 })
  })

  it.each([
    [10 * minutes, null, null],
    [10 * minutes + 1, 'avançait de 10 minutes', '10 minutes ahead'],
    [-11 * minutes, 'retardait de 11 minutes', '11 minutes behind'],
    [125 * minutes, 'avançait de 2 heures', '2 hours ahead'],
    [-50 * 24 * 60 * minutes, 'retardait de 50 jours', '50 days behind'],
  ])('mentions that the phone’s clock was %i ms off only if that is more than 10 minutes', async (by, fr, en) => {
    const hash = await closedOnSite(60 * minutes, by)
    const [french, english] = [(await check(hash)).text, (await check(`${hash}?langue=en`)).text]
    for (const text of [french, english]) expect(text).toContain('<time datetime="2026-01-15T09:30:00.000Z">')
    if (fr === null) expect(french).not.toContain('horloge')
    else expect(french).toMatch(new RegExp(`<li class="reserve">[^<]*${fr.replaceAll(' ', '\\s')}`))
    if (en === null) expect(english).not.toContain('clock')
    else expect(english).toMatch(new RegExp(`<li class="reserve">[^<]*${en}`))
    // The fingerprint is still recognised.
    expect(french).toContain('<h1>Empreinte reconnue</h1>')
  })

  it('does not show an impossible time as the time on site', async () => {
    const { text } = await check(await closedOnSite(31 * 24 * 60 * minutes, 0))
    expect(text).toContain(
      '<li class="reserve">Le téléphone dit que l’intervention a été close le <time datetime="2025-12-15',
    )
    expect(text).not.toContain('close sur place')
  })

  it.each([
    ['fr-FR,fr;q=0.9,en;q=0.8', 'fr'],
    ['en-GB,en;q=0.9,fr;q=0.8', 'en'],
    ['de, en;q=0.5', 'en'],
    ['de', 'fr'],
  ])('answers Accept-Language: %s in %s, and links to the other language', async (language, spoken) => {
    const { text } = await check(known, { 'accept-language': language })
    expect(text).toContain(`<html lang="${spoken}">`)
    const other = spoken === 'fr' ? 'en' : 'fr'
    expect(text).toContain(`<a href="?langue=${other}"`)
    expect((await check(`${known}?langue=${other}`, { 'accept-language': language })).text).toContain(
      `<html lang="${other}">`,
    )
  })

  it('reveals nothing about people, and contains no script', async () => {
    const { text, headers } = await check(known)
    for (const personal of ['Durand', 'Alice', 'SAV-', 'default', 'Charnière', known])
      expect(text).not.toContain(personal)
    expect(text).not.toMatch(/<script|javascript:|https?:|\son\w+=/i)
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+=*'; /)
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
  })

  it('looks the same for an unknown hash and for a text that is not a hash', async () => {
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

  it('answers at most 20 calls a minute from one address', async () => {
    const from = { 'x-forwarded-for': '198.51.100.1' }
    for (let i = 0; i < 20; i += 1) expect((await check(known, from)).status).toBe(200)
    const refused = await check(known, from)
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('3')
    expect((await check(known)).status).toBe(200)
    // Calls of the page do not count towards an address's limit of failures with keys.
    const failing = { headers: { ...from, authorization: 'Bearer wrong' } }
    expect((await door.call('GET', '/api/v1/sav', failing)).status).toBe(401)
  })
})
