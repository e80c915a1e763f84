import type { OpenedStorage } from '../storage/opened-storage.js'
import { parsed } from '../tables/rows.js'

/** The source or the target of a copy. */
export interface Store {
  readonly kind: 'sqlite' | 'postgres'
  readonly storage: OpenedStorage
  /** Its name for messages, without a password. An interrupted copy is recognised by its source's name. */
  readonly name: string
  /** `storage.db` reads as of one moment, so the store may be in use. */
  readonly isSnapshot?: true
  /** The source exists only for this one copy, so an interrupted copy begins again instead of being continued. */
  readonly isTemporary?: true
}

/** Why a copy is refused. `store` names the store that is the cause. */
export type CopyRefusal =
  /** A service or a worker uses it, or did so a moment ago. */
  | { readonly reason: 'in_use'; readonly store: string }
  | { readonly reason: 'pending_migrations'; readonly store: string; readonly pending: readonly string[] }
  /** A later release has added these columns to it. */
  | { readonly reason: 'newer_schema'; readonly store: string; readonly columns: readonly string[] }
  /** It was opened without these features: rows of their tables would be missing. */
  | { readonly reason: 'feature_not_opened'; readonly store: string; readonly features: readonly string[] }
  /** It is the target of an unfinished copy. `of` names the source of that copy, if it differs from this copy's. */
  | { readonly reason: 'unfinished_copy'; readonly store: string; readonly of: string | null }
  | { readonly reason: 'not_empty'; readonly store: string; readonly table: string }
  /** Something wrote to the source or the target during the copy. */
  | {
      readonly reason: 'copy_differs'
      readonly store: string
      readonly table: string
      readonly source: { readonly name: string; readonly rows: number }
      readonly rows: number
    }

/** The copy was not begun, or must not be used; the message says why. */
export class CopyRefusedError extends Error {
  override readonly name = 'CopyRefusedError'
  readonly refusal: CopyRefusal

  constructor(refusal: CopyRefusal) {
    super(`The store ${refusal.store} cannot be copied as it is: ${refusal.reason}.`)
    this.refusal = refusal
  }
}

/** Values of a primary key: text and numbers, which sort alike in both databases. */
export type Key = readonly (string | number)[]

/** The target's note about an unfinished copy. */
export const copyFact = 'copy_under_way'

export interface CopyNote {
  /** The name of the source. */
  readonly from: string
  readonly isTemporary?: true
  /** The table that is being copied, and the key of the last copied row; null: no row yet. */
  readonly table: string
  readonly after: Key | null
}

export function readNote(fact: string | null): CopyNote | null {
  return fact === null ? null : parsed<CopyNote>(fact)
}

export const writeNote = (note: CopyNote): string => JSON.stringify(note)
