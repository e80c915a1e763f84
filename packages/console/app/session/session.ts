import { signal } from '@preact/signals'
import { refusedSessions, type WhoCalls } from '../api/client.js'
import { forgetAnswers } from '../api/read.js'

/** Who is signed in: a person, never a key. */
export interface Session extends WhoCalls {
  readonly utilisateur: NonNullable<WhoCalls['utilisateur']>
}

/** Undefined: not asked yet; null: nobody. */
export const session = signal<Session | null | undefined>(undefined)
/** True when somebody was signed in until a moment ago. */
export const hasEnded = signal(false)

/** Rejects where the service does not answer. */
export async function readSession(): Promise<void> {
  const response = await fetch('/api/v1/session', { headers: { 'X-Sav-Console': '1' } })
  become(response.ok ? (await response.json()).data : null)
}

/** From now on the page is of this person. */
export function become(found: Session | null): void {
  if (found?.utilisateur.id !== session.peek()?.utilisateur.id) forgetAnswers()
  if (found) hasEnded.value = false
  session.value = found
}

/** Whose what is kept on this device is: nobody else is shown it, in whichever account. */
export function personHere(): string {
  const here = session.peek()
  return `${here?.compte.id}/${here?.utilisateur.id}`
}

/** Whether the role allows it: what it does not is not offered. */
export const may = (permission: string): boolean =>
  session.value?.permissions.some((held) => held === permission || held === 'admin') ?? false

refusedSessions.subscribe((count) => {
  if (count === 0 || !session.peek()) return
  hasEnded.value = true
  session.value = null
})
