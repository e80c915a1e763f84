import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sessionCookie } from '../../../http-node/src/http/cookies.js'
import { answered, browserOn, invited, signIn } from '../../../http-node/test/browser.js'
import { as } from '../../../http-node/test/composed.js'
import { type Door, doors, openService, type Service } from '../../../http-node/test/service.js'
import type { IdentityProvider, ProviderAnswer } from '../sign-ins/identity-provider.js'

const origin = 'https://sav.petit.example'
const noAnswer: ProviderAnswer = { email: null, refused: 'provider_refused', cause: null }

describe.each(doors)('through $name', ({ open }) => {
  let service: Service
  let door: Door
  const browser = (on = origin) => browserOn(door, service, on)

  beforeEach(async () => {
    service = await openService(undefined, { publicUrl: `${origin}/`, rateLimit: limits })
    door = await open(service.api)
  })
  afterEach(() => door.close())

  const limits = {
    reads: { quota: 6000, windowSeconds: 60 },
    writes: { quota: 1200, windowSeconds: 60 },
  }
  const refusedAsCrossSite = { status: 403, json: { error: 'Cross-site request refused' } }

  it('a link is not used up by a person or a mail scanner that only fetches it', async () => {
    const { token } = await invited(service, 'gestion')
    for (const method of ['GET', 'HEAD'])
      expect((await door.call(method, '/app/session/invitation', { headers: {} })).status).toBe(405)
    await door.call('GET', `/app/connexion#${token}`)
    expect((await browser().send('POST', '/app/session/invitation', { token })).status).toBe(200)
  })

  it('a sign-in always begins a new session, whatever cookie is sent (fixation)', async () => {
    const attacker = browser()
    await signIn(attacker, service, 'lecture')
    const planted = attacker.cookies.get(sessionCookie) ?? ''
    const victim = browser()
    victim.cookies.set(sessionCookie, planted)
    const { answer } = await signIn(victim, service, 'administration')
    expect(answer.headers['set-cookie']).toMatch(
      /^__Host-sav=sav_ses_[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=2592000$/,
    )
    expect(victim.cookies.get(sessionCookie)).not.toBe(planted)
    expect((await victim.get('/api/v1/session')).json.data.utilisateur.role).toBe('administration')
    // The planted session was the browser's previous one, so the sign-in has ended it.
    expect((await attacker.get('/api/v1/session')).status).toBe(401)
  })

  it('a cookie of another name cannot plant or end a session, whatever its value (fixation)', async () => {
    const attacker = browser()
    await signIn(attacker, service, 'lecture')
    const planted = `${sessionCookie}=${attacker.cookies.get(sessionCookie)}`
    for (const value of [`x,${planted}`, `x, ${planted}`, planted, `,${planted},`]) {
      const victim = browser()
      victim.cookies.set('theme', value)
      expect((await victim.get('/api/v1/session')).status, value).toBe(401)
      await signIn(victim, service, 'gestion')
      expect((await victim.get('/api/v1/session')).json.data?.utilisateur.role, value).toBe('gestion')
    }
    expect((await attacker.get('/api/v1/session')).json.data.utilisateur.role).toBe('lecture')
  })

  it('only our pages can preview an invitation, and guessing one is slowed down', async () => {
    const { token } = await invited(service, 'gestion')
    const look = (body: unknown, more = {}) => browser().send('POST', '/app/session/invitation/apercu', body, more)
    expect(await look({ token }, { origin: 'https://evil.example' })).toMatchObject(refusedAsCrossSite)
    expect(await look({ token }, { 'x-sav-console': '' })).toMatchObject(refusedAsCrossSite)
    for (const body of [{}, { token: 7 }, { token, compte: 'other' }]) expect((await look(body)).status).toBe(422)
    expect((await door.call('GET', '/app/session/invitation/apercu', { headers: {} })).status).toBe(405)
    const guesses: number[] = []
    for (let n = 0; n < 21; n += 1) guesses.push((await look({ token: `sav_inv_${'x'.repeat(43)}` })).status)
    expect(guesses).toEqual([...Array(20).fill(401), 429])
    expect(await look({ token: 'sav_inv_' })).toMatchObject({ status: 429 })
    expect((await look({ token })).status).toBe(200)
    expect((await browser().send('POST', '/app/session/invitation', { token })).status).toBe(200)
  })

  it('a request that another site makes a browser send is refused, and does nothing (CSRF)', async () => {
    const victim = browser()
    await signIn(victim, service, 'administration')
    const key = { nom: 'voleur', permissions: ['admin'] }
    const attacks = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: '' },
      { origin: 'http://sav.petit.example' },
      { origin: `${origin}:8443` },
      { origin: 'https://sav.petit.example.evil.example' },
      { 'x-sav-console': '' },
      { 'x-sav-console': '0' },
    ]
    for (const attack of attacks)
      expect(await victim.send('POST', '/api/v1/cles', key, attack), JSON.stringify(attack)).toMatchObject(
        refusedAsCrossSite,
      )
    for (const site of ['cross-site', 'same-site', 'none', ''])
      expect(await victim.get('/api/v1/sav', { 'sec-fetch-site': site }), site).toMatchObject(refusedAsCrossSite)
    const names = (await service.sav.keys.list('default')).map(({ nom }) => nom)
    expect(names).not.toContain('voleur')
    expect((await victim.send('POST', '/api/v1/cles', { ...key, nom: 'la sienne' })).status).toBe(201)
  })

  it('another site cannot sign anybody in (login CSRF)', async () => {
    const { token } = await invited(service, 'gestion')
    const victim = browser()
    expect(
      await victim.send('POST', '/app/session/invitation', { token }, { origin: 'https://evil.example' }),
    ).toMatchObject(refusedAsCrossSite)
    expect(victim.cookies.size).toBe(0)
    expect((await victim.send('POST', '/app/session/invitation', { token })).status).toBe(200)
  })

  it('no answer allows another origin to use the cookies', async () => {
    const victim = browser()
    await signIn(victim, service, 'gestion')
    const answer = await victim.get('/api/v1/session', { origin: 'https://evil.example' })
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('a session has the permissions of its role, and none in another account', async () => {
    const ours = browser()
    await signIn(ours, service, 'atelier')
    const { sav, client_id, foreign } = service
    const description = 'La porte du meuble bas ne ferme plus.'
    const theirs = await sav.cases.create(as('other'), { client_id: foreign.client_id, description })
    expect(await ours.get(`/api/v1/sav/${theirs.id}`)).toMatchObject({ status: 404 })
    const { id } = await sav.cases.create(as('default'), { client_id, description })
    expect(await ours.send('PUT', `/api/v1/sav/${id}`, { priorite: 'urgente' })).toMatchObject({
      status: 403,
      json: { required: 'sav:write' },
    })
    const resolution = 'Charnière remplacée et porte réglée.'
    expect((await ours.send('POST', `/api/v1/sav/${id}/cloturer`, { resolution })).status).toBe(200)
    const { historique } = await sav.cases.get('default', id)
    expect(historique.at(-1)?.acteur).toMatchObject({ type: 'utilisateur', nom: 'Claire atelier' })
    for (const path of ['/api/v1/utilisateurs', '/api/v1/cles', '/api/v1/audit', '/api/v1/webhooks'])
      expect((await ours.get(path)).status, path).toBe(403)
  })

  it('an API key cannot sign anybody in, and the secret of a session works only in its cookie', async () => {
    const { id } = await invited(service, 'gestion')
    const call = (path: string) =>
      door.call('POST', path, { headers: { ...service.auth(), origin, 'x-sav-console': '1' }, body: '{}' })
    expect((await call('/app/session/passkey/registration/options')).status).toBe(401)
    const ours = browser()
    await signIn(ours, service, 'gestion')
    const secret = ours.cookies.get(sessionCookie) ?? ''
    const asKey = await door.call('GET', '/api/v1/sav', { headers: { authorization: `Bearer ${secret}` } })
    expect(asKey.status).toBe(401)
    for (const cookie of [`sav=${secret}`, `__Host-sav=${secret}; __Host-sav=${secret}`, `__host-sav=${secret}`])
      expect(
        (await door.call('GET', '/api/v1/sav', { headers: { cookie, 'sec-fetch-site': 'same-origin' } })).status,
      ).toBe(401)
    expect(await service.sav.sessions.list('default', id)).toHaveLength(1)
  })

  it('a sign-in counts against the limit before its costly work begins, but not if it succeeds', async () => {
    const provider: { asked: number; answer: ProviderAnswer } = { asked: 0, answer: noAnswer }
    const identityProvider: IdentityProvider = {
      authorizationUrl: async ({ state }) => `https://id.example/auth?${new URLSearchParams({ state })}`,
      async verifiedEmail() {
        provider.asked += 1
        return provider.answer
      },
    }
    const own = await openService(undefined, { publicUrl: `${origin}/`, rateLimit: limits, identityProvider })
    const ownDoor = await open(own.api)
    provider.answer = { email: (await invited(own, 'gestion')).email, refused: null }
    const away = await browserOn(ownDoor, own, origin).get('/app/session/oidc')
    const state = new URL(away.headers['location'] ?? '').searchParams.get('state') ?? ''
    const cookie = away.headers['set-cookie']?.split(';')[0] ?? ''
    const returns = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () =>
          ownDoor.call('GET', `/app/session/oidc/retour?${new URLSearchParams({ state })}`, { headers: { cookie } }),
        ),
      )
    const [signedIn] = await returns(1)
    expect(signedIn?.headers['location']).toBe('/app/')

    provider.answer = noAnswer
    provider.asked = 0
    const statuses = (await returns(40)).map(({ status }) => status).toSorted()
    expect(statuses).toEqual([...Array(20).fill(302), ...Array(20).fill(429)])
    expect(provider.asked).toBe(20)
    // The body is not read: otherwise it would be refused as malformed.
    const headers = { origin, 'x-sav-console': '1', 'content-type': 'application/json' }
    const passkey = await ownDoor.call('POST', '/app/session/passkey/verify', { headers, body: '{' })
    expect(passkey.status).toBe(429)
    await ownDoor.close()
  })

  it('wrong invitations count against the limit, but a right one is still accepted', async () => {
    const token = `sav_inv_${'x'.repeat(43)}`
    const statuses: number[] = []
    for (let n = 0; n < 22; n += 1)
      statuses.push((await browser().send('POST', '/app/session/invitation', { token })).status)
    expect(statuses).toEqual([...Array(20).fill(401), 429, 429])
    const { answer } = await signIn(browser(), service, 'gestion')
    expect(answer.status).toBe(200)
    const asked: number[] = []
    for (let n = 0; n < 22; n += 1)
      asked.push((await browser().send('POST', '/app/session/passkey/options', {})).status)
    expect(asked).toEqual([...Array(20).fill(200), 429, 429])
  })

  it('a refusal says only that the sign-in failed', async () => {
    const options = await browser().send('POST', '/app/session/passkey/options', {})
    const unknown = answered(options.json.data, 'nobody’s', origin)
    const bodies = [{ response: unknown }, { response: { id: 'x' } }, { response: { id: 7, response: [] } }]
    for (const body of bodies) {
      const answer = await browser().send('POST', '/app/session/passkey/verify', body)
      expect(answer).toMatchObject({
        status: 401,
        text: '{"success":false,"error":"Sign-in refused","code":"sign_in_refused","params":{}}',
      })
    }
    for (const body of [{}, { token: 7 }, { token: 'x', compte: 'other' }, [], 'x', { token: 'x'.repeat(201) }])
      expect((await browser().send('POST', '/app/session/invitation', body)).status).toBe(422)
    const huge = { token: 'x'.repeat(70_000) }
    expect((await browser().send('POST', '/app/session/invitation', huge)).status).toBe(413)
  })
})
