import { type CaseClose, type CaseFieldValues, type ClientFields, type Statut, storeToken } from '@sav/core/feature'
import type { Client, NewCase } from '@sav/core/ports'

/** The types of rows of an import. */
export const importTypes = ['clients', 'poseurs', 'cases', 'visits'] as const
/** The type of the rows of an import. */
export type ImportType = (typeof importTypes)[number]

/** The result of an imported row, by which the same row is recognised. */
export interface ImportedRow {
  readonly type: ImportType
  /** SHA-256 of what identifies the row: its external id, or else all of it. */
  readonly cle: string
  /** The id of the client, the poseur, the case or the appointment. */
  readonly id: number
  /** SHA-256 of the row's text; null: its person was erased since. */
  readonly empreinte: string | null
}

/** A case of another system, perhaps closed, with its number there. */
export interface ImportedCase extends NewCase, CaseFieldValues {
  readonly statut: Statut
  readonly poseur_id: number | null
  readonly reference_origine: string | null
  /** Null: it is not closed. */
  readonly closing: CaseClose | null
  readonly date_modification: string
}

/** The rows that were imported. */
export interface ImportReads {
  /** Which of these keys were imported before. */
  known(account_id: string, type: ImportType, cles: readonly string[]): Promise<ImportedRow[]>
  /** The case with this number in its former system; if there are several, the one with the lowest id. */
  caseOfOrigin(account_id: string, reference_origine: string): Promise<number | null>
  /** Ids of the clients with this e-mail, in upper or lower case, in order; at most ten. */
  clientsOfEmail(account_id: string, email: string): Promise<number[]>
}

export interface ImportWrites extends ImportReads {
  /** Blocks every other import into the account until the transaction ends. The next one then sees its rows. */
  lock(account_id: string): Promise<void>
  /** Records rows, and replaces those with the same keys. */
  note(account_id: string, rows: readonly ImportedRow[]): Promise<void>
  /** Like `directory.findClient` for many: those that exist, in any order. */
  findClients(account_id: string, ids: readonly number[]): Promise<Client[]>
  /** Like `directory.addClient` for many: their ids in the same order. */
  addClients(account_id: string, clients: readonly ClientFields[]): Promise<number[]>
  /** Like `cases.nextNumber` in a long transaction, for several at once: in order. */
  nextNumbers(account_id: string, annee: number, count: number): Promise<number[]>
  /**
   * Like `cases.insert` for many: their ids in the same order. Null: the client was erased, and nothing is inserted.
   */
  addCases(cases: readonly ImportedCase[]): Promise<(number | null)[]>
  /**
   * Forgets the content of rows about a client, and about the client's cases and appointments. The keys are kept, so
   * that no row is imported again. Only a row whose key is its content (`cle` is its `empreinte`) is deleted.
   */
  forgetClient(account_id: string, client_id: number): Promise<void>
}

export const importStore = storeToken<ImportReads, ImportWrites>('moving')
