import { parsed } from '../tables/rows.js'

/** Values of a primary key: text and numbers, which sort alike in both databases. */
export type Key = readonly (string | number)[]

/** The target's own note of a copy that is under way; gone when it is whole. */
export const copyFact = 'copy_under_way'

export interface CopyNote {
  /** Name of the store that is copied. */
  readonly from: string
  readonly isTemporary?: true
  /** The table that is being copied, and the key of the last row that is there; null: none of it. */
  readonly table: string
  readonly after: Key | null
}

export function readNote(fact: string | null): CopyNote | null {
  return fact === null ? null : parsed<CopyNote>(fact)
}

export const writeNote = (note: CopyNote): string => JSON.stringify(note)
