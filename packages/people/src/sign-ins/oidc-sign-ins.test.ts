import { describe, expect, it } from 'vitest'
import { SignInRefusedError, ValidationError } from '../../../core/src/errors.js'
import { as, openSav } from '../../../core/test/open-sav.js'
import { device, provider, signedUp } from '../../test/people.js'

const actor = as('default')
const minute = 60_000
const redirect_uri = 'https://sav.example/app/session/oidc/retour'

/** Claire, whom the provider knows. */
async function open() {
  const opened = await openSav({ people: { identityProvider: provider } })
  const { sav, addAccount } = opened
  const claire = await signedUp(opened)
  const come = async (email = claire.user.email, chosen: readonly string[] = []) => {
    const { url, secret } = await sav.signIns.askOidc(redirect_uri)
    return { secret, search: provider.comesBack(url, email), redirect_uri, chosen }
  }
  const by = (back: Awaited<ReturnType<typeof come>>) => sav.signIns.byOidc(back, device)
  return {
    ...opened,
    ...claire,
    come,
    by,
    /** Claire comes back from the provider. */
    back: async (chosen: readonly string[] = []) => by(await come(claire.user.email, chosen)),
    /** The administration of another account adds the same address. */
    async addedIn(account_id: string) {
      await addAccount(account_id)
      return sav.users.add(as(account_id), { nom: 'Mme Petit', email: 'CLAIRE@petit.example', role: 'gestion' })
    },
  }
}

const choiceIn = (begun: object) => ('choice' in begun ? String(begun.choice) : '')

describe('a sign-in by an identity provider', () => {
  it('finds an existing user by the verified address, in upper or lower case', async () => {
    const { come, by, user } = await open()
    expect(await by(await come('Claire@Petit.example'))).toMatchObject({
      user: { id: user.id },
      session: { methode: 'oidc' },
    })
  })

  it('does not accept an address that only looks the same, with U+212A instead of K', async () => {
    const { sav, come, by } = await open()
    const { id } = await sav.users.add(as('default'), {
      nom: 'Karim Benali',
      email: 'Karim@petit.example',
      role: 'administration',
    })
    await expect(by(await come('\u212aarim@petit.example'))).rejects.toMatchObject({ reason: 'unknown_person' })
    expect(await by(await come('KARIM@petit.example'))).toMatchObject({ user: { id } })
  })

  it('adds no user, and is valid once, within 10 minutes, for the browser that began it', async () => {
    const { sav, come, by, clock } = await open()
    await expect(by(await come('zoe@petit.example'))).rejects.toMatchObject({ reason: 'unknown_person' })
    expect(await sav.users.list('default')).toHaveLength(1)
    const back = await come()
    const other = await come()
    await expect(by({ ...back, secret: other.secret })).rejects.toThrow(SignInRefusedError)
    await by(back)
    await expect(by(back)).rejects.toMatchObject({ reason: 'expired' })
    await clock.advance(10 * minute)
    await expect(by(other)).rejects.toMatchObject({ reason: 'expired' })
  })
})

describe('somebody whose address another account has added', () => {
  it('signs in as before in a known browser', async () => {
    const { sav, back, user, addedIn } = await open()
    const intruded = await addedIn('other')
    await addedIn('third')
    expect(await back([user.id])).toMatchObject({ user: { id: user.id, account_id: 'default' } })
    await sav.users.update(as('other'), intruded.id, { role: 'lecture', nom: 'Claire Petit' })
    expect(await back(['usr_of_a_colleague', user.id])).toMatchObject({ user: { id: user.id } })
    await sav.users.update(as('other'), intruded.id, { actif: false })
    expect(await back([user.id])).toMatchObject({ user: { id: user.id } })
  })

  it('chooses an account in another browser, after the provider’s confirmation', async () => {
    const { sav, back, user, addedIn } = await open()
    await sav.accounts.update(actor, { raison_sociale: 'Cuisines Petit' })
    const { id } = await addedIn('agence')
    const choice = choiceIn(await back(['usr_of_a_colleague']))
    for (let looks = 0; looks < 2; looks += 1)
      expect(await sav.signIns.oidcCandidates(choice)).toEqual([
        { utilisateur: { id, nom: 'Mme Petit' }, compte: { id: 'agence', raison_sociale: null } },
        {
          utilisateur: { id: user.id, nom: 'Claire Petit' },
          compte: { id: 'default', raison_sociale: 'Cuisines Petit' },
        },
      ])
    const choose = (utilisateur: string) => sav.signIns.byOidcChoice(choice, { utilisateur }, device)
    expect(await choose(user.id)).toMatchObject({ user: { id: user.id }, session: { methode: 'oidc' } })
    await expect(choose(user.id)).rejects.toMatchObject({ reason: 'expired' })
    await expect(sav.signIns.oidcCandidates(choice)).rejects.toMatchObject({ reason: 'expired' })
    const again = choiceIn(await back())
    expect(await sav.signIns.byOidcChoice(again, { utilisateur: id }, device)).toMatchObject({ user: { id } })
  })

  it('gets the account that they chose last', async () => {
    const { back, user, addedIn } = await open()
    const { id } = await addedIn('agence')
    expect(await back([id, user.id])).toMatchObject({ user: { id } })
    expect(await back([user.id, id])).toMatchObject({ user: { id: user.id } })
  })

  it('has 10 minutes to choose, and only among the offered accounts', async () => {
    const { sav, clock, back, user, addedIn } = await open()
    const { id } = await addedIn('agence')
    const zoe = await sav.users.add(actor, { nom: 'Zoé Roux', email: 'zoe@petit.example', role: 'administration' })
    const choice = choiceIn(await back())
    const choose = (given: string, input: unknown) => sav.signIns.byOidcChoice(given, input, device)
    await expect(choose(choice, { utilisateur: zoe.id })).rejects.toThrow(SignInRefusedError)
    await expect(choose(choice, { utilisateur: 7 })).rejects.toThrow(ValidationError)
    // The secret contains the person's address. With another address in its place, it is not valid.
    const [challenge = ''] = choice.split('.')
    const { secret: asked } = await sav.signIns.askOidc(redirect_uri)
    const ofZoe = Buffer.from(zoe.email).toString('base64url')
    for (const forged of ['', challenge, `${challenge}.${ofZoe}`, `${choice}x`, asked, `${asked}.${ofZoe}`]) {
      await expect(choose(forged, { utilisateur: zoe.id }), forged).rejects.toThrow(SignInRefusedError)
      await expect(sav.signIns.oidcCandidates(forged), forged).rejects.toThrow(SignInRefusedError)
    }
    await sav.users.update(as('agence'), id, { email: 'zoe@petit.example' })
    await expect(choose(choice, { utilisateur: id })).rejects.toThrow(SignInRefusedError)
    await clock.advance(10 * minute - 1)
    expect(await sav.signIns.oidcCandidates(choice)).toMatchObject([{ utilisateur: { id: user.id } }])
    await clock.advance(1)
    await expect(sav.signIns.oidcCandidates(choice)).rejects.toMatchObject({ reason: 'expired' })
    await expect(choose(choice, { utilisateur: user.id })).rejects.toMatchObject({ reason: 'expired' })
  })
})
