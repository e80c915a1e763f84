import { describe, expect, it } from 'vitest'
import { ConflictError, NotFoundError, SignInRefusedError, ValidationError } from '../../../core/src/errors.js'
import { toInstant } from '../../../core/src/time/time.js'
import { as, openProcess, openSav } from '../../../core/test/open-sav.js'
import { device, page, provider, sessionRows, signedUp, tokenOf } from '../../test/people.js'
import { trustedAnswer } from '../testing/trusting-passkeys.js'

const actor = as('default')
const minute = 60_000
const hour = 60 * minute
const redirect_uri = 'https://sav.example/app/session/oidc/retour'

describe('a sign-in by invitation', () => {
  it('begins a session of that person', async () => {
    const { sav, clock } = await openSav()
    const { secret, session, user } = await signedUp({ sav }, { role: 'atelier' })
    expect(secret).toMatch(/^sav_ses_[\w-]{43}$/)
    expect(await sav.sessions.authenticate(secret)).toEqual({
      user: expect.objectContaining({ id: user.id, nom: 'Claire Petit' }),
      session,
      permissions: ['sav:read', 'sav:close', 'directory:read', 'planning:read', 'planning:write'],
    })
    const at = toInstant(clock.now())
    expect(session).toEqual({
      id: expect.stringMatching(/^ses_/),
      methode: 'invitation',
      ...device,
      date_creation: at,
      derniere_utilisation: at,
      expire_a: toInstant(clock.now() + 12 * hour),
    })
    expect(await sav.users.get('default', user.id)).toMatchObject({ derniere_connexion: at })
    expect(JSON.stringify(await sav.sessions.list('default', user.id))).not.toContain(secret)
  })

  it('works once, even for concurrent calls', async () => {
    const { sav } = await openSav()
    const { invite } = await signedUp({ sav })
    const token = await invite()
    const both = await Promise.allSettled([1, 2].map(() => sav.signIns.byInvitation({ token }, device)))
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(sav.signIns.byInvitation({ token }, device)).rejects.toThrow(SignInRefusedError)
  })

  it('with a guessed secret is refused before a transaction begins', async () => {
    const { sav } = await openSav()
    const { signIns } = sav.writes
    const guesses = [
      signIns.byInvitation({ token: `sav_inv_${'x'.repeat(43)}` }, device),
      signIns.byInvitation({ token: 'guess' }, device),
      signIns.byOidcChoice('guess', { utilisateur: 'usr_x' }, device),
    ]
    for (const guess of guesses) await expect(guess.prepare?.()).rejects.toThrow(SignInRefusedError)
  })

  it('works for 15 minutes', async () => {
    const { sav, clock } = await openSav()
    const { invite } = await signedUp({ sav })
    const inTime = await invite()
    await clock.advance(15 * minute - 1)
    await expect(sav.signIns.byInvitation({ token: inTime }, device)).resolves.toBeDefined()
    const late = await invite()
    await clock.advance(15 * minute)
    await expect(sav.signIns.byInvitation({ token: late }, device)).rejects.toThrow(SignInRefusedError)
  })

  it('is refused if a later invitation exists, or if the invitation is unknown', async () => {
    const { sav } = await openSav()
    const { invite } = await signedUp({ sav })
    const earlier = await invite()
    const later = await invite()
    for (const token of [earlier, '', later.slice(0, -1), `${later}x`, `sav_ses_${later.slice(8)}`])
      await expect(sav.signIns.byInvitation({ token }, device), token).rejects.toThrow(SignInRefusedError)
    await expect(sav.signIns.byInvitation({ token: later }, device)).resolves.toBeDefined()
  })
})

describe('the preview of an invitation', () => {
  const claire = {
    utilisateur: { nom: 'Claire Petit' },
    compte: { id: 'default', raison_sociale: 'Cuisines Petit' },
  }
  const named = async () => {
    const opened = await openSav()
    await opened.sav.accounts.update(actor, { raison_sociale: 'Cuisines Petit' })
    return { ...opened, ...(await signedUp(opened)) }
  }

  it('names the person, and leaves the invitation valid', async () => {
    const { sav, invite, user } = await named()
    const token = await invite()
    for (let looks = 0; looks < 3; looks += 1) expect(await sav.signIns.lookAtInvitation({ token })).toEqual(claire)
    expect(await sav.signIns.byInvitation({ token }, device)).toMatchObject({ user: { id: user.id } })
    await expect(sav.signIns.lookAtInvitation({ token })).rejects.toThrow(SignInRefusedError)
  })

  it('reveals nothing for an unknown or ended invitation, or for a disabled person', async () => {
    const { sav, invite, user } = await named()
    const { challenge } = Object(await sav.signIns.askPasskey(page))
    const earlier = await invite()
    const later = await invite()
    for (const token of ['', earlier, `${later}x`, `sav_ses_${later.slice(8)}`, challenge])
      await expect(sav.signIns.lookAtInvitation({ token }), token).rejects.toThrow(SignInRefusedError)
    await expect(sav.signIns.lookAtInvitation({ token: 7 })).rejects.toThrow(ValidationError)
    await sav.users.update(actor, user.id, { actif: false })
    await expect(sav.signIns.lookAtInvitation({ token: later })).rejects.toThrow(SignInRefusedError)
  })
})

