import type { Pieces } from '../http/pieces.js'
import type { Cell, Sheet } from './cells.js'

export const sheetFormats = ['csv', 'xlsx'] as const
export type SheetFormat = (typeof sheetFormats)[number]

export const mediaTypeOf: { readonly [format in SheetFormat]: string } = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/**
 * The file, a piece for each step of rows. French Excel opens the CSV directly: semicolons, a byte order mark, and no
 * cell begins a formula. In XLSX, text is never a formula.
 */
export async function* writtenSheet(sheet: Sheet, format: SheetFormat): Pieces {
  if (format === 'csv') yield* csvOf(sheet)
  else yield* (await import('./xlsx.js')).xlsxOf(sheet)
}

async function* csvOf({ columns, steps }: Sheet): Pieces {
  const { stringify } = await import('csv-stringify/sync')
  const written = (rows: readonly (readonly Cell[])[], bom: boolean) =>
    Buffer.from(
      stringify(
        rows.map((row) => row.map((cell) => (cell instanceof Date ? cell.toISOString() : cell))),
        { bom, delimiter: ';', escape_formulas: true },
      ),
    )
  yield written([columns], true)
  for await (const rows of steps) yield written(rows, false)
}
