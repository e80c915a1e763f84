import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import stringWidth from 'string-width'
import { expect, it } from 'vitest'
import { fields, padded, stateCell, table } from './table.js'
import { oneLine, terminalOf } from './terminal.js'

const pipe = terminalOf(new PassThrough(), {})
const terminal = (columns: number, env = {}) =>
  terminalOf(Object.assign(new PassThrough(), { isTTY: true, columns }), env)

it('a table aligns columns by their drawn width, and shows missing values as -', () => {
  const rows = [
    [1, 'Hélène', null],
    [22, '😀', 'x'],
  ]
  expect(table(pipe, ['ID', 'NOM', 'C'], rows, 'none')).toBe('ID  NOM     C\n1   Hélène  -\n22  😀      x')
  expect(table(pipe, ['ID'], [], 'none')).toBe('none')
})

it.each([
  ['a letter with its accent', 'Hélène', 6],
  ['a letter and an accent of its own', 'He\u0301le\u0300ne', 6],
  ['Chinese characters', '王小明', 6],
  ['Japanese in half width', 'ｻﾄｳ', 3],
  ['an emoji', '🔧', 2],
  ['an emoji with a skin tone', '👷🏽', 2],
  ['a family of joined emojis', '👩‍👩‍👧‍👦', 2],
  ['a flag', '🇫🇷', 2],
])('a table counts the drawn width of %s', (_, nom, columns) => {
  const [, , row] = table(
    pipe,
    ['NOM', 'C'],
    [
      ['a name as wide as can be', 'x'],
      [nom, 'x'],
    ],
    '',
  ).split('\n')
  expect(row).toBe(`${nom}${' '.repeat(24 - columns + 2)}x`)
  expect(
    fields(pipe, [
      [nom, 1],
      ['ten chars.', 2],
    ]).split('\n')[0],
  ).toBe(`${nom}${' '.repeat(10 - columns + 2)}1`)
})

it('a table counts the same width as string-width for each letter and sign', () => {
  const letters = Array.from({ length: 0x2200 - 0x21 }, (_, at) => String.fromCharCode(0x21 + at))
  const safe = letters.filter((letter) => oneLine(letter) === letter && letter.trim() === letter)
  const columnsOf = (letter: string) => 9 - padded(`a${letter}`, 9).length + `a${letter}`.length
  const others = safe.filter((letter) => columnsOf(letter) !== stringWidth(`a${letter}`))
  expect(others).toEqual([])
})

it('a text is cut between whole characters, and fits the terminal', () => {
  const cutAt = (columns: number, text: string) => table(bare(columns), ['T'], [[text]], '').split('\n')[1]
  expect(cutAt(7, '王小明的厨房门')).toBe('王小明…')
  expect(cutAt(8, '王小明的厨房门')).toBe('王小明…')
  expect(cutAt(3, 'e\u0301te\u0301 perdu')).toBe('e\u0301t…')
  expect(cutAt(4, 'a👩‍👩‍👧‍👦👩‍👩‍👧‍👦')).toBe('a👩‍👩‍👧‍👦…')
})

it('a value of wide characters is wrapped by its drawn width', () => {
  expect(fields(bare(12), [['Nom', '王小明 李 张']])).toBe('Nom  王小明\n     李 张')
})

const bare = (columns: number) => terminal(columns, { NO_COLOR: '1' })

it('the widest text is shortened first, and only if a terminal is too narrow', () => {
  const rows = [[1, 'a description that is rather long', 'Moreau']]
  const headings = ['ID', 'TEXT', 'POSEUR']
  expect(table(bare(45), headings, rows, '').split('\n')[1]).toBe('1   a description that is rather long  Moreau')
  expect(table(bare(44), headings, rows, '').split('\n')[1]).toBe('1   a description that is rather lo…  Moreau')
  expect(table(pipe, headings, rows, '')).toContain('rather long')
})

