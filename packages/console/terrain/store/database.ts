import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { LockRecord } from '../sync/lock.js'
import type { Lock } from '../vault/keys.js'
import type { SealedRow } from '../vault/sealed.js'

/** Somebody's part of this phone, as far as it is known before it is unlocked. */
export interface Profile extends LockRecord {
  /** The id of the user: `usr_…`. */
  readonly id: string
  readonly nom: string
  readonly compte: string
  readonly fuseau: string
  readonly lock: Lock
  /** How many facts the service does not have yet. */
  readonly unsent: number
  /** By how much this phone's clock is ahead of the service's, in milliseconds. */
  readonly aheadMs: number
}

/** `day`, `outbox`: one each. `draft`, `ink`: by visit. `photo`, `raw`: by photo. `file`, `thumb`: by SHA-256. */
export type Kind = 'day' | 'outbox' | 'draft' | 'ink' | 'photo' | 'raw' | 'file' | 'thumb'
export type RowKey = [profile: string, kind: Kind, id: string]

interface Tables extends DBSchema {
  profiles: { key: string; value: Profile }
  sealed: { key: RowKey; value: SealedRow }
}

/** Tells the other tabs, and the page of its worker, whose part of this phone has changed. */
export const ownChanges = new BroadcastChannel('sav-terrain-outbox')

let opening: Promise<IDBPDatabase<Tables>> | undefined

export function opened(): Promise<IDBPDatabase<Tables>> {
  opening ??= openDB<Tables>('sav-terrain', 1, {
    upgrade(database) {
      database.createObjectStore('profiles', { keyPath: 'id' })
      database.createObjectStore('sealed')
    },
    // A newer page waits for this one.
    blocking(_current, _next, event) {
      opening = undefined
      if (event.target instanceof IDBDatabase) event.target.close()
    },
    terminated() {
      opening = undefined
    },
  })
  return opening
}

/** Everything of a profile, or of a kind of its rows. */
export const rowsOf = (profile: string, ...kind: Kind[]) =>
  IDBKeyRange.bound([profile, ...kind], [profile, ...kind, []])