describe('a sign-in in a browser where another person is signed in', () => {
  async function two() {
    const opened = await openSav({ people: { identityProvider: provider } })
    const claire = await signedUp(opened)
    const zoe = await signedUp(opened, { nom: 'Zoé Roux', email: 'zoe@petit.example' })
    const replacing = { ...device, replaced: claire.secret }
    const oidc = async () => {
      const { url, secret } = await opened.sav.signIns.askOidc(redirect_uri)
      return { secret, search: provider.comesBack(url, zoe.user.email), redirect_uri, chosen: [] }
    }
    return { ...opened, claire, zoe, replacing, oidc }
  }
  type Two = Awaited<ReturnType<typeof two>>

  it.each<[string, (opened: Two) => Promise<unknown>]>([
    [
      'an invitation',
      async ({ sav, zoe, replacing }) => sav.signIns.byInvitation({ token: await zoe.invite() }, replacing),
    ],
    [
      'a passkey',
      async ({ sav, zoe, replacing }) => sav.signIns.byPasskey({ response: await zoe.answer() }, page, replacing),
    ],
    ['an identity provider', async ({ sav, oidc, replacing }) => sav.signIns.byOidc(await oidc(), replacing)],
  ])('by %s ends the other person’s session in that browser at once, and no other session', async (_, signIn) => {
    const opened = await two()
    const { sav, claire, zoe } = opened
    const elsewhere = await sav.signIns.byInvitation({ token: await claire.invite() }, device)
    // The session is now cached for a moment.
    expect(await sav.sessions.authenticate(claire.secret)).not.toBeNull()
    await signIn(opened)
    expect(await sav.sessions.authenticate(claire.secret)).toBeNull()
    expect((await sav.sessions.list('default', claire.user.id)).map(({ id }) => id)).toEqual([elsewhere.session.id])
    expect(await sav.sessions.list('default', zoe.user.id)).toHaveLength(2)
  })

  it('ends no session if it is refused', async () => {
    const { sav, claire, zoe, replacing, oidc } = await two()
    const token = await zoe.invite()
    await sav.signIns.byInvitation({ token }, device)
    await expect(sav.signIns.byInvitation({ token }, replacing)).rejects.toThrow(SignInRefusedError)
    await sav.users.update(actor, zoe.user.id, { actif: false })
    await expect(sav.signIns.byOidc(await oidc(), replacing)).rejects.toThrow(SignInRefusedError)
    expect(await sav.sessions.authenticate(claire.secret)).not.toBeNull()
  })

  it('ends no session if the browser’s session is unknown', async () => {
    const { sav, claire, zoe } = await two()
    for (const replaced of ['', null, `${claire.secret}x`, `sav_ses_${'0'.repeat(43)}`])
      await sav.signIns.byInvitation({ token: await zoe.invite() }, { ...device, replaced })
    expect(await sav.sessions.authenticate(claire.secret)).not.toBeNull()
  })
})

