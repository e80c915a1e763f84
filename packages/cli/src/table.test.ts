import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { fields, table } from './table.js'
import { terminalOf } from './terminal.js'

const pipe = terminalOf(new PassThrough(), {})
const terminal = (columns: number, env = {}) =>
  terminalOf(Object.assign(new PassThrough(), { isTTY: true, columns }), env)

it('aligns columns by characters and shows what is missing as -', () => {
  const rows = [
    [1, 'Hélène', null],
    [22, '😀', 'x'],
  ]
  expect(table(pipe, ['ID', 'NOM', 'C'], rows, 'none')).toBe('ID  NOM     C\n1   Hélène  -\n22  😀       x')
  expect(table(pipe, ['ID'], [], 'none')).toBe('none')
})

const bare = (columns: number) => terminal(columns, { NO_COLOR: '1' })

it('cuts the last column where a terminal ends, and nowhere else', () => {
  const rows = [[1, 'a description that is rather long']]
  expect(table(bare(24), ['ID', 'TEXT'], rows, '')).toBe('ID  TEXT\n1   a description that …')
  expect(table(pipe, ['ID', 'TEXT'], rows, '')).toContain('rather long')
})

it('goes on below where a row is too wide for the terminal', () => {
  const rows = [['0123456789', 'abcdef', 'a description that is rather long']]
  const headings = ['ID', 'STATE', 'TEXT']
  const [, wide] = table(bare(40), headings, rows, '').split('\n')
  expect(wide).toBe('0123456789  abcdef  a description that …')
  expect(table(bare(39), headings, rows, '')).toBe(
    'ID          STATE\n    TEXT\n0123456789  abcdef\n    a description that is rather long',
  )
  expect(table(bare(17), headings, rows, '').split('\n').slice(3)).toEqual([
    '0123456789',
    '    abcdef',
    '    a descriptio…',
  ])
})

it('breaks long values between words, and no word', () => {
  const entries = [['Events', 'sav.created, sav.closed, a-word-that-is-longer-than-a-line']] as const
  expect(fields(bare(32), entries)).toBe('Events  sav.created, sav.closed,\n        a-word-that-is-longer-than-a-line')
  expect(fields(bare(31), entries)).toMatch(/^Events {2}sav\.created,\n {8}sav\.closed,\n {8}a-word/)
  expect(fields(pipe, entries)).not.toContain('\n')
})

it('colours on a terminal without NO_COLOR only', () => {
  expect(table(terminal(80), ['ID'], [[1]], '')).toContain('\u001b[1mID')
  expect(table(terminal(80, { NO_COLOR: '1' }), ['ID'], [[1]], '')).toBe('ID\n1')
  expect(table(pipe, ['ID'], [[1]], '')).toBe('ID\n1')
})

it("lets nobody's text move the cursor, reverse the line or break it", () => {
  const text = 'a\u001b[2Jb\u202ec\nd\u0007'
  expect(table(pipe, ['T'], [[text]], '')).toBe('T\na\ufffd[2Jb\ufffdc d\ufffd')
  expect(fields(pipe, [['Nom', text]])).toBe('Nom  a\ufffd[2Jb\ufffdc d\ufffd')
})

it('leaves fields without a value out', () => {
  const entries = [
    ['Nom', 'Durand'],
    ['E-mail', null],
    ['Id', 1],
  ] as const
  expect(fields(pipe, entries)).toBe('Nom  Durand\nId   1')
})
