import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { LockRecord } from '../sync/lock.js'
import type { Lock } from '../vault/keys.js'
import type { SealedRow } from '../vault/sealed.js'

/** The part of a profile that can be read before it is unlocked. */
export interface Profile extends LockRecord {
  /** The id of the user: `usr_…`. */
  readonly id: string
  readonly nom: string
  readonly compte: string
  readonly fuseau: string
  readonly lock: Lock
  /** The number of reports that the service does not have yet. */
  readonly unsent: number
  /** How far this phone's clock is ahead of the service's, in milliseconds. */
  readonly aheadMs: number
}

/**
 * The kinds of rows. A profile has one `day` and one `outbox`. Keys: the visit for `draft` and `ink`, the photo for
 * `photo` and `raw`, the SHA-256 for `file` and `thumb`.
 */
export type Kind = 'day' | 'outbox' | 'draft' | 'ink' | 'photo' | 'raw' | 'file' | 'thumb'
export type RowKey = [profile: string, kind: Kind, id: string]

interface Tables extends DBSchema {
  profiles: { key: string; value: Profile }
  sealed: { key: RowKey; value: SealedRow }
}

/** A page or the worker posts the id of a profile here after it has changed the profile's data. */
export const ownChanges = new BroadcastChannel('sav-terrain-outbox')

let opening: Promise<IDBPDatabase<Tables>> | undefined

export function opened(): Promise<IDBPDatabase<Tables>> {
  opening ??= openDB<Tables>('sav-terrain', 1, {
    upgrade(database) {
      database.createObjectStore('profiles', { keyPath: 'id' })
      database.createObjectStore('sealed')
    },
    // A page with a newer version of the database waits until this one closes its connection.
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

/** All rows of a profile, or of one kind. */
export const rowsOf = (profile: string, ...kind: Kind[]) =>
  IDBKeyRange.bound([profile, ...kind], [profile, ...kind, []])