it('on a narrow terminal, spare columns are left out from the right, and only then are ids shortened', () => {
  const headings = [
    { head: 'ID', whole: true },
    { head: 'MADE', whole: true, spare: true },
    { head: 'BY', spare: true },
    'TEXT',
  ]
  const rows = [['key_0123456789', '2026-01-15', 'Moreau', 'a description that is rather long']]
  const shownAt = (columns: number) => table(bare(columns), headings, rows, '').split('\n')
  expect(shownAt(46)[1]).toBe('key_0123456789  2026-01-15  Moreau  a descrip…')
  expect(shownAt(45)).toEqual(['ID              MADE        TEXT', 'key_0123456789  2026-01-15  a description th…'])
  expect(shownAt(38)[1]).toBe('key_0123456789  2026-01-15  a descrip…')
  expect(shownAt(37)[1]).toBe('key_0123456789  a description that i…')
  expect(shownAt(26)[1]).toBe('key_0123456789  a descrip…')
  expect(shownAt(25)[1]).toBe('key_0123456…  a descript…')
})

it('empty columns are left out on a terminal, unless requested', () => {
  const rows = [
    [1, null, null],
    [2, null, 'x'],
  ]
  expect(table(bare(80), ['ID', 'EMAIL', 'C'], rows, '')).toBe('ID  C\n1   -\n2   x')
  expect(table(bare(80), ['ID', { head: 'EMAIL', kept: true }, 'C'], rows, '')).toContain('ID  EMAIL  C')
  expect(table(pipe, ['ID', 'EMAIL', 'C'], rows, '')).toContain('ID  EMAIL  C')
})

it('long values are wrapped between words, and no word is broken', () => {
  const entries = [['Events', 'sav.created, sav.closed, a-word-that-is-longer-than-a-line']] as const
  expect(fields(bare(32), entries)).toBe('Events  sav.created, sav.closed,\n        a-word-that-is-longer-than-a-line')
  expect(fields(bare(31), entries)).toMatch(/^Events {2}sav\.created,\n {8}sav\.closed,\n {8}a-word/)
  expect(fields(pipe, entries)).not.toContain('\n')
})

it('a table has colours only on a terminal, and not with NO_COLOR', () => {
  expect(table(terminal(80), ['ID'], [[1]], '')).toContain('\u001b[1mID')
  expect(table(terminal(80, { NO_COLOR: '1' }), ['ID'], [[1]], '')).toBe('ID\n1')
  expect(table(pipe, ['ID'], [[1]], '')).toBe('ID\n1')
})

it('foreign text cannot move the cursor, reverse the line or break it', () => {
  const text = 'a\u001b[2Jb\u202ec\nd\u0007'
  expect(table(pipe, ['T'], [[text]], '')).toBe('T\na\ufffd[2Jb\ufffdc d\ufffd')
  expect(fields(pipe, [['Nom', text]])).toBe('Nom  a\ufffd[2Jb\ufffdc d\ufffd')
})

it('fields without a value are left out', () => {
  const entries = [
    ['Nom', 'Durand'],
    ['E-mail', null],
    ['Id', 1],
  ] as const
  expect(fields(pipe, entries)).toBe('Nom  Durand\nId   1')
})

const coloured = (env = {}) => {
  const { style } = terminal(80, env)
  return style('red', 'x') !== 'x'
}

it('a terminal has colours unless it is dumb or NO_COLOR is set', () => {
  expect(coloured({ TERM: 'xterm-256color' })).toBe(true)
  expect([coloured({ TERM: 'dumb' }), coloured({ NO_COLOR: '1' })]).toEqual([false, false])
})

it('a terminal that reports no width counts as 80 columns wide', () => {
  expect([terminal(0).columns, terminal(1).columns]).toEqual([80, 1])
})

it('the colour of a state does not change the layout of a table', () => {
  const rows = [[stateCell('ouvert'), 'La porte du four ne ferme plus']]
  const drawn = table(terminal(30), ['STATUT', 'DESCRIPTION'], rows, '')
  expect(drawn).toContain('\u001b[33mouvert\u001b[39m  La porte du four ne f…')
  expect(stripVTControlCharacters(drawn)).toBe(
    table(terminal(30, { NO_COLOR: '1' }), ['STATUT', 'DESCRIPTION'], rows, ''),
  )
  expect(stateCell('disabled: a delivery ended with 410').colour).toBe('red')
})
