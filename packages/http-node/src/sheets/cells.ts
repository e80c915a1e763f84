/** The cells of a spreadsheet: instants as dates, absent values as empty cells. */
export type Cell = string | number | Date | null

export interface Sheet {
  /** Its name, and that of the file without its ending. */
  readonly name: string
  readonly columns: readonly string[]
  /** Those of the columns that hold instants. */
  readonly dates: readonly string[]
  /** Its rows, some at a time. */
  readonly steps: AsyncIterable<readonly (readonly Cell[])[]>
}
