import { signal } from '@preact/signals'
import type { ToWorker } from '../worker/messages.js'
import { to } from './address.js'

/** A newer version that is stored and waits until the user agrees, so that no page changes during use. */
export const nextVersion = signal<ServiceWorker | null>(null)

let isAsked = false

export async function keepShell(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const registration = await navigator.serviceWorker.register(to('/sw.js'), { scope: to(), updateViaCache: 'none' })
  const look = () => {
    // The first worker replaces no other, so it is not a new version. Safari briefly reports it as waiting although it
    // already controls the page.
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
  // Repeated: a browser under load loses messages, and can forget a worker that waits for the previous one to end.
  nextVersion.value?.postMessage({ is: 'update' } satisfies ToWorker)
  setTimeout(update, askAgainMs)
}
