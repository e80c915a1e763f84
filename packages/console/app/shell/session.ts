import { signal } from '@preact/signals'
import { refusedSessions, serverNow, type WhoCalls } from '../api/client.js'
import { forgetAnswers } from '../api/read.js'

/** Who is signed in: a person, never a key. */
export interface Session extends WhoCalls {
  readonly utilisateur: NonNullable<WhoCalls['utilisateur']>
}

/** Undefined: not asked yet; null: nobody. */
export const session = signal<Session | null | undefined>(undefined)
/** True when somebody was signed in until a moment ago. */
export const hasEnded = signal(false)

const headers = { 'X-Sav-Console': '1' }

/** Rejects where the service does not answer. */
export async function readSession(): Promise<void> {
  const response = await fetch('/api/v1/session', { headers })
  become(response.ok ? (await response.json()).data : null)
}

/** From now on the page is of this person. */
export function become(found: Session | null): void {
  if (found?.utilisateur.id !== session.peek()?.utilisateur.id) forgetAnswers()
  if (found) hasEnded.value = false
  session.value = found
}

export async function signOut(): Promise<void> {
  await fetch('/api/v1/session', {
    method: 'DELETE',
    headers: { ...headers, 'X-Request-Timestamp': String(Math.floor(serverNow() / 1000)) },
  })
  become(null)
}

/** Whether the role allows it: what it does not is not offered. */
export const may = (permission: string): boolean =>
  session.value?.permissions.some((held) => held === permission || held === 'admin') ?? false

refusedSessions.subscribe((count) => {
  if (count === 0 || !session.peek()) return
  hasEnded.value = true
  session.value = null
})
