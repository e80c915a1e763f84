/** What a file of an import holds: customers, installers, cases, or appointments. */
export const importTypes = ['clients', 'poseurs', 'cases', 'visits'] as const
/** What a file of an import holds. */
export type ImportType = (typeof importTypes)[number]

/** A row of a file that was imported, and what it became. */
export interface ImportedRow {
  readonly type: ImportType
  /** The external id, or the digest of a row without one. */
  readonly cle: string
  readonly objet_id: number
  /** Whom it is about; null for an installer. */
  readonly client_id: number | null
  /** SHA-256 of the row as it was imported last; empty once the client is erased. */
  readonly empreinte: string
}

/** By what rows of files are known again. */
export interface ImportReads {
  /** Those of `cles` that were imported, in no order. */
  find(account_id: string, type: ImportType, cles: readonly string[]): Promise<ImportedRow[]>
}

/** The same, and what an import and an erasure write. */
export interface ImportWrites extends ImportReads {
  /** Adds rows, or replaces those with the same key. */
  put(account_id: string, rows: readonly ImportedRow[]): Promise<void>
  /** Takes what a client's rows said away; their keys stay, so that no import adds that person again. */
  erase(account_id: string, client_id: number): Promise<void>
}
