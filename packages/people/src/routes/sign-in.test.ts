import { UnavailableError } from '@sav/core/ports'
import { afterEach, describe, expect, it } from 'vitest'
import { sessionCookie } from '../../../http-node/src/http/cookies.js'
import { answered, browserOn, invited, signIn } from '../../../http-node/test/browser.js'
import { as, type ComposeOptions } from '../../../http-node/test/composed.js'
import { type Door, doors, openService, type Service } from '../../../http-node/test/service.js'
import type { IdentityProvider, ProviderAnswer } from '../sign-ins/identity-provider.js'
import { chosenCookie, oidcCookie } from './oidc-cookies.js'

const origin = 'https://sav.petit.example'
const [node] = doors

/** A provider that confirms the person named in the return address, unless `answer` replaces its answer. */
function vouching(state: { away: boolean; answer?: ProviderAnswer } = { away: false }): IdentityProvider {
  return {
    async authorizationUrl({ redirect_uri, state: own }) {
      if (state.away) throw new UnavailableError('away', { retryAfterSeconds: 5 })
      return `https://id.example/auth?${new URLSearchParams({ redirect_uri, state: own })}`
    },
    verifiedEmail: async (search) =>
      state.answer ?? { email: new URLSearchParams(search).get('email') ?? '', refused: null },
  }
}

