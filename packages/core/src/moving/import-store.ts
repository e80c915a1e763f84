import type { Closing, NewCase } from '../cases/case.js'
import type { Statut } from '../values/vocabulary.js'

/** What a row of an import is about. */
export const importTypes = ['clients', 'poseurs', 'cases', 'visits'] as const
export type ImportType = (typeof importTypes)[number]

/** What became of a row that was imported, so that the same row is known again. */
export interface ImportedRow {
  readonly type: ImportType
  /** SHA-256 of what identifies the row: its external id, else all of it. */
  readonly cle: string
  /** Of the client, the poseur, the case or the appointment. */
  readonly id: number
  /** SHA-256 of what the row said; null: whom it was about was erased since. */
  readonly empreinte: string | null
}

/** A case as another system knew it: closed perhaps, and with its number there. */
export interface ImportedCase extends NewCase {
  readonly statut: Statut
  readonly poseur_id: number | null
  readonly reference_origine: string | null
  readonly notes_internes: string | null
  /** Null unless it is closed. */
  readonly closing: Closing | null
  readonly date_modification: string
}

/** The rows that were imported. */
export interface ImportReads {
  /** Those of the keys that were imported before. */
  known(account_id: string, type: ImportType, cles: readonly string[]): Promise<ImportedRow[]>
  /** Of the cases with this number in the system that they came from, the one with the lowest id. */
  caseOfOrigin(account_id: string, reference_origine: string): Promise<number | null>
  /** Ids of the clients with this e-mail, whatever its case, in their order; at most ten. */
  clientsOfEmail(account_id: string, email: string): Promise<number[]>
}

export interface ImportWrites extends ImportReads {
  /** Keeps out every other import into the account until the transaction ends: what it brings, they know. */
  lock(account_id: string): Promise<void>
  /** In the place of what was known by the same keys. */
  note(account_id: string, rows: readonly ImportedRow[]): Promise<void>
  /** Like `cases.insert`, many at once: their ids in the same order. Null: the client was erased, and nothing is inserted. */
  addCases(cases: readonly ImportedCase[]): Promise<(number | null)[]>
  /**
   * Forgets what rows said of a client, his cases and appointments. That they were imported stays known, so that none comes
   * back; but of a row that is known by what it said (`cle` is its `empreinte`), nothing stays.
   */
  forgetClient(account_id: string, client_id: number): Promise<void>
}
