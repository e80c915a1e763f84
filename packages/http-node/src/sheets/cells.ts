/** The cells of a spreadsheet: instants as dates, missing values as empty cells. */
export type Cell = string | number | Date | null

export interface Sheet {
  /** The name of the sheet, and of its file without the extension. */
  readonly name: string
  readonly columns: readonly string[]
  /** The columns with instants. */
  readonly dates: readonly string[]
  /** The rows of the sheet, a group at a time. */
  readonly steps: AsyncIterable<readonly (readonly Cell[])[]>
}
