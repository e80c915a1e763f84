import type { ImportType } from '../import-store.js'

/** Which column of a file is which field, and defaults for fields without a column. */
export interface Mapping {
  /**
   * The field of each heading of the file; null: the column is ignored. Capitals, accents, spaces and points make no
   * difference.
   */
  readonly columns: Readonly<Record<string, string | null>>
  /** Our words for the words of the other system, by field. Capitals and accents make no difference. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly defaults?: Readonly<Record<string, string>>
  /** How the text of a cell is read. Absent: unchanged. @throws CommandError if it cannot be read */
  readonly cell?: (text: string) => string
  /** The fields of a row, from those of its columns. Absent: unchanged. */
  readonly row?: (fields: Readonly<Record<string, unknown>>) => Record<string, unknown>
}

export type Mappings = Readonly<Partial<Record<ImportType, Mapping>>>
