import type { Pieces } from '../http/pieces.js'
import type { Cell, Sheet } from './cells.js'
import { zipped } from './zip.js'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const documents = 'http://schemas.openxmlformats.org/officeDocument/2006'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Cells of the head are bold; dates show their day and minute. */
const styles = { plain: 0, bold: 1, date: 2 }

/** A workbook (ECMA-376) of one sheet, whose first row stays in view. */
export const xlsxOf = (sheet: Sheet): Pieces =>
  zipped([
    file('[Content_Types].xml', [
      `<Types xmlns="${packages}/content-types"><Default ContentType="application/xml" Extension="xml"/>`,
      `<Default ContentType="application/vnd.openxmlformats-package.relationships+xml" Extension="rels"/>`,
      `<Override ContentType="${types}.sheet.main+xml" PartName="/xl/workbook.xml"/>`,
      `<Override ContentType="${types}.styles+xml" PartName="/xl/styles.xml"/>`,
      `<Override ContentType="${types}.worksheet+xml" PartName="/xl/worksheets/sheet1.xml"/></Types>`,
    ]),
    file('_rels/.rels', [related({ officeDocument: 'xl/workbook.xml' })]),
    file('xl/_rels/workbook.xml.rels', [related({ worksheet: 'worksheets/sheet1.xml', styles: 'styles.xml' })]),
    file('xl/workbook.xml', [
      `<workbook xmlns="${main}" xmlns:r="${documents}/relationships"><sheets>`,
      `<sheet r:id="worksheet" sheetId="1" name="${escaped(sheet.name)}"/></sheets></workbook>`,
    ]),
    file('xl/styles.xml', [
      `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy hh:mm"/></numFmts>`,
      '<fonts count="2"><font/><font><b/></font></fonts>',
      '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
      '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/>',
      '<xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>',
    ]),
    { name: 'xl/worksheets/sheet1.xml', content: worksheet(sheet) },
  ])

const file = (name: string, lines: readonly string[]) => ({ name, content: whole(declaration + lines.join('')) })

async function* whole(text: string): Pieces {
  yield Buffer.from(text)
}

const related = (targets: Readonly<Record<string, string>>) =>
  `<Relationships xmlns="${packages}/relationships">${Object.entries(targets)
    .map(
      ([kind, target]) => `<Relationship Id="${kind}" Type="${documents}/relationships/${kind}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

async function* worksheet({ columns, steps }: Sheet): Pieces {
  const names = columns.map((_, index) => columnName(index))
  const rowOf = (row: readonly Cell[], number: number, style: number) =>
    `<row r="${number}">${row.map((cell, index) => cellOf(cell, `${names[index]}${number}`, style)).join('')}</row>`
  yield Buffer.from(
    `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView tabSelected="1" workbookViewId="0">` +
      '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
      `<sheetData>${rowOf(columns, 1, styles.bold)}`,
  )
  let number = 2
  for await (const rows of steps) {
    yield Buffer.from(rows.map((row, index) => rowOf(row, number + index, styles.plain)).join(''))
    number += rows.length
  }
  yield Buffer.from('</sheetData></worksheet>')
}

/** A to Z, then AA. */
const columnName = (index: number): string =>
  index < 26 ? String.fromCharCode(65 + index) : columnName(Math.floor(index / 26) - 1) + columnName(index % 26)

function cellOf(cell: Cell, place: string, style: number): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`
  if (cell instanceof Date) return `<c r="${place}" s="${styles.date}"><v>${serialOf(cell)}</v></c>`
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(shortened(cell))}</t></is></c>`
}

/** Days since the end of 1899, as spreadsheets count. */
const serialOf = (date: Date) => date.getTime() / 86_400_000 + 25_569

/** A cell takes no more. */
const shortened = (text: string) => text.slice(0, 32_767)

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** In XML 1.0 no text has them, and Excel refuses the file. */
const notInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const escaped = (text: string) => text.replace(notInXml, ' ').replace(/[&<>"]/g, (sign) => entities[sign] ?? '')
