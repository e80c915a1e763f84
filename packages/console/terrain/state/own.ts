import { batch, computed, effect, signal } from '@preact/signals'
import { Clock } from '../send/calls.js'
import type { Profile } from '../store/database.js'
import { OwnStore, onOwnChange } from '../store/own-store.js'
import { profiles } from '../store/profiles.js'
import { type Day, heldVisits, type Visit, visitsOf, withoutPast } from '../sync/day.js'
import { type Draft, emptyDraft, type PhotoRow, withPhoto } from '../sync/draft.js'
import { emptyOutbox, type Outbox } from '../sync/item.js'
import { withoutOld } from '../sync/outbox.js'

/** A user's profile, unlocked. */
export interface Own {
  readonly profile: Profile
  readonly store: OwnStore
}

/** The users with a profile on this phone; undefined: not read yet. */
export const people = signal<readonly Profile[] | undefined>(undefined)
/** The unlocked profile; null while the phone is locked. */
export const own = signal<Own | null>(null)
export const day = signal<Day | null>(null)
export const outbox = signal<Outbox>(emptyOutbox)
export const drafts = signal<ReadonlyMap<number, Draft>>(new Map())
export const photoRows = signal<ReadonlyMap<string, PhotoRow>>(new Map())

export const clock = new Clock(() => Date.now())

export const visits = computed<readonly Visit[]>(() => (day.value === null ? [] : visitsOf(day.value, outbox.value)))
export const visitOf = (id: number): Visit | undefined => visits.value.find((visit) => visit.id === id)
export const zone = computed(() => own.value?.profile.fuseau ?? 'Europe/Paris')

export async function readPeople(): Promise<void> {
  people.value = await profiles()
}

/** Unlocks a profile with its key, and shows its data. */
export async function open(profile: Profile, key: CryptoKey): Promise<void> {
  const store = new OwnStore(profile.id, key)
  const waiting = await store.changeOutbox((before) => withoutOld(before, Date.now()))
  const rows = new Map((await store.photos()).map((row) => [row.id, row]))
  const begun = await readDrafts(store, rows)
  const kept = await store.day()
  const still = kept && withoutPast(kept, Date.now(), heldVisits(waiting, begun.keys()))
  if (still !== kept) await store.write({ kind: 'day', id: '', value: still })
  clock.aheadMs = profile.aheadMs
  outbox.value = waiting
  drafts.value = begun
  photoRows.value = rows
  day.value = still
  own.value = { profile, store }
}

/**
 * The drafts, each with its photos on this phone. The app may have been locked, or may have ended, before a photo was
 * added to its stored draft.
 */
async function readDrafts(store: OwnStore, rows: ReadonlyMap<string, PhotoRow>): Promise<Map<number, Draft>> {
  const found = await store.drafts()
  const whole = new Map<number, Draft>()
  for (const id of new Set([...found.keys(), ...[...rows.values()].map(({ rdv_id }) => rdv_id)])) {
    const before = found.get(id) ?? emptyDraft
    const there = { ...before, photos: before.photos.filter((photo) => rows.has(photo.id)) }
    const draft = [...rows.values()].filter(({ rdv_id }) => rdv_id === id).reduce(withPhoto, there)
    whole.set(id, draft)
    // If the changed draft does not fit into the storage, it is shown anyway.
    if (JSON.stringify(draft) !== JSON.stringify(before))
      await store.write({ kind: 'draft', id: String(id), value: draft }).catch(() => {})
  }
  return whole
}

/** Locks the profile: all its data is removed from this page. */
export function close(): void {
  own.value = null
  day.value = null
  outbox.value = emptyOutbox
  drafts.value = new Map()
  photoRows.value = new Map()
  void readPeople()
}

/** Changes the outbox on the phone and in this page, so that the next screen already shows the change. */
export async function changeOutbox(here: Own, ...change: Parameters<OwnStore['changeOutbox']>): Promise<void> {
  const changed = await here.store.changeOutbox(...change)
  if (own.peek() === here) outbox.value = changed
}

/** Changes the day on the phone and in this page. */
export async function changeDay(here: Own, change: Parameters<OwnStore['changeDay']>[0]): Promise<void> {
  const changed = await here.store.changeDay(change)
  if (own.peek() === here) day.value = changed
}

// Reads the outbox and the day again when the worker or another tab has changed them.
effect(() => {
  const here = own.value
  if (here === null) return
  return onOwnChange(async (profile) => {
    if (profile !== here.profile.id) return
    const isWiped = (await profiles()).every(({ id }) => id !== profile)
    if (isWiped && own.peek() === here) close()
    const waiting = await here.store.outbox()
    const kept = await here.store.day()
    if (own.peek() !== here) return
    batch(() => {
      outbox.value = waiting
      day.value = kept
    })
  })
})
