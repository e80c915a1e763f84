import { signal } from '@preact/signals'
import type { ToWorker } from '../worker/messages.js'
import { to } from './address.js'

/** A newer version is stored, and waits for the user's consent: no page changes under a finger. */
export const nextVersion = signal<ServiceWorker | null>(null)

let isAsked = false

export async function keepShell(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const registration = await navigator.serviceWorker.register(to('/sw.js'), { scope: to(), updateViaCache: 'none' })
  const look = () => {
    // The first one has no page to take over. Safari lets it wait for a moment beside the page that it controls.
    nextVersion.value = navigator.serviceWorker.controller && registration.waiting
  }
  const follow = (worker: ServiceWorker | null) => worker?.addEventListener('statechange', look)
  look()
  follow(registration.installing)
  follow(registration.waiting)
  registration.addEventListener('updatefound', () => follow(registration.installing))
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (isAsked) location.reload()
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void registration.update().catch(() => {})
  })
}

const askAgainMs = 1000

/** Loads the page again with the waiting version. Everything typed is already stored. */
export function update(): void {
  isAsked = true
  // A browser under load loses messages, and forgets a worker that waits for the previous one.
  nextVersion.value?.postMessage({ is: 'update' } satisfies ToWorker)
  setTimeout(update, askAgainMs)
}
