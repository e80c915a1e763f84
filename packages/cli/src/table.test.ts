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

it('cuts lines at the width of a terminal, and nowhere else', () => {
  const rows = [[1, 'a long description']]
  expect(table(terminal(10, { NO_COLOR: '1' }), ['ID', 'TEXT'], rows, '')).toBe('ID  TEXT\n1   a lon…')
  expect(table(pipe, ['ID', 'TEXT'], rows, '')).toContain('a long description')
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
