import { signal } from '@preact/signals'
import { startAuthentication } from '@simplewebauthn/browser'
import type { SessionView } from '../api.js'
import { call } from '../send/calls.js'
import { signInAddress } from './address.js'
import { line, whoIsThere } from './contact.js'
import { clock } from './own.js'
import { whileNothingIsSent } from './sending.js'

/** The available ways to sign in. */
export interface Methods {
  readonly passkey: boolean
  readonly oidc: boolean
}

export class SignInRefused extends Error {
  constructor(status: number) {
    super(`the service refused the sign-in with status ${status}`)
    this.name = 'SignInRefused'
  }
}

async function dataOf<T>(response: Response): Promise<T> {
  if (response.status >= 500) throw new Error(`the service answered with status ${response.status}`)
  if (!response.ok) throw new SignInRefused(response.status)
  return (await response.json()).data
}

async function post<T>(name: string, body: unknown): Promise<T> {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  return dataOf(await call(line, clock, signInAddress(name), init))
}

export const readMethods = async (): Promise<Methods> => dataOf(await call(line, clock, signInAddress('methodes')))
export const oidcAddress = (): string => signInAddress('oidc')

/** Signs in with a passkey. Nothing is sent meanwhile, since it could be sent as the wrong user. */
export const signInWithPasskey = (): Promise<SessionView> =>
  whileNothingIsSent(async () => {
    const optionsJSON = await post<Parameters<typeof startAuthentication>[0]['optionsJSON']>('passkey/options', {})
    const response = await startAuthentication({ optionsJSON })
    await post('passkey/verify', { response })
    return signedIn()
  })

async function signedIn(): Promise<SessionView> {
  const who = await whoIsThere()
  if (!who) throw new SignInRefused(401)
  return who
}

/** The token of an opened link, until it was tried. */
export const invitation = signal<string | null>(null)

/** Removes the token from the address, so that it is neither in the history nor on the screen. */
export function takeInvitation(): void {
  const token = location.hash.slice(1)
  if (!token.startsWith('sav_inv_')) return
  history.replaceState(null, '', location.pathname)
  invitation.value = token
}

/** Signs in by the link, which works once. @throws SignInRefused */
export const acceptInvitation = (token: string): Promise<SessionView> =>
  whileNothingIsSent(async () => {
    await post('invitation', { token })
    return signedIn()
  })

/** Ends the session of this browser. */
export async function signOut(): Promise<void> {
  await call(line, clock, '/api/v1/session', { method: 'DELETE' }).catch(() => {})
}
