import { signal } from '@preact/signals'
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { apiBase } from '../api/base.js'
import { to } from '../session/address.js'
import { become, readSession, type SignedInUser, session } from '../session/session.js'
import { words } from '../words/words.js'

/** The available ways to sign in. */
export interface Methods {
  readonly passkey: boolean
  readonly oidc: boolean
  /** Whether the provider signs the person in to the account that was chosen in this browser before. */
  readonly choix: boolean
  /** Why sign-in is impossible at this address; null: it is possible. */
  readonly phrase: string | null
}

const address = (call: string) => `${apiBase}/app/session/${call}`

/** @throws SignInRefused */
async function post<T>(call: string, body: unknown): Promise<T> {
  const response = await fetch(address(call), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Sav-Console': '1' },
    body: JSON.stringify(body),
  })
  return dataOf(response)
}

async function get<T>(call: string): Promise<T> {
  return dataOf(await fetch(address(call)))
}

async function dataOf<T>(response: Response): Promise<T> {
  if (!response.ok) throw new SignInRefused(response.status)
  return (await response.json()).data
}

export class SignInRefused extends Error {
  readonly status: number

  constructor(status: number) {
    super(`the service refused the sign-in with status ${status}`)
    this.name = 'SignInRefused'
    this.status = status
  }
}

export const readMethods = () => get<Methods>('methodes')

/** An account as a person sees it before the sign-in. */
export interface Account {
  readonly id: string
  readonly raison_sociale: string | null
}

export const oidcAddress = (): string => address('oidc')
/** The provider's sign-in address, ignoring an account chosen earlier. */
export const otherAccountAddress = (): string => address('oidc?choisir')

/** An account of the person whom the provider has verified. */
export interface Candidate {
  readonly utilisateur: { readonly id: string; readonly nom: string }
  readonly compte: Account
}

const choiceScreen = to('/connexion')

/** True while the person returning from the provider has to choose an account. */
export const isChoosing = signal(
  location.pathname === choiceScreen && new URLSearchParams(location.search).has('choix'),
)

export const readCandidates = () => get<Candidate[]>('oidc/choix')

export async function chooseAccount(utilisateur: string): Promise<void> {
  become(await post<SignedInUser>('oidc/choix', { utilisateur }))
  history.replaceState(null, '', to('/'))
  isChoosing.value = false
}

/** Shows the ways to sign in again, with the reason why no account was chosen. */
export function endChoice(reason: string): void {
  history.replaceState(null, '', `${choiceScreen}?erreur=${reason}`)
  isChoosing.value = false
}

/** The token of an opened link, until it was tried. */
export const invitation = signal<string | null>(null)

/** Removes the token from the address, so that it is neither in the history nor on the screen. */
export function takeInvitation(): void {
  const token = location.hash.slice(1)
  if (!token.startsWith('sav_inv_')) return
  history.replaceState(null, '', to('/'))
  invitation.value = token
}

/** The user whom a link is for. */
export interface Invitee {
  readonly utilisateur: { readonly nom: string }
  readonly compte: Account
}

/** Reads whom a link is for, without using it up. */
export const lookAtInvitation = (token: string) => post<Invitee>('invitation/apercu', { token })

/** Signs in by the link, which works once. */
export async function acceptInvitation(token: string): Promise<void> {
  become(await post<SignedInUser>('invitation', { token }))
  invitation.value = null
}

/** Accepts the link if no tab has a signed-in user; otherwise asks that user. */
export async function enterByInvitation(token: string): Promise<void> {
  await readSession()
  if (session.peek() === null) await acceptInvitation(token)
}

/** A sentence on why a link was refused. */
export const whyRefused = (error: unknown): string =>
  error instanceof SignInRefused ? words.value.signIn.usedUp : words.value.failures.unreachable

export async function signInWithPasskey(): Promise<void> {
  const optionsJSON = await post<Parameters<typeof startAuthentication>[0]['optionsJSON']>('passkey/options', {})
  const response = await startAuthentication({ optionsJSON })
  become(await post<SignedInUser>('passkey/verify', { response }))
}

/** @param nom the name by which its owner recognises the passkey */
export async function registerPasskey(nom: string): Promise<void> {
  const optionsJSON = await post<Parameters<typeof startRegistration>[0]['optionsJSON']>(
    'passkey/registration/options',
    {},
  )
  const response = await startRegistration({ optionsJSON })
  await post('passkey/registration/verify', { response, nom })
}