describe('signing in', () => {
  let door: Door
  async function open(options: ComposeOptions = { publicUrl: origin }): Promise<Service> {
    const service = await openService(undefined, options)
    if (node) door = await node.open(service.api)
    return service
  }
  afterEach(() => door.close())

  it('lets a person read their own session, until they sign out', async () => {
    const service = await open()
    const browser = browserOn(door, service, origin)
    const { id, email, answer } = await signIn(browser, service, 'atelier')
    const who = {
      utilisateur: { id, nom: 'Claire atelier', email, role: 'atelier', poseur_id: null, passkeys: [] },
      cle: null,
      hote: null,
      compte: { id: 'default', raison_sociale: null, fuseau: 'Europe/Paris' },
      permissions: ['sav:read', 'sav:close', 'directory:read', 'planning:read', 'planning:write'],
      fonctions: ['people', 'planning', 'field', 'insight'],
      expire_a: new Date(service.clock.now() + 43_200_000).toISOString(),
    }
    expect(answer.json).toEqual({ success: true, data: who })
    expect((await browser.get('/api/v1/session')).json.data).toEqual(who)
    const out = await browser.send('DELETE', '/api/v1/session', undefined)
    expect(out.headers['set-cookie']).toBe('__Host-sav=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0')
    expect(browser.cookies.size).toBe(0)
    expect((await browser.get('/api/v1/session')).status).toBe(401)
    expect(await service.sav.sessions.list('default', id)).toEqual([])
  })

  it.each([
    ['signing out', () => ['DELETE', '/api/v1/session']],
    ['ending it in the list of one’s own sessions', (_, session) => ['DELETE', `/api/v1/session/sessions/${session}`]],
    ['ending it as an administrator', (id, session) => ['DELETE', `/api/v1/utilisateurs/${id}/sessions/${session}`]],
    ['ending all of one’s sessions', (id) => ['DELETE', `/api/v1/utilisateurs/${id}/sessions`]],
    ['disabling oneself', (id) => ['PUT', `/api/v1/utilisateurs/${id}`, { actif: false }]],
  ] as const satisfies [string, (id: string, session: string) => [string, string, object?]][])(
    'clears the cookie and the cache of the browser after %s',
    async (_, ending) => {
      const service = await open()
      const own = browserOn(door, service, origin)
      const { id } = await signIn(own, service, 'administration')
      const { email: _email, ...other } = await signIn(browserOn(door, service, origin), service, 'lecture')
      await service.sav.users.add(as('default'), { nom: 'Zoé', email: 'z@z.example', role: 'administration' })
      const sessionOf = async (user: string) => (await service.sav.sessions.list('default', user))[0]?.id ?? ''
      const end = async (user: string) => {
        const [method, path, body] = ending(user, await sessionOf(user))
        return own.send(method, path, body)
      }
      if (ending('', '')[1].startsWith('/api/v1/utilisateurs/')) {
        const elsewhere = await end(other.id)
        expect([elsewhere.status, elsewhere.headers['clear-site-data']]).toEqual([200, undefined])
        expect((await own.get('/api/v1/session')).status).toBe(200)
      }
      const { status, headers } = await end(id)
      expect([status, headers['clear-site-data']]).toEqual([200, '"cache"'])
      expect(own.cookies.size).toBe(0)
      expect(await service.sav.sessions.list('default', id)).toEqual([])
    },
  )

  it('a key gets a description of itself', async () => {
    const { auth, sav } = await open()
    const [key] = await sav.keys.list('default')
    const { json } = await door.call('GET', '/api/v1/session', { headers: auth() })
    expect(json.data).toMatchObject({ utilisateur: null, cle: { id: key?.id, nom: 'test' }, expire_a: key?.expires_at })
    expect((await door.call('DELETE', '/api/v1/session', { headers: auth() })).status).toBe(409)
  })

  it('a key takes precedence over the cookie', async () => {
    const service = await open()
    const browser = browserOn(door, service, origin)
    await signIn(browser, service, 'lecture')
    const { authorization = '' } = service.auth()
    const { json } = await browser.get('/api/v1/session', { authorization, 'sec-fetch-site': 'cross-site' })
    expect(json.data.utilisateur).toBeNull()
    expect((await browser.get('/api/v1/session', { authorization: 'Bearer x' })).status).toBe(401)
  })

  it('appears in the audit under the person, like all other calls of that person', async () => {
    const service = await open()
    const browser = browserOn(door, service, origin)
    await browser.send('POST', '/app/session/invitation', { token: 'x' })
    const { id } = await signIn(browser, service, 'administration')
    await browser.send('POST', '/api/v1/poseurs', { nom: 'Ida Roux' })
    await browser.get('/api/v1/poseurs')
    await service.sav.audit.finish()
    const { items } = await service.sav.audit.list('default', { user_id: id })
    const seen = items.map(({ method, endpoint, status, key_id }) => [method, endpoint, status, key_id])
    expect(seen.toSorted()).toEqual([
      ['GET', '/api/v1/poseurs', 200, null],
      ['POST', '/api/v1/poseurs', 201, null],
      ['POST', '/app/session/invitation', 200, null],
    ])
    const nobody = await service.sav.audit.list(null, {})
    expect(nobody.items).toMatchObject([{ endpoint: '/app/session/invitation', status: 401, user_id: null }])
  })

  it('gives each person separate limits and Idempotency-Keys', async () => {
    const quota = { quota: 3, windowSeconds: 60 }
    const service = await open({ publicUrl: origin, rateLimit: { reads: quota, writes: quota } })
    const browser = browserOn(door, service, origin)
    await signIn(browser, service, 'gestion')
    const other = browserOn(door, service, origin)
    await signIn(other, service, 'atelier')
    const once = { 'idempotency-key': 'un-seul' }
    const add = () => browser.send('POST', '/api/v1/poseurs', { nom: 'Ida Roux' }, once)
    const [first, again] = [await add(), await add()]
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.text).toBe(first.text)
    expect((await add()).status).toBe(201)
    expect((await add()).status).toBe(429)
    expect((await other.get('/api/v1/poseurs')).status).toBe(200)
  })

  it('without a public address works only on this machine; other machines get the reason', async () => {
    const service = await open({})
    for (const here of ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080']) {
      const browser = browserOn(door, service, here)
      expect((await signIn(browser, service, 'gestion')).answer.status, here).toBe(200)
      expect((await browser.get('/api/v1/session')).status, here).toBe(200)
    }
    const byAddress = browserOn(door, service, 'http://127.0.0.1:8080')
    expect((await byAddress.get('/app/session/methodes')).json.data.passkey).toBe(false)
    expect(await byAddress.send('POST', '/app/session/passkey/options', {})).toMatchObject({
      status: 409,
      json: { detail: 'A passkey needs a host name, not an address: open http://localhost:8080/app.' },
    })
    const elsewhere = browserOn(door, service, 'http://192.0.2.7:8080')
    const { token } = await invited(service, 'gestion')
    expect((await elsewhere.get('/app/session/methodes')).json.data.phrase).toMatch(/set SAV_PUBLIC_URL/)
    expect(await elsewhere.send('POST', '/app/session/invitation', { token })).toMatchObject({ status: 409 })
    expect((await byAddress.send('POST', '/app/session/invitation', { token })).status).toBe(200)
  })

  it('is refused if the public address is plain http', async () => {
    const service = await open({ publicUrl: 'http://sav.petit.example' })
    const browser = browserOn(door, service, 'http://sav.petit.example')
    const { token } = await invited(service, 'gestion')
    expect((await browser.get('/app/session/methodes')).json.data.phrase).toMatch(/needs https: set SAV_PUBLIC_URL/)
    expect((await browser.send('POST', '/app/session/invitation', { token })).status).toBe(409)
  })

  it('works by a passkey, which its owner can register and remove', async () => {
    const service = await open()
    const browser = browserOn(door, service, origin)
    expect((await browser.get('/app/session/methodes')).json.data).toEqual({
      passkey: true,
      oidc: false,
      choix: false,
      phrase: null,
    })
    await signIn(browser, service, 'gestion')
    const registration = '/app/session/passkey/registration'
    const { json } = await browser.send('POST', `${registration}/options`, {})
    expect(json.data).toMatchObject({ rp_id: 'sav.petit.example', existing: [] })
    const nom = 'Téléphone de Claire'
    const response = answered(json.data, 'téléphone', origin)
    const made = await browser.send('POST', `${registration}/verify`, { response, nom })
    expect(made).toMatchObject({ status: 201, json: { data: { nom, derniere_utilisation: null } } })
    const { id } = made.json.data
    const again = browserOn(door, service, origin)
    const asked = await again.send('POST', '/app/session/passkey/options', {})
    const verified = { response: answered(asked.json.data, 'téléphone', origin) }
    expect((await again.send('POST', '/app/session/passkey/verify', verified)).status).toBe(200)
    expect((await again.send('POST', '/app/session/passkey/verify', verified)).status).toBe(401)
    expect((await again.send('DELETE', `/api/v1/session/passkeys/${id}`, undefined)).status).toBe(200)
    expect((await browser.get('/api/v1/session')).json.data.utilisateur.passkeys).toEqual([])
  })

  it('lets every person list and end their own sessions, but no others', async () => {
    const service = await open()
    const [own, elsewhere, other] = [1, 2, 3].map(() => browserOn(door, service, origin))
    if (!own || !elsewhere || !other) throw new Error('three browsers')
    await signIn(own, service, 'lecture')
    await signIn(elsewhere, service, 'lecture')
    const { id } = await signIn(other, service, 'gestion')
    const path = '/api/v1/session/sessions'
    const listed = (await own.get(path)).json.data
    expect(listed).toEqual((await elsewhere.get(path)).json.data)
    expect(listed).toHaveLength(2)
    const end = async (session: string | undefined) =>
      (await own.send('DELETE', `${path}/${session}`, undefined)).status
    expect(await end((await service.sav.sessions.list('default', id))[0]?.id)).toBe(404)
    expect(await end(listed[0].id)).toBe(200)
    expect((await elsewhere.get('/api/v1/session')).status).toBe(401)
    expect(
      (await Promise.all([own, other].map((each) => each.get('/api/v1/session')))).map(({ status }) => status),
    ).toEqual([200, 200])
  })

  it('by an identity provider redirects to the provider and back, and then the person is signed in', async () => {
    const service = await open({ publicUrl: origin, identityProvider: vouching() })
    const browser = browserOn(door, service, origin)
    const { email } = await invited(service, 'gestion')
    const away = await browser.get('/app/session/oidc')
    expect(away.status).toBe(302)
    expect(away.headers['set-cookie']).toMatch(/; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/)
    const { searchParams } = new URL(away.headers['location'] ?? '')
    expect(searchParams.get('redirect_uri')).toBe(`${origin}/app/session/oidc/retour`)
    const back = `/app/session/oidc/retour?${new URLSearchParams({ state: searchParams.get('state') ?? '', email })}`

    const stranger = browserOn(door, service, origin)
    expect((await stranger.get(back)).headers['location']).toBe('/app/connexion?erreur=refuse')
    expect(stranger.cookies.size).toBe(0)
    const home = await browser.get(back, { 'sec-fetch-site': 'cross-site' })
    expect([home.status, home.headers['location']]).toEqual([302, '/app/'])
    expect([...browser.cookies.keys()].toSorted()).toEqual([sessionCookie, chosenCookie])
    expect(home.headers['set-cookie']).toMatch(
      /__Host-sav-choix=usr_\w+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=31536000/,
    )
    expect((await browser.get('/api/v1/session')).json.data.utilisateur.email).toBe(email)
  })

  it('by an identity provider leads an installer to the installers’ app', async () => {
    const service = await open({ publicUrl: origin, identityProvider: vouching() })
    const { sav } = service
    const { id: poseur_id } = await sav.directory.poseurs.add(as('default'), { nom: 'Bruno Petit' })
    const email = 'bruno@petit.example'
    await sav.users.add(as('default'), { nom: 'Bruno Petit', email, role: 'poseur', poseur_id })
    const browser = browserOn(door, service, origin)
    const away = await browser.get('/app/session/oidc')
    const state = new URL(away.headers['location'] ?? '').searchParams.get('state') ?? ''
    const { headers } = await browser.get(`/app/session/oidc/retour?${new URLSearchParams({ state, email })}`)
    expect(headers['location']).toBe('/app/terrain/')
  })

  it('by an identity provider lets a person of several accounts choose, once per browser', async () => {
    const service = await open({ publicUrl: origin, identityProvider: vouching() })
    const { sav } = service
    const { email, id } = await invited(service, 'gestion')
    const comes = async (browser = browserOn(door, service, origin), search = '') => {
      const away = await browser.get(`/app/session/oidc${search}`)
      const state = new URL(away.headers['location'] ?? '').searchParams.get('state') ?? ''
      const back = `/app/session/oidc/retour?${new URLSearchParams({ state, email })}`
      const { headers } = await browser.get(back, { 'sec-fetch-site': 'cross-site' })
      const who = async () => (await browser.get('/api/v1/session')).json.data.utilisateur.id
      return { browser, location: headers['location'], who }
    }
    const known = await comes()
    expect(known.location).toBe('/app/')
    const there = await sav.users.add(as('other'), { nom: 'Mme Petit', email, role: 'gestion' })
    expect((await comes(known.browser)).location).toBe('/app/')
    expect(await known.who()).toBe(id)

    const { browser, location, who } = await comes()
    expect(location).toBe('/app/connexion?choix')
    expect([...browser.cookies.keys()]).toEqual([oidcCookie])
    expect((await browser.get('/api/v1/session')).status).toBe(401)
    const choice = '/app/session/oidc/choix'
    expect((await browser.get(choice)).json.data).toEqual([
      { utilisateur: { id, nom: 'Claire gestion' }, compte: { id: 'default', raison_sociale: null } },
      { utilisateur: { id: there.id, nom: 'Mme Petit' }, compte: { id: 'other', raison_sociale: null } },
    ])
    const choose = (utilisateur: string, from = browser, more = {}) => from.send('POST', choice, { utilisateur }, more)
    expect((await choose(there.id, browser, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await browser.get(choice, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    const stranger = browserOn(door, service, origin)
    expect([(await stranger.get(choice)).status, (await choose(id, stranger)).status]).toEqual([401, 401])
    expect((await choose('usr_of_nobody')).status).toBe(401)
    expect((await choose(there.id)).json.data.utilisateur.id).toBe(there.id)
    expect([...browser.cookies.keys()].toSorted()).toEqual([sessionCookie, chosenCookie])
    expect((await choose(id)).status).toBe(401)
    expect((await comes(browser)).location).toBe('/app/')
    expect(await who()).toBe(there.id)

    expect((await browser.get('/app/session/methodes')).json.data.choix).toBe(true)
    expect((await comes(browser, '?choisir')).location).toBe('/app/connexion?choix')
    expect((await choose(id)).json.data.utilisateur.id).toBe(id)
    // An account that is only named in a link does not replace the earlier choice.
    expect((await comes(browser, '?compte=other')).location).toBe('/app/')
    expect(await who()).toBe(id)
  })

  it('by an identity provider says why it is refused', async () => {
    const state = { away: false }
    const service = await open({ publicUrl: origin, identityProvider: vouching(state) })
    const browser = browserOn(door, service, origin)
    const reason = async (email: string, minutes = 0) => {
      const away = await browser.get('/app/session/oidc')
      const own = new URL(away.headers['location'] ?? '').searchParams.get('state') ?? ''
      await service.clock.advance(minutes * 60_000)
      const { headers } = await browser.get(`/app/session/oidc/retour?${new URLSearchParams({ state: own, email })}`)
      expect(browser.cookies.has(oidcCookie)).toBe(false)
      return headers['location']?.split('=')[1]
    }
    const { email, id } = await invited(service, 'gestion')
    expect(await reason('nobody@petit.example')).toBe('inconnu')
    expect(await reason(email, 10)).toBe('expire')
    await service.sav.users.update(as('default'), id, { actif: false })
    expect(await reason(email)).toBe('inconnu')
    state.away = true
    expect((await browser.get('/app/session/oidc')).headers['location']).toBe('/app/connexion?erreur=indisponible')
  })

  it.each([
    ['provider_refused', 'fournisseur'],
    ['email_missing', 'sans_adresse'],
    ['email_unverified', 'non_verifiee'],
    ['email_unvouched', 'non_garantie'],
  ] as const)('gives the reason of a refusal to the person, the audit and the log: %s', async (refused, erreur) => {
    const cause = new Error('what the administrator has to do')
    const state: Parameters<typeof vouching>[0] = { away: false }
    const service = await open({ publicUrl: origin, identityProvider: vouching(state) })
    const { sav, failures } = service
    const browser = browserOn(door, service, origin)
    const { email, id } = await invited(service, 'gestion')
    const there = await sav.users.add(as('other'), { nom: 'Mme Petit', email, role: 'gestion' })
    const isNamed = refused === 'email_unverified' || refused === 'email_unvouched'
    state.answer = { email: isNamed ? email.toUpperCase() : null, refused, cause }
    const away = await browser.get('/app/session/oidc')
    const { searchParams } = new URL(away.headers['location'] ?? '')
    const { headers } = await browser.get(`/app/session/oidc/retour?state=${searchParams.get('state')}`)
    expect(headers['location']).toBe(`/app/connexion?erreur=${erreur}`)
    expect(failures).toMatchObject([
      { endpoint: '/app/session/oidc/retour', status: 302, error: { reason: refused, cause } },
    ])
    await sav.audit.finish()
    const rows = async (account: string | null) =>
      (await sav.audit.list(account, {})).items.flatMap(({ target, user_id }) => (target ? [[target, user_id]] : []))
    const target = `sign_in:${refused}`
    expect([await rows(null), await rows('default'), await rows('other')]).toEqual(
      isNamed ? [[], [[target, id]], [[target, there.id]]] : [[[target, null]], [], []],
    )
  })
})
