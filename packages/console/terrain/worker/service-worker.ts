/// <reference lib="webworker" />
import { Clock } from '../send/calls.js'
import { ownKept } from '../send/own-kept.js'
import { send } from '../send/sender.js'
import { profiles, wipe } from '../store/profiles.js'
import { sendingLock, syncTag, type ToWorker } from './messages.js'

declare const self: ServiceWorkerGlobalScope
/** Every file of the app by its relative address, with a revision; null if the name already identifies the content. */
declare const __SHELL__: readonly { readonly url: string; readonly revision: string | null }[]
/** Different for each build. */
declare const __VERSION__: string

const addressOf = (url: string) => new URL(url, self.location.href).href
const shell = new Map(__SHELL__.map(({ url, revision }) => [addressOf(url), revision]))
const page = addressOf('./')
const prefix = 'sav-terrain-'
const cacheName = prefix + __VERSION__

// Stores every screen at the first start. Without a network, the app is then complete or absent.
self.addEventListener('install', (event) => event.waitUntil(keepShell()))

async function keepShell(): Promise<void> {
  const cache = await caches.open(cacheName)
  await Promise.all(
    [...shell].map(async ([address, revision]) => {
      const known = revision === null ? await caches.match(address) : undefined
      // A file with a hash in its name comes from the HTTP cache: the page has just loaded it.
      const response = known ?? (await fetch(address, { cache: revision === null ? 'default' : 'reload' }))
      if (!response.ok) throw new Error(`${address} answered ${response.status}`)
      await cache.put(address, response)
    }),
  )
}

// Takes control of the page that installed this worker, so that this page also works offline and can hand its reports
// over.
self.addEventListener('activate', (event) => event.waitUntil(forgetEarlier().then(() => self.clients.claim())))

async function forgetEarlier(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName)
  await Promise.all(names.map((name) => caches.delete(name)))
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const address = request.mode === 'navigate' ? page : request.url
  if (request.method === 'GET' && shell.has(address)) event.respondWith(kept(address))
})

async function kept(address: string): Promise<Response> {
  const cache = await caches.open(cacheName)
  return (await cache.match(address, { ignoreVary: true })) ?? fetch(address)
}

/** The keys of the users whose reports this worker may send. They are only in memory, and are lost when it ends. */
const keys = new Map<string, CryptoKey>()

self.addEventListener('message', ({ data }: { readonly data: ToWorker }) => {
  // A page sends this only with the consent of its user, so that no page changes during use.
  if (data.is === 'update') void self.skipWaiting()
  if (data.is === 'key') keys.set(data.profile, data.key)
  if (data.is === 'forget') keys.delete(data.profile)
})

interface SyncEvent extends ExtendableEvent {
  readonly tag: string
}

self.addEventListener('sync', (event) => {
  const sync = event as SyncEvent
  if (sync.tag === syncTag) sync.waitUntil(sendAll())
})

/**
 * Sends the reports of each user who has unlocked this phone since the worker started. Rejects if the browser should
 * try again.
 */
async function sendAll(): Promise<void> {
  for (const profile of await profiles()) {
    const key = keys.get(profile.id)
    if (key === undefined || profile.unsent === 0) continue
    const ended = await navigator.locks.request(sendingLock, () =>
      send({
        store: ownKept(profile.id, key),
        line: { fetch: (path, init) => fetch(path, init), now: () => Date.now() },
        clock: new Clock(() => Date.now(), profile.aheadMs),
        person: profile.id,
        onAnswer: () => {},
        isStopped: () => !keys.has(profile.id),
      }),
    )
    if (ended.is === 'ended') await wipe(profile.id)
    if (ended.is === 'done') keys.delete(profile.id)
    if (ended.is === 'waiting' || ended.is === 'unreachable') throw new Error('some reports are not sent yet')
  }
}