describe('a sign-in by passkey', () => {
  it('finds the person without an e-mail address', async () => {
    const { sav, clock } = await openSav()
    const { answer, user, passkey } = await signedUp({ sav })
    await clock.advance(minute)
    const begun = await sav.signIns.byPasskey({ response: await answer() }, page, device)
    expect(begun).toMatchObject({ user: { id: user.id }, session: { methode: 'passkey' } })
    const { passkeys } = await sav.sessions.person('default', user.id)
    expect(passkeys).toEqual([{ ...passkey, derniere_utilisation: toInstant(clock.now()) }])
  })

  it('is refused if the answer was used before, is too late, or comes from another page', async () => {
    const { sav, clock } = await openSav()
    const { answer } = await signedUp({ sav })
    const by = (response: object) => sav.signIns.byPasskey({ response }, page, device)
    const once = await answer()
    await by(once)
    await expect(by(once)).rejects.toThrow(SignInRefusedError)
    await expect(by(await answer(0, 'https://sav.exemple'))).rejects.toThrow(SignInRefusedError)
    const late = await answer()
    await clock.advance(5 * minute)
    await expect(by(late)).rejects.toThrow(SignInRefusedError)
    const inTime = await answer()
    await clock.advance(5 * minute - 1)
    await expect(by(inTime)).resolves.toBeDefined()
  })

  it('stores nothing before a valid answer, and then one session and one used challenge', async () => {
    const { sav, storage } = await openSav({ people: { identityProvider: provider } })
    const { answer } = await signedUp({ sav })
    const kept = () => sessionRows(storage)
    const before = await kept()
    for (let n = 0; n < 50; n += 1) await sav.signIns.askPasskey(page)
    for (let n = 0; n < 50; n += 1) await sav.signIns.askOidc(redirect_uri)
    const response = await answer()
    expect(await kept()).toBe(before)
    const by = (given: object) => sav.signIns.byPasskey({ response: given }, page, device)
    await expect(by({ ...response, key: 'another' })).rejects.toThrow(SignInRefusedError)
    expect(await kept()).toBe(before)
    await by(response)
    // The two new rows are the session and the used challenge.
    expect(await kept()).toBe(before + 2)
  })

  it('works once, even for concurrent calls in two processes', async () => {
    const opened = await openSav()
    const { answer } = await signedUp(opened)
    const response = await answer()
    const processes = [opened.sav, openProcess({ ...opened, seed: 2 }).sav]
    const both = await Promise.allSettled(processes.map((sav) => sav.signIns.byPasskey({ response }, page, device)))
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('is refused with a foreign or altered challenge, or one for another method', async () => {
    const { sav } = await openSav({ people: { identityProvider: provider } })
    const { answer, credential } = await signedUp({ sav })
    const by = (challenge: string) => {
      const response = trustedAnswer(credential, { ...page, challenge, key: 'key of Claire Petit' })
      return sav.signIns.byPasskey({ response }, page, device)
    }
    const { challenge } = Object(await sav.signIns.askPasskey(page))
    const { secret } = await sav.signIns.askOidc(redirect_uri)
    const own = Buffer.from('s1.0123456789abcdef.x.y').toString('base64url')
    const signed = Buffer.from(challenge, 'base64url').toString()
    const [version, key, text = '', signature] = signed.split('.')
    const later = Buffer.from(`${Buffer.from(text, 'base64url').toString()}0`).toString('base64url')
    const altered = Buffer.from([version, key, later, signature].join('.')).toString('base64url')
    for (const bad of ['', 'x', '0'.repeat(43), own, secret, altered])
      await expect(by(bad), bad).rejects.toThrow(SignInRefusedError)
    await by(challenge)
    // The same bytes, spelt in another way.
    for (const again of [`${challenge}=`, Buffer.from(`${signed}=`).toString('base64url')])
      await expect(by(again), again).rejects.toThrow(SignInRefusedError)
    const back = { search: provider.comesBack('https://id.example/?state=x', 'claire@petit.example'), redirect_uri }
    await expect(sav.signIns.byOidc({ ...back, secret: challenge, chosen: [] }, device)).rejects.toThrow(
      SignInRefusedError,
    )
    expect(await answer()).toBeDefined()
  })

  it('is refused if the authenticator’s counter does not grow, as in a copy of it', async () => {
    const { sav } = await openSav()
    const { answer } = await signedUp({ sav })
    const by = async (compteur: number) => sav.signIns.byPasskey({ response: await answer(compteur) }, page, device)
    await by(7)
    await expect(by(7)).rejects.toThrow(SignInRefusedError)
    await by(8)
  })

  it('is refused for an unknown or removed passkey, and for a disabled person', async () => {
    const { sav } = await openSav()
    const { answer, user, passkey } = await signedUp({ sav })
    const response = await answer()
    const by = (given: object) => sav.signIns.byPasskey({ response: given }, page, device)
    for (const bad of [{ ...response, id: 'another' }, { ...response, key: 'another' }, { id: 'x' }, { response: 1 }])
      await expect(by(bad)).rejects.toThrow(SignInRefusedError)
    await sav.users.update(actor, user.id, { actif: false })
    await expect(by(response)).rejects.toThrow(SignInRefusedError)
    await sav.users.update(actor, user.id, { actif: true })
    await by(response)
    await sav.sessions.removePasskey(actor, user.id, passkey.id)
    await expect(by(await answer())).rejects.toThrow(SignInRefusedError)
  })

  it('registers a new passkey once, and only for the person who was asked for it', async () => {
    const { sav } = await openSav()
    const { user, newAnswer, passkey } = await signedUp({ sav })
    const zoe = await signedUp({ sav }, { nom: 'Zoé Roux', email: 'zoe@petit.example' })
    const add = (user_id: string, response: object, nom?: string) =>
      sav.signIns.addPasskey(actor, user_id, { response, ...(nom !== undefined && { nom }) }, page)
    const response = await newAnswer('tablette')
    await expect(add(zoe.user.id, response)).rejects.toThrow(SignInRefusedError)
    expect(await add(user.id, response, 'Tablette du dépôt')).toMatchObject({ nom: 'Tablette du dépôt' })
    await expect(add(user.id, response)).rejects.toThrow(SignInRefusedError)
    await expect(add(user.id, await newAnswer('tablette'))).rejects.toThrow(ConflictError)
    expect(passkey.nom).toBe('Passkey')
    // An answer for signing in creates no passkey.
    await expect(add(user.id, { ...(await zoe.answer()), id: 'neuve' })).rejects.toThrow(SignInRefusedError)
  })
})

describe('a session', () => {
  it('ends 12 hours after its last use, and 30 days after its beginning', async () => {
    const { sav, clock } = await openSav()
    const { secret, user } = await signedUp({ sav })
    const isThere = async () => (await sav.sessions.authenticate(secret)) !== null
    const idle = 12 * hour - 2 * minute
    await clock.advance(12 * hour - 1)
    expect(await isThere()).toBe(true)
    await clock.advance(12 * hour)
    expect(await isThere()).toBe(false)
    expect(await sav.sessions.list('default', user.id)).toEqual([])
    const begun = await sav.signIns.byInvitation({ token: tokenOf(await sav.users.invite(actor, user.id)) }, device)
    const stillThere = async () => (await sav.sessions.authenticate(begun.secret)) !== null
    for (let n = 1; n <= 60; n += 1) {
      await clock.advance(idle)
      expect(await stillThere(), `${n}`).toBe(true)
      // Stopping writes the last use of the session.
      await sav.serving.stop()
    }
    await clock.advance(30 * 24 * hour - 60 * idle - 1)
    expect(await stillThere()).toBe(true)
    await clock.advance(1)
    expect(await stillThere()).toBe(false)
  })

  it('ends at once in the process that ends it, and in other processes within a second', async () => {
    const { sav, storage, clock } = await openSav()
    const other = openProcess({ storage, clock, seed: 2 }).sav
    const { secret, user, session, invite } = await signedUp({ sav })
    const second = await sav.signIns.byInvitation({ token: await invite() }, device)
    const there = async ({ sessions } = sav) => (await sessions.authenticate(secret)) !== null
    expect([await there(), await there(other)]).toEqual([true, true])
    await sav.sessions.end(actor, user.id, session.id)
    expect(await there()).toBe(false)
    await clock.advance(999)
    expect(await there(other)).toBe(false)
    expect(await sav.sessions.authenticate(second.secret)).not.toBeNull()
    await expect(sav.sessions.end(actor, user.id, session.id)).rejects.toThrow(NotFoundError)
    expect(await sav.sessions.endAll(actor, user.id)).toEqual({ terminees: 1 })
    expect(await sav.sessions.authenticate(second.secret)).toBeNull()
  })

  it('has the current role of its person, and ends when the person is disabled', async () => {
    const { sav, storage, clock } = await openSav()
    const other = openProcess({ storage, clock, seed: 2 }).sav
    const { secret, user } = await signedUp({ sav })
    await other.sessions.authenticate(secret)
    await sav.users.update(actor, user.id, { role: 'lecture' })
    const permissions = ['sav:read', 'directory:read', 'planning:read']
    expect(await sav.sessions.authenticate(secret)).toMatchObject({ permissions })
    await clock.advance(999)
    expect(await other.sessions.authenticate(secret)).toMatchObject({ permissions })
    await sav.users.update(actor, user.id, { actif: false })
    expect(await sav.sessions.authenticate(secret)).toBeNull()
    await sav.users.update(actor, user.id, { actif: true })
    expect(await sav.sessions.authenticate(secret)).toBeNull()
  })

  it('is not found by an unknown secret', async () => {
    const { sav } = await openSav()
    const { secret } = await signedUp({ sav })
    for (const text of [
      '',
      'sav_ses_',
      `${secret}x`,
      secret.slice(0, -1),
      secret.toUpperCase(),
      `sav_ses_${'0'.repeat(43)}`,
    ])
      expect(await sav.sessions.authenticate(text), text).toBeNull()
  })

  it('is not prolonged by a check', async () => {
    const { sav, clock } = await openSav()
    const { secret, session, user } = await signedUp({ sav })
    await clock.advance(11 * hour)
    expect(await sav.sessions.check(secret)).toMatchObject({ user: { id: user.id }, session })
    await sav.serving.stop()
    await clock.advance(hour)
    expect(await sav.sessions.check(secret)).toBeNull()
    expect(await sav.sessions.authenticate(secret)).toBeNull()
  })
})
