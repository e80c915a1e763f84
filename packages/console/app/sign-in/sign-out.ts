import { apiBase } from '../api/base.js'
import { serverNow } from '../api/client.js'
import { forgetAnswers } from '../api/read.js'
import { personHere, session } from '../session/session.js'
import { forgetWayBack } from '../session/way-back.js'

/** The tabs of a browser share a session, and its end. */
const tabs = new BroadcastChannel('sav-sign-out')
tabs.onmessage = leave

export async function signOut(): Promise<void> {
  const person = personHere()
  await fetch(`${apiBase}/api/v1/session`, {
    method: 'DELETE',
    headers: { 'X-Sav-Console': '1', 'X-Request-Timestamp': String(Math.floor(serverNow() / 1000)) },
  })
  tabs.postMessage(null)
  await forgetDrafts(person)
  leave()
}

/** Nothing that somebody saw or typed stays in this tab. */
function leave(): void {
  sessionStorage.clear()
  forgetWayBack()
  forgetAnswers()
  session.value = null
}

/** What reads drafts is loaded with the forms that have some. Where it cannot be, those of everybody here go. */
async function forgetDrafts(person: string): Promise<void> {
  try {
    const drafts = await import('../cases/drafts.js')
    await drafts.forgetDraftsOf(person)
  } catch {
    indexedDB.deleteDatabase('sav-drafts')
  }
}
