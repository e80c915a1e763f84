import { signal } from '@preact/signals'
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { base, to } from './address.js'
import { type Session, session } from './session.js'

/** Which ways in there are here. */
export interface Methods {
  readonly passkey: boolean
  readonly oidc: boolean
  /** Why nobody can sign in at this address; null: they can. */
  readonly phrase: string | null
}

const address = (call: string) => `${base}/session/${call}`

/** @throws SignInRefused */
async function post<T>(call: string, body: unknown): Promise<T> {
  const response = await fetch(address(call), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Sav-Console': '1' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new SignInRefused(response.status)
  return (await response.json()).data
}

export class SignInRefused extends Error {
  readonly status: number

  constructor(status: number) {
    super(`sign-in refused with ${status}`)
    this.name = 'SignInRefused'
    this.status = status
  }
}

export async function readMethods(): Promise<Methods> {
  const response = await fetch(address('methodes'))
  if (!response.ok) throw new SignInRefused(response.status)
  return (await response.json()).data
}

export const oidcAddress = (): string => address('oidc')

/** The token of a link that somebody came by, until it was tried. */
export const invitation = signal<string | null>(null)

/** Takes the token out of the address, so that it is neither in the history nor on the screen. */
export function takeInvitation(): void {
  const token = location.hash.slice(1)
  if (!token.startsWith('sav_inv_')) return
  history.replaceState(null, '', to('/'))
  invitation.value = token
}

/** Whoever holds the link is in, once. */
export async function acceptInvitation(token: string): Promise<void> {
  session.value = await post<Session>('invitation', { token })
}

export async function signInWithPasskey(): Promise<void> {
  const optionsJSON = await post<Parameters<typeof startAuthentication>[0]['optionsJSON']>('passkey/options', {})
  const response = await startAuthentication({ optionsJSON })
  session.value = await post<Session>('passkey/verify', { response })
}

export async function registerPasskey(): Promise<void> {
  const optionsJSON = await post<Parameters<typeof startRegistration>[0]['optionsJSON']>(
    'passkey/registration/options',
    {},
  )
  const response = await startRegistration({ optionsJSON })
  await post('passkey/registration/verify', { response })
}
