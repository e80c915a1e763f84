import type { Options } from 'csv-stringify'

/** A spreadsheet would run text that begins with `=` as a formula. */
const asSheets = { header: true, bom: true, escape_formulas: true, record_delimiter: 'windows' } as const

/** Rows for a spreadsheet, under a name that ends in `.csv`. */
export async function downloadRows(name: string, rows: readonly object[], options: Options = {}): Promise<void> {
  const { stringify } = await import('csv-stringify/browser/esm/sync')
  download(name, new Blob([stringify([...rows], { ...asSheets, ...options })], { type: 'text/csv' }))
}

export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}
