import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { strFromU8, unzipSync } from 'fflate'
import { readXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import type { Cell } from './cells.js'
import { type SheetFormat, writtenSheet } from './sheet.js'

const head = { name: 'dossiers', columns: ['reference', 'description', 'date_creation'], dates: ['date_creation'] }

/** The file of a sheet whose rows come in these steps. */
async function written(steps: readonly (readonly Cell[])[][], format: SheetFormat): Promise<Buffer> {
  return Buffer.concat(await Readable.from(writtenSheet({ ...head, steps: Readable.from(steps) }, format)).toArray())
}

describe('a sheet', () => {
  it('as CSV is in the form that French Excel opens, and no cell is a formula', async () => {
    const rows = [
      ['SAV-2026-00001', 'Fuite ; joint "usé"\nà changer', null],
      ['SAV-2026-00002', '=1+1', null],
      [null, null, new Date('2026-01-15T10:30:00.000Z')],
    ]
    expect((await written([rows.slice(0, 2), rows.slice(2)], 'csv')).toString()).toBe(
      '\ufeffreference;description;date_creation\nSAV-2026-00001;"Fuite ; joint ""usé""\nà changer";\n' +
        "SAV-2026-00002;'=1+1;\n;;2026-01-15T10:30:00.000Z\n",
    )
  })

  it('as XLSX keeps dates and texts, without the characters that XML forbids', async () => {
    const rows = [
      ['SAV-2026-00001', '=1+1 <b>\u0001\ufffe\ud800', null],
      ['x'.repeat(40_000), 'une\r\nligne', new Date('2026-01-15T10:30:00.000Z')],
    ]
    const file = await written([rows.slice(0, 1), rows.slice(1)], 'xlsx')
    const { sheets } = await readXlsx(file, { readStyles: true })
    expect(sheets.map(({ name, freezePane }) => ({ name, freezePane }))).toEqual([
      { name: 'dossiers', freezePane: { rows: 1 } },
    ])
    expect(sheets[0]?.rows).toEqual([
      ['reference', 'description', 'date_creation'],
      ['SAV-2026-00001', '=1+1 <b>   ', null],
      ['x'.repeat(32_767), 'une\nligne', new Date('2026-01-15T10:30:00.000Z')],
    ])
    const styleOf = (place: string) => sheets[0]?.cells?.get(place)?.style
    expect([styleOf('0,0')?.font?.bold, styleOf('1,0')?.font?.bold]).toEqual([true, undefined])
    expect([styleOf('2,1')?.numFmt, styleOf('2,2')?.numFmt]).toEqual([undefined, 'dd/mm/yyyy hh:mm'])
  })

  it('as XLSX is a zip archive that other programs can read, and contains no formula', async () => {
    const parts = unzipSync(await written([[['=1+1', 'é', null]]], 'xlsx'))
    expect(Object.keys(parts)).toContain('xl/worksheets/sheet1.xml')
    const text = Object.values(parts)
      .map((content) => strFromU8(content))
      .join('\n')
    expect(text).toContain('=1+1')
    expect(text).not.toContain('<f>')
  })

  it('as XLSX stops reading rows when its reader stops, and fails if reading a row fails', async () => {
    let made = 0
    let hasEnded = false
    async function* steps(most: number) {
      try {
        for (; made < most; made += 1) yield [[randomBytes(16_000).toString('hex'), null, null]]
        throw new Error('the store is gone')
      } finally {
        hasEnded = true
      }
    }
    const pieces = writtenSheet({ ...head, steps: steps(1000) }, 'xlsx')
    for (let n = 0; n < 5; n += 1) await pieces.next()
    await pieces.return()
    expect(hasEnded).toBe(true)
    expect(made).toBeLessThan(100)

    await expect(Readable.from(writtenSheet({ ...head, steps: steps(made + 3) }, 'xlsx')).toArray()).rejects.toThrow(
      'the store is gone',
    )
  })
})
