import type { Sav } from '../../core/src/sav.js'
import type { Storage } from '../../core/src/storage.js'
import { as } from '../../core/test/open-sav.js'
import type { PeopleFeature } from '../src/people.js'
import { sessionStore } from '../src/sessions/session-store.js'
import type { Device } from '../src/sign-ins/beginning.js'
import type { IdentityProvider, ProviderAnswer } from '../src/sign-ins/identity-provider.js'
import type { RelyingParty } from '../src/sign-ins/passkey-verifier.js'
import { trustedAnswer } from '../src/testing/trusting-passkeys.js'
import type { Invitation } from '../src/users/invitations.js'
import type { AddUserInput } from '../src/users/user.js'

export const page: RelyingParty = { origin: 'https://sav.example', rp_id: 'sav.example' }
export const device: Device = { ip: '203.0.113.9', appareil: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15)' }

const confirmed = (email: string): ProviderAnswer => ({ email, refused: null })

/** A provider that confirms the person named in the return address. */
export const provider: IdentityProvider & { comesBack(url: string, email: string): string } = {
  authorizationUrl: async ({ state, nonce, code_verifier }) =>
    `https://id.example/auth?${new URLSearchParams({ state, nonce, challenge: code_verifier })}`,
  async verifiedEmail(search) {
    return confirmed(new URLSearchParams(search).get('email') ?? '')
  },
  comesBack(url, email) {
    return `?${new URLSearchParams({ state: new URL(url).searchParams.get('state') ?? '', email })}`
  },
}

/** The token of an invitation that is a link. */
export const tokenOf = (invitation: Invitation): string =>
  invitation.canal === 'lien' ? (invitation.url.split('#')[1] ?? '') : ''

interface SavHolder {
  readonly sav: Pick<Sav<PeopleFeature>, 'users' | 'signIns'>
}

/** A person who has signed in by an invitation, and has a passkey. */
export async function signedUp({ sav }: SavHolder, fields: Partial<AddUserInput> = {}, account_id = 'default') {
  const actor = as(account_id)
  const input = { nom: 'Claire Petit', email: 'claire@petit.example', role: 'gestion', ...fields } as const
  const { id } = await sav.users.add(actor, input)
  const invite = async () => tokenOf(await sav.users.invite(actor, id))
  const begun = await sav.signIns.byInvitation({ token: await invite() }, device)
  const key = `key of ${input.nom}`

  /** The browser's answer to a request for a new passkey. */
  const newAnswer = async (credential: string) => {
    const options = Object(await sav.signIns.askNewPasskey(actor, id, page))
    return trustedAnswer(credential, { ...page, challenge: options.challenge, key })
  }
  const credential = `téléphone de ${id}`
  const passkey = await sav.signIns.addPasskey(actor, id, { response: await newAnswer(credential) }, page)
  /** The browser's answer to a request for this passkey. */
  const answer = async (compteur = 0, origin = page.origin) => {
    const { challenge } = Object(await sav.signIns.askPasskey(page))
    return trustedAnswer(credential, { origin, challenge, key, compteur })
  }
  return { ...begun, actor, invite, passkey, credential, newAnswer, answer }
}

/** The number of stored sessions and sign-in attempts. No other function counts attempts. */
export async function sessionRows(storage: Storage): Promise<number> {
  const bounds = { before: '9999', devicesBefore: '9999' }
  let rows = 0
  const counted = new Error('only counted')
  const counting = storage.transaction(async (tx) => {
    rows = await tx.of(sessionStore).purge(bounds, 1_000)
    throw counted
  })
  await counting.catch((error: unknown) => {
    if (error !== counted) throw error
  })
  return rows
}
