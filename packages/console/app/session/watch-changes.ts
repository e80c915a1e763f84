import type { ReadonlySignal } from '@preact/signals'
import { apiBase } from '../api/base.js'
import { changed } from '../api/changes.js'
import { words } from '../words/words.js'

/** How old the shown data may be without a stream of events; and with one, for data without events. */
const pollMs = 20_000
const pollBesideEventsMs = 120_000
/** Events of one burst are one change. */
const burstMs = 200
/** When a stream that ended is tried again: one that was refused later each time. */
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

/** Also for several events at once, and passed on to the other tabs of this browser. */
function heard(): void {
  clearTimeout(burst)
  burst = setTimeout(() => isSeen() && readAnew(), burstMs)
}

/**
 * Looks again when the service says that something happened, from time to time if it cannot, and at once when somebody
 * comes back to the page. Of all tabs of a browser one listens, and tells the others.
 * @param who is signed in, if anybody is
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
  // Browsers have locks on https and localhost only; elsewhere sign-in is impossible anyway.
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

/** Resolves as soon as somebody is signed in. */
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
 * Resolves when the service has ended the stream for good: the session is over, there are too many streams, or a proxy
 * answers in its place while it starts again.
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
