import { effect, signal } from '@preact/signals'
import { ownKept } from '../send/own-kept.js'
import { type KeptAnswer, type SendResult, send } from '../send/sender.js'
import { unsentCount } from '../sync/item.js'
import { hurried } from '../sync/outbox.js'
import { sendingLock, syncTag, type ToWorker } from '../worker/messages.js'
import { ended, line, reach } from './contact.js'
import { forgetDraft } from './drafting.js'
import { changeOutbox, clock, outbox, own } from './own.js'

export const isSending = signal(false)

let timer: ReturnType<typeof setTimeout> | undefined
let isAskedAgain = false
let isHeld = false

/** Sends what is due. Only one page or worker sends at a time. */
export async function sendSoon(): Promise<void> {
  clearTimeout(timer)
  const here = own.peek()
  if (here === null) return
  if (isSending.peek()) {
    isAskedAgain = true
    return
  }
  isSending.value = true
  isAskedAgain = false
  const store = ownKept(here.profile.id, here.store.key)
  const isStopped = () => own.peek() !== here || isHeld
  const result = await navigator.locks
    .request(sendingLock, () => send({ store, line, clock, person: here.profile.id, onAnswer: hear, isStopped }))
    .catch((): SendResult => ({ is: 'unreachable' }))
  isSending.value = false
  if (own.peek() === here) await become(here.profile.id, result)
  // If sending was requested meanwhile, also by another user who has unlocked the phone, it starts again.
  if (isAskedAgain) await sendSoon()
}

const retryMs = 30_000

async function become(person: string, result: SendResult): Promise<void> {
  if (result.is === 'ended') return ended(person)
  if (result.is === 'signed-out' || result.is === 'other-person') reach.value = result.is
  if (result.is === 'unreachable') reach.value = 'offline'
  if (result.is === 'waiting') timer = setTimeout(sendSoon, Math.max(0, result.until - Date.now()))
  if (result.is === 'unreachable') timer = setTimeout(sendSoon, retryMs)
}

function hear({ erased }: KeptAnswer): void {
  if (reach.peek() === 'offline') reach.value = 'ready'
  for (const id of erased) forgetDraft(id)
}

/**
 * Sends everything now, without waiting for the next attempts. Called when the network is back or the user asks for it.
 */
export async function sendNow(): Promise<void> {
  const here = own.peek()
  if (here === null) return
  await changeOutbox(here, hurried)
  await sendSoon()
}

/** Does work, such as a sign-in, during which nothing is sent: it could be sent as the wrong user. */
export async function whileNothingIsSent<T>(work: () => Promise<T>): Promise<T> {
  isHeld = true
  try {
    return await navigator.locks.request(sendingLock, work)
  } finally {
    isHeld = false
    void sendSoon()
  }
}

interface SyncRegistration extends ServiceWorkerRegistration {
  readonly sync: { register(tag: string): Promise<void> }
}
const maySync = (registration: ServiceWorkerRegistration): registration is SyncRegistration => 'sync' in registration

async function tellWorker(message: ToWorker): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator)) return null
  const registration = await navigator.serviceWorker.ready
  registration.active?.postMessage(message)
  return registration
}

/** Lets the worker continue when this page ends, in browsers that support this (Safari does not). */
async function handOver(): Promise<void> {
  const here = own.peek()
  if (here === null) return
  const registration = await tellWorker({ is: 'key', profile: here.profile.id, key: here.store.key })
  if (registration !== null && maySync(registration)) await registration.sync.register(syncTag).catch(() => {})
}

/** Sends while the app is open, and hands over to the worker when it is left. */
export function keepSending(): void {
  const comeBack = () => {
    if (document.visibilityState === 'visible') void sendNow()
    else if (unsentCount(outbox.peek()) > 0) void handOver()
  }
  document.addEventListener('visibilitychange', comeBack)
  addEventListener('online', () => void sendNow())
  let before: string | null = null
  own.subscribe((here) => {
    clearTimeout(timer)
    const profile = here?.profile.id ?? null
    if (before !== null && profile !== before) void tellWorker({ is: 'forget', profile: before })
    before = profile
    if (here !== null) void sendNow()
  })
  // Sends again when the service becomes reachable.
  effect(() => {
    if (reach.value === 'ready') void sendSoon()
  })
}
