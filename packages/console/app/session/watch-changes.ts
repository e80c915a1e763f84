import type { ReadonlySignal } from '@preact/signals'
import { apiBase } from '../api/base.js'
import { changed } from '../api/changes.js'
import { words } from '../words/words.js'

/** The maximum age of the shown data without a stream of events, and with one (for data that has no events). */
const pollMs = 20_000
const pollBesideEventsMs = 120_000
/** Events that arrive within this time count as one change. */
const burstMs = 200
/** The delay before an ended stream is tried again. It grows after each refusal. */
const firstRetryMs = 2_000
const maxRetryMs = 60_000

let readAt = Date.now()
let isLive = false
let burst: ReturnType<typeof setTimeout> | undefined

const isSeen = () => document.visibilityState === 'visible'

function readAnew(): void {
  readAt = Date.now()
  changed()
}

/** Handles several events as one change, and notifies the browser's other tabs. */
function heard(): void {
  clearTimeout(burst)
  burst = setTimeout(() => isSeen() && readAnew(), burstMs)
}

/**
 * Makes the screens read their data again: on an event of the service, periodically if there is no stream of events,
 * and when the user comes back to the page. One tab of a browser listens, and notifies the others.
 * @param who the signed-in user, if any
 */
export function watchChanges(who: ReadonlySignal<unknown>): void {
  setInterval(() => {
    if (isSeen() && Date.now() - readAt >= (isLive ? pollBesideEventsMs : pollMs)) readAnew()
  }, pollMs)
  document.addEventListener('visibilitychange', () => isSeen() && readAnew())
  addEventListener('online', readAnew)

  const tabs = new BroadcastChannel('sav-live')
  tabs.onmessage = () => {
    isLive = true
    heard()
  }
  // Browsers have locks only on https and localhost; elsewhere sign-in is impossible anyway.
  void navigator.locks?.request('sav-live', async () => {
    let retryMs = firstRetryMs
    for (;;) {
      await somebody(who)
      const end = await listened(() => {
        heard()
        tabs.postMessage(null)
      })
      retryMs = { lost: firstRetryMs, refused: Math.min(maxRetryMs, retryMs * 2), replaced: maxRetryMs }[end]
      isLive = false
      if (who.value) await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  })
}

/** Resolves as soon as a user is signed in. */
function somebody(who: ReadonlySignal<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const stop = who.subscribe((person) => {
      if (!person) return
      resolve()
      queueMicrotask(() => stop())
    })
  })
}

/**
 * Resolves when the service has ended the stream permanently: the session is over, there are too many streams, or a
 * proxy answers instead during a restart.
 */
function listened(tell: () => void): Promise<'lost' | 'refused' | 'replaced'> {
  return new Promise((resolve) => {
    const events = new EventSource(`${apiBase}/api/v1/evenements`)
    let wasOpen = false
    const end = (how: 'lost' | 'refused' | 'replaced') => {
      events.close()
      resolve(how)
    }
    for (const kind of [...Object.keys(words.peek().webhooks.kinds), 'reset']) events.addEventListener(kind, tell)
    events.addEventListener('replaced', () => end('replaced'))
    events.onopen = () => {
      isLive = true
      wasOpen = true
    }
    events.onerror = () => {
      isLive = false
      if (events.readyState === EventSource.CLOSED) end(wasOpen ? 'lost' : 'refused')
    }
  })
}
