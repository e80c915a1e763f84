import { Readable } from 'node:stream'
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import type { Cell } from './cells.js'
import { type SheetFormat, writtenSheet } from './sheet.js'

/** Of a sheet whose rows come in these steps. */
async function written(steps: readonly (readonly Cell[])[][], format: SheetFormat): Promise<Buffer> {
  const sheet = { name: 'dossiers', columns: ['reference', 'description'], steps: Readable.from(steps) }
  return Buffer.concat(await Readable.from(writtenSheet(sheet, format)).toArray())
}

describe('a sheet', () => {
  it('as CSV opens in a French Excel, and no cell of it is a formula', async () => {
    const rows = [
      ['SAV-2026-00001', 'Fuite ; joint "usé"\nà changer'],
      ['SAV-2026-00002', '=1+1'],
      [null, new Date('2026-01-15T10:30:00.000Z')],
    ]
    expect((await written([rows.slice(0, 2), rows.slice(2)], 'csv')).toString()).toBe(
      '\ufeffreference;description\nSAV-2026-00001;"Fuite ; joint ""usé""\nà changer"\n' +
        "SAV-2026-00002;'=1+1\n;2026-01-15T10:30:00.000Z\n",
    )
  })

  it('as XLSX has dates as dates, and texts as they are, without what XML cannot hold', async () => {
    const rows = [
      ['SAV-2026-00001', '=1+1 <b>\u0001'],
      [7, new Date('2026-01-15T10:30:00.000Z')],
    ]
    const file = await written([rows.slice(0, 1), rows.slice(1)], 'xlsx')
    const parts = Object.entries(unzipSync(file)).map(([name, content]) => [name, strFromU8(content)])
    const text = parts.map(([, content]) => content).join('\n')
    expect(parts.map(([name]) => name)).toContain('xl/worksheets/sheet1.xml')
    expect(text).toContain('=1+1 &lt;b&gt; ')
    expect(text).toContain('SAV-2026-00001')
    expect(text).not.toContain('<f>')
    expect(text).not.toContain('\u0001')
  })
})
