import { signal } from '@preact/signals'
import { apiBase } from '../api/base.js'
import { refusedSessions, type WhoCalls } from '../api/client.js'
import { forgetAnswers } from '../api/read.js'
import { goBack, keepWayBack } from './way-back.js'

type Person = NonNullable<WhoCalls['utilisateur']>

/** The signed-in user, never a key. For a user of the host, only the name is known. */
export interface SignedInUser extends Omit<WhoCalls, 'utilisateur'> {
  readonly utilisateur: Pick<Person, 'id' | 'nom'> & Partial<Pick<Person, 'email' | 'passkeys'>>
}

/** The signed-in user. Undefined: not read yet; null: nobody is signed in. */
export const session = signal<SignedInUser | null | undefined>(undefined)
/** True when a user was signed in until a moment ago. */
export const hasEnded = signal(false)

/** Reads who is signed in. Rejects if the service does not answer. */
export async function readSession(): Promise<void> {
  const response = await fetch(`${apiBase}/api/v1/session`, { headers: { 'X-Sav-Console': '1' } })
  const who: WhoCalls | null = response.ok ? (await response.json()).data : null
  const utilisateur = who?.utilisateur ?? who?.hote
  become(who !== null && utilisateur ? { ...who, utilisateur } : null)
}

/** Sets the signed-in user of this page; null: nobody is signed in. */
export function become(found: SignedInUser | null): void {
  if (found?.utilisateur.id !== session.peek()?.utilisateur.id) forgetAnswers()
  if (found) {
    hasEnded.value = false
    goBack(keyOf(found))
  }
  session.value = found
}

const keyOf = ({ compte, utilisateur }: SignedInUser) => `${compte.id}/${utilisateur.id}`

/**
 * The key under which this device stores data of the signed-in user. It contains the user and the account, so that
 * nobody else gets the data.
 */
export function personHere(): string {
  const here = session.peek()
  return here ? keyOf(here) : ''
}

/** Whether the service has a feature; screens of missing features are hidden. */
export const has = (feature: string): boolean => session.value?.fonctions.includes(feature) ?? false

/** Whether this service has the feature of the permission. */
const isThere = (permission: string): boolean =>
  (!permission.startsWith('planning:') || has('planning')) && (permission !== 'terrain' || has('field'))

/** Whether the user's role has a permission, and the service has its feature. */
export const may = (permission: string): boolean =>
  isThere(permission) && (session.value?.permissions.some((held) => held === permission || held === 'admin') ?? false)

/**
 * Whether the role only allows the user's own visits: these users belong in the installers' app, and have no part of
 * the office.
 */
export const isOfField = (): boolean => {
  const here = session.value
  return here != null && !here.hote && here.permissions.every((held) => held === 'terrain')
}

let isLeaving = false

/** Marks that a sign-out has begun or ended. During it, refused calls do not count as an expired session. */
export function leaving(isSo: boolean): void {
  isLeaving = isSo
}

refusedSessions.subscribe((count) => {
  if (count === 0 || isLeaving || !session.peek()) return
  keepWayBack(personHere())
  hasEnded.value = true
  session.value = null
})
