import { signal } from '@preact/signals'
import type { SessionView } from '../api.js'
import type { Profile } from '../store/database.js'
import { addProfile, countTry, rightCode, wipe } from '../store/profiles.js'
import { afterWrongCode, isLockedAfter, needsContact } from '../sync/lock.js'
import { type CodeLock, lockByPin, type NewLock, openByPin, type PasskeyLock } from '../vault/keys.js'
import { lockByPasskey, openByPasskey } from '../vault/passkey.js'
import { words } from '../words/words.js'
import { whoIsThere } from './contact.js'
import { writeDrafts } from './drafting.js'
import { sayTrouble } from './notices.js'
import { clock, close, open, own, readPeople } from './own.js'

/** The user whose code is asked for; null: the phone first asks who the user is. */
export const chosen = signal<string | null>(null)

export async function lock(): Promise<void> {
  await writeDrafts()
  close()
}

let lastTouch = Date.now()

/** Locks 5 minutes after the last touch, whether the app is visible or not. */
export function keepLocked(): void {
  const touch = () => {
    if (own.peek() === null || !isLockedAfter(lastTouch, Date.now())) lastTouch = Date.now()
  }
  const look = () => {
    if (own.peek() !== null && isLockedAfter(lastTouch, Date.now())) void lock()
  }
  for (const kind of ['pointerdown', 'keydown', 'input'])
    addEventListener(kind, touch, { capture: true, passive: true })
  document.addEventListener('visibilitychange', look)
  addEventListener('pageshow', look)
  setInterval(look, 5_000)
}

export type UnlockResult = 'open' | 'wrong' | 'last' | 'wiped' | 'needs-contact' | 'gone'

const isStale = (profile: Profile) => needsContact(profile, Date.now())

/** Unlocks a user's profile by a code. The try is counted before the code is checked. */
export async function tryCode(profile: Profile, pin: string): Promise<UnlockResult> {
  if (isStale(profile)) return 'needs-contact'
  if (profile.lock.is !== 'code') return 'wrong'
  const counted = await countTry(profile.id)
  if (counted === null) return 'gone'
  const key = await openByPin(profile.lock, pin)
  if (key !== null) return opening(profile, key)
  const then = afterWrongCode(counted)
  if (then === 'wipe') {
    await wipe(profile.id)
    await readPeople()
    return 'wiped'
  }
  await readPeople()
  return then === 'last' ? 'last' : 'wrong'
}

/** Unlocks a user's profile by their passkey. @throws DOMException when the user declines */
export async function tryPasskey(profile: Profile): Promise<UnlockResult> {
  if (isStale(profile)) return 'needs-contact'
  const key = profile.lock.is === 'passkey' ? await openByPasskey(profile.lock) : null
  return key === null ? 'wrong' : opening(profile, key)
}

async function opening(profile: Profile, key: CryptoKey): Promise<UnlockResult> {
  const right = await rightCode(profile.id, Date.now())
  if (right === null) return 'gone'
  lastTouch = Date.now()
  await open(right, key)
  return 'open'
}

/** Asks the service for the signed-in user, so that a stale profile may open. Resolves to whether it is this user. */
export async function contactAgain({ id }: Profile): Promise<boolean> {
  const who = await whoIsThere()
  await readPeople()
  return who?.utilisateur?.id === id
}

export const setUpByCode = async (who: SessionView, pin: string) => setUp(who, await lockByPin(pin))

/** Creates the user's profile, with a lock by a passkey. Resolves to false if the passkey cannot store a key. */
export async function setUpByPasskey(who: SessionView): Promise<boolean> {
  const made = await lockByPasskey()
  if (made === null) return false
  await setUp(who, made)
  return true
}

async function setUp(
  { utilisateur, compte }: SessionView,
  { lock, key }: NewLock<CodeLock | PasskeyLock>,
): Promise<void> {
  if (utilisateur === null) return
  const now = Date.now()
  const profile: Profile = {
    id: utilisateur.id,
    nom: utilisateur.nom,
    compte: compte.raison_sociale ?? compte.id,
    fuseau: compte.fuseau,
    lock,
    unsent: 0,
    aheadMs: clock.aheadMs,
    wrongCodes: 0,
    lastContact: now,
    lastSeen: now,
  }
  if (!(await addProfile(profile))) {
    sayTrouble(words.value.setup.elsewhere)
    chosen.value = profile.id
    return readPeople()
  }
  lastTouch = now
  await open(profile, key)
  await readPeople()
  // Asks for persistent storage: otherwise a browser that runs out of space may delete all data. Firefox asks the user,
  // who may never answer.
  void navigator.storage?.persist?.().catch(() => false)
}
