/** What is written to a spreadsheet: instants as the dates that they are, absent values as empty cells. */
export type Cell = string | number | Date | null

export interface Sheet {
  /** Its name, and that of the file without its ending. */
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

export const sheetFormats = ['csv', 'xlsx'] as const
export type SheetFormat = (typeof sheetFormats)[number]

export const mediaTypeOf: { readonly [format in SheetFormat]: string } = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/**
 * The file. CSV is as Excel opens it in France by itself, with semicolons and a byte order mark, and no cell of it begins a
 * formula; in XLSX a text is never one.
 */
export async function writtenSheet(sheet: Sheet, format: SheetFormat): Promise<string | Uint8Array> {
  return format === 'csv' ? csvOf(sheet) : xlsxOf(sheet)
}

async function csvOf({ columns, rows }: Sheet): Promise<string> {
  const { stringify } = await import('csv-stringify/sync')
  const cells = rows.map((row) => row.map((cell) => (cell instanceof Date ? cell.toISOString() : cell)))
  return stringify([[...columns], ...cells], { bom: true, delimiter: ';', escape_formulas: true })
}

/** In XML 1.0 no text has them, and Excel refuses the file. */
const notInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

async function xlsxOf({ name, columns, rows }: Sheet): Promise<Uint8Array> {
  const { default: writeXlsxFile } = await import('write-excel-file/node')
  const header = columns.map((value) => ({ value, fontWeight: 'bold' as const }))
  const cells = rows.map((row) =>
    row.map((cell) => {
      if (cell === null) return null
      if (cell instanceof Date) return { value: cell, type: Date, format: 'dd/mm/yyyy hh:mm' }
      if (typeof cell === 'number') return { value: cell, type: Number }
      // A cell takes no more.
      return { value: cell.replace(notInXml, ' ').slice(0, 32_767), type: String }
    }),
  )
  const file = writeXlsxFile([header, ...cells], { sheet: name, stickyRowsCount: 1 })
  return file.toBuffer()
}
