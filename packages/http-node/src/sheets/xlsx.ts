import { type ColumnDef, writeXlsxStream } from 'hucre/xlsx'
import type { Pieces } from '../http/pieces.js'
import type { Cell, Sheet } from './cells.js'

/** A workbook of one sheet, whose first row is bold and stays visible; dates show their day and minute. */
export async function* xlsxOf({ name, columns, dates, steps }: Sheet): Pieces {
  const styled = columns.map(
    (header): ColumnDef => ({
      header,
      style: { font: { bold: true, name: 'Calibri', size: 11 } },
      ...(dates.includes(header) && { numFmt: 'dd/mm/yyyy hh:mm' }),
    }),
  )
  async function* rows() {
    // The library has no row style, but requests the first row after it has written the head.
    for (const column of styled) delete column.style
    for await (const step of steps) for (const row of step) yield row.map(held)
  }
  yield* writeXlsxStream(rows(), { name, columns: styled, freezePane: { rows: 1 } })
}

/** Characters that XML 1.0 forbids: Excel refuses a file that contains one. */
const notInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu
const maxLength = 32_767

/** The text without carriage returns, which some programs would show as `_x000D_`. */
const held = (cell: Cell) =>
  typeof cell === 'string' ? cell.slice(0, maxLength).replace(/\r\n?/g, '\n').replace(notInXml, ' ') : cell
