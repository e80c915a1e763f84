import { expect, it } from 'vitest'
import { notLived } from './invariants.ts'

const lived = {
  created: new Map([[1, 'a']]),
  booked: new Set([1]),
  closed: new Map([[1, 'a']]),
  erased: [{ id: 1, name: 'a' }],
}

it('a run in which all of it happened at least once is whole', () => {
  expect(notLived(lived, 1)).toEqual([])
})

it.each([
  ['no case was created', { ...lived, created: new Map() }, 1],
  ['no visit was booked', { ...lived, booked: new Set<number>() }, 1],
  ['no case was closed', { ...lived, closed: new Map() }, 1],
  ['no client was erased', { ...lived, erased: [] }, 1],
  ['no process was killed', lived, 0],
])('a run in which %s is broken', (sentence, ledger, kills) => {
  expect(notLived(ledger, kills)).toEqual([`${sentence}: run it for longer`])
})
