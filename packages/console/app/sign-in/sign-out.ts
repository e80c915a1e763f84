import { apiBase } from '../api/base.js'
import { serverNow } from '../api/client.js'
import { forgetAnswers } from '../api/read.js'
import { leaving, personHere, session } from '../session/session.js'
import { forgetWayBack } from '../session/way-back.js'

/** Notifies the browser's other tabs of a sign-out, because they share the session. */
const tabs = new BroadcastChannel('sav-sign-out')
tabs.onmessage = ({ data }) => (data === 'left' ? leave() : leaving(data === 'leaving'))

export async function signOut(): Promise<void> {
  const person = personHere()
  tell('leaving')
  try {
    await fetch(`${apiBase}/api/v1/session`, {
      method: 'DELETE',
      headers: { 'X-Sav-Console': '1', 'X-Request-Timestamp': String(Math.floor(serverNow() / 1000)) },
      // Sends the request even if the tab is closed at once.
      keepalive: true,
    })
  } catch (error) {
    tell('stays')
    throw error
  }
  tabs.postMessage('left')
  await forgetDrafts(person)
  leave()
}

function tell(what: 'leaving' | 'stays'): void {
  leaving(what === 'leaving')
  tabs.postMessage(what)
}

/** Forgets what the user has seen and typed in this tab. */
function leave(): void {
  sessionStorage.clear()
  forgetWayBack()
  forgetAnswers()
  session.value = null
  leaving(false)
}

/**
 * Deletes the user's drafts. The code for that is loaded only now; if that fails, the drafts of all users of this
 * browser are deleted.
 */
async function forgetDrafts(person: string): Promise<void> {
  try {
    const drafts = await import('../cases/drafts.js')
    await drafts.forgetDraftsOf(person)
  } catch {
    indexedDB.deleteDatabase('sav-drafts')
  }
}
