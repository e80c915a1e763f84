import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { as } from '../../../http-node/test/composed.js'
import { onSqlite, served } from '../../../http-node/test/service.js'
import { rdvPageStore } from '../customers/rdv-page-store.js'
import type { RdvPageView } from '../customers/rdv-pages.js'
import { rdvPage } from './rdv-page.js'

const actor = as('default')
const rateLimit = { reads: { quota: 100, windowSeconds: 60 }, writes: { quota: 100, windowSeconds: 60 } }
const evil = `"><img src=x onerror=alert(1)>'&<script>alert(1)</script>`

describe('the page of an appointment', async () => {
  const { service, door } = await served(onSqlite.open, await onSqlite.store(), {
    rateLimit,
    trustedProxies: ['127.0.0.1'],
  })
  await service.sav.accounts.update(actor, { raison_sociale: 'Ateliers Lœuvre', telephone: '04 78 00 11 22' })
  let number = 0

  /** An appointment some days ahead, with the secret of its page. */
  async function aPage(account_id = 'default') {
    number += 1
    const { sav, storage, client_id, poseur_id, foreign, clock } = service
    const who = account_id === 'default' ? { client_id, poseur_id } : foreign
    const debut = new Date(clock.now() + (4 + number) * 86_400_000).toISOString()
    const { id } = await sav.planning.book(as(account_id), {
      client_id: who.client_id,
      poseur_id: who.poseur_id,
      debut,
      duree_minutes: 60,
    })
    const secret = `sav_rdv_${String(number).padStart(43, 'x')}`
    await storage.transaction((tx) => tx.of(rdvPageStore).add({ hash: hash('sha256', secret), account_id, rdv_id: id }))
    return { id, secret, now: () => sav.planning.get(account_id, id) }
  }

  /** Each call comes from another IP address. */
  let callers = 0
  const from = () => ({ 'x-forwarded-for': `2001:db8:${(++callers).toString(16)}::1` })
  const look = (secret: string, query = '') => door.call('GET', `/rdv/${secret}${query}`, { headers: from() })
  const send = (secret: string, fields: Record<string, string>) =>
    door.call('POST', `/rdv/${secret}`, {
      headers: { ...from(), 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    })
  const tokensIn = (page: string) => [...page.matchAll(/name="jeton" value="([^"]+)"/g)].map(([, jeton = '']) => jeton)

  it('can be read by anyone with its address, and reading it changes nothing', async () => {
    const { secret, now } = await aPage()
    const before = await now()
    const { status, headers, text } = await look(secret)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]+=*'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    )
    for (const told of [
      'Ateliers Lœuvre',
      '04 78 00 11 22',
      'Intervenant\u00a0: Bruno',
      'Confirmer ce rendez-vous',
      'Oui, déplacer',
    ])
      expect(text).toContain(told)
    expect(text).toMatch(/de \d+\u00a0h\u00a030 à \d+\u00a0h\u00a030/)
    expect(text).not.toMatch(/Durand|Alice|Petit|default|<script|javascript:|https?:|\son\w+=/i)
    expect(text).not.toContain(secret)
    expect(tokensIn(text)).toHaveLength(3)
    expect(await now()).toEqual(before)
  })

  it('begins with the name and logo of the shop, in its colour, and writes dates as the language does', () => {
    const logo = { sha256: '', media_type: 'image/png', content: Uint8Array.of(137, 80) }
    const view: RdvPageView = {
      ...{ statut: 'planifie', fenetre_client: null, fuseau: 'Europe/Paris', lieu: null, acces_fin: null },
      ...{ debut: '2026-12-01T08:00:00.000Z', fin: '2026-12-01T09:00:00.000Z', poseur: 'Bruno', version: 1 },
      ...{
        societe: { nom: evil, telephone: null, email: null, logo, couleur: '#ffd400' },
        confirmable: true,
        changeable: false,
        autres: [],
      },
    }
    const { content: shown } = rdvPage(view, null, 'fr')
    expect(shown).toContain(':root { --shop: #ffd400; --ink: #000; }')
    expect(shown).toContain('<img src="data:image/png;base64,iVA=" alt=""><span>&quot;')
    expect(shown).toContain('mardi 1er décembre 2026, de ')
    expect(rdvPage(view, null, 'en').content).toContain('Tuesday, 1 December 2026')
  })

  it('takes an answer from its form, redirects to the page, and adds a row to the account’s audit', async () => {
    const { secret, now } = await aPage()
    const confirmed = await send(secret, { action: 'confirmer', version: '1' })
    expect(confirmed).toMatchObject({ status: 303, headers: { location: '?avis=confirme' }, text: '' })
    expect(await now()).toMatchObject({ statut: 'confirme' })
    const [jeton = ''] = tokensIn((await look(secret)).text)
    expect((await send(secret, { action: 'deplacer', version: '2', jeton })).headers['location']).toBe('?avis=deplace')
    expect((await send(secret, { action: 'acces', acces: '14B' })).headers['location']).toBe('?avis=acces')
    const told = await look(secret, '?avis=acces')
    expect(told.text).toContain('Merci, votre code d’accès est transmis.')
    expect(told.text).toContain('Déjà transmis. Une')
    await send(secret, { action: 'acces', acces: 'Code 14B' })
    expect((await look(secret)).text).toContain('Déjà transmis\u00a0: …4B.')
    expect((await look(secret)).text).not.toContain('14B')
    expect((await send(secret, { action: 'annuler', version: '3', motif: '' })).headers['location']).toBe(
      '?avis=annule',
    )
    expect(await now()).toMatchObject({ statut: 'annule' })
    const { items } = await service.sav.audit.list('default', { limite: 5 })
    expect(items.filter(({ endpoint }) => endpoint === '/rdv/{rdvPage}')).toHaveLength(5)
    expect(items[0]).toMatchObject({ method: 'POST', status: 303, key_id: null })
    expect(JSON.stringify(items)).not.toContain(secret)
    expect(JSON.stringify(service.calls)).not.toContain(secret)
  })

  it('is in English on request, also after an answer', async () => {
    const { secret } = await aPage()
    const english = await look(secret, '?langue=en')
    expect(english.text).toContain('<html lang="en">')
    for (const told of ['Your appointment', 'Confirm this appointment', 'Yes, move it', 'hreflang="fr"'])
      expect(english.text).toContain(told)
    const headers = { ...from(), 'accept-language': 'en-GB, fr;q=0.5' }
    expect((await door.call('GET', `/rdv/${secret}`, { headers })).text).toBe(english.text)
    expect((await door.call('GET', `/rdv/${secret}?langue=fr`, { headers })).text).toContain('Confirmer ce rendez-vous')
    const { headers: answered } = await door.call('POST', `/rdv/${secret}?langue=en`, {
      headers: { ...from(), 'content-type': 'application/x-www-form-urlencoded' },
      body: 'action=confirmer&version=1',
    })
    expect(answered['location']).toBe('?avis=confirme&langue=en')
    const missing = await look(`sav_rdv_${'A'.repeat(43)}`, '?langue=en')
    expect([missing.status, missing.text]).toEqual([404, expect.stringContaining('Page not found')])
  })

  it('reports a wrong answer, which changes nothing', async () => {
    const { secret, now } = await aPage()
    for (const [fields, avis] of [
      [{ action: 'confirmer', version: '7' }, 'change'],
      [{ action: 'deplacer', version: '1', jeton: 'c1.x.y.z' }, 'pris'],
      [{ action: 'deplacer', version: '1' }, 'pris'],
      [{ action: 'annuler', version: '1', motif: 'x'.repeat(301) }, 'invalide'],
      [{ action: 'annuler' }, 'invalide'],
      [{ action: 'realise', version: '1' }, 'invalide'],
      [{ action: 'confirmer', version: '1e0', statut: 'realise' }, 'invalide'],
      [{ version: '1' }, 'invalide'],
      [{ __proto__: 'x', constructor: 'y' }, 'invalide'],
    ] as const)
      expect(await send(secret, fields), JSON.stringify(fields)).toMatchObject({
        status: 303,
        headers: { location: `?avis=${avis}` },
      })
    expect(await now()).toMatchObject({ statut: 'planifie', version: 1 })
    expect((await look(secret, '?avis=%3Cscript%3E')).text).toBe((await look(secret)).text)
  })

  it('gives the same 404 for an unknown, ended or malformed secret, for reading and answering', async () => {
    const { secret, id } = await aPage()
    await service.sav.planning.change(actor, id, { statut: 'absent' })
    const unknown = await look(`sav_rdv_${'A'.repeat(43)}`)
    expect(unknown.status).toBe(404)
    expect(unknown.text).toContain('Page introuvable')
    for (const other of [secret, 'x', secret.slice(1), `${secret}=`, '1', '%00', '%3Cscript%3E', 'sav_cal_x']) {
      expect(await look(other), other).toMatchObject({ status: 404, text: unknown.text })
      expect(await send(other, { action: 'confirmer', version: '1' }), other).toMatchObject({
        status: 404,
        text: unknown.text,
      })
    }
  })

  it('escapes hostile names', async () => {
    const { secret, id } = await aPage()
    const { sav, poseur_id } = service
    await sav.accounts.update(actor, { raison_sociale: evil })
    await sav.directory.poseurs.update(actor, poseur_id, { nom: evil })
    await sav.planning.change(actor, id, { lieu: { ligne1: evil, ville: evil } })
    const { text } = await look(secret)
    expect(text).not.toMatch(/<img|<script|onerror=alert\(1\)>/)
    expect(text).toContain('&quot;&gt;&lt;img')
    await sav.directory.poseurs.update(actor, poseur_id, { nom: 'Bruno Petit' })
  })

  it('takes only forms of at most 16 KiB, and refuses PUT, PATCH and DELETE', async () => {
    const { secret, now } = await aPage()
    const post = (headers: Record<string, string>, body: string) =>
      door.call('POST', `/rdv/${secret}`, { headers: { ...from(), ...headers }, body })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await post({ 'content-type': 'application/json' }, '{"action":"annuler","version":1}')).status).toBe(415)
    expect((await post({ 'content-type': 'text/plain' }, 'action=annuler&version=1')).status).toBe(415)
    expect((await post(form, `action=annuler&version=1&motif=${'x'.repeat(16_384)}`)).status).toBe(413)
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect((await door.call(method, `/rdv/${secret}`, { headers: from() })).status).toBe(405)
    expect(await now()).toMatchObject({ statut: 'planifie', version: 1 })
  })

  it('accepts 20 answers or wrong secrets a minute from one IP address, which can still read the page', async () => {
    const { secret } = await aPage()
    const headers = { 'x-forwarded-for': '198.51.100.7', 'content-type': 'application/x-www-form-urlencoded' }
    for (let tries = 0; tries < 20; tries += 1)
      expect((await door.call('GET', `/rdv/sav_rdv_${'B'.repeat(43)}`, { headers })).status).toBe(404)
    expect((await door.call('GET', `/rdv/sav_rdv_${'B'.repeat(43)}`, { headers })).status).toBe(429)
    for (let looks = 0; looks < 50; looks += 1)
      expect((await door.call('GET', `/rdv/${secret}`, { headers })).status).toBe(200)
    const body = 'action=annuler&version=1'
    expect((await door.call('POST', `/rdv/${secret}`, { headers, body })).status).toBe(429)
  })

  it('can be read 60 times a minute from all IP addresses together, however often other pages are read', async () => {
    const [{ secret }, other] = [await aPage(), await aPage()]
    for (let looks = 0; looks < 60; looks += 1) expect((await look(secret)).status).toBe(200)
    const refused = await look(secret)
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1'])
    expect((await look(other.secret)).status).toBe(200)
    await service.clock.advance(1000)
    expect((await look(secret)).status).toBe(200)
    expect((await look(secret)).status).toBe(429)
  })
})
