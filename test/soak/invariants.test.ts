import { expect, it } from 'vitest'
import { growth, notLived } from './invariants.ts'

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

/** Eight days, each with 100 cases more. */
const days = (megabytes: (cases: number, day: number) => readonly [store: number, reports: number]) =>
  Array.from({ length: 8 }, (_, day) => {
    const cases = 100 * (day + 1)
    const [store, reports] = megabytes(cases, day)
    return { memory: { api: 150, worker: 150 }, store, reports, log: 4, cases }
  })

it('a store that grows with its cases, and with reports that are drawn late, is flat', () => {
  expect(growth(days((cases, day) => [cases / 50 + (day < 4 ? 0 : cases / 30), day < 4 ? 0 : cases / 30]))).toEqual([])
})

it('a store that grows faster than its cases is not', () => {
  expect(growth(days((cases) => [cases ** 2 / 5000, 0]))).toEqual([
    'the store for each case, without reports has grown to 2.14 times what it was',
  ])
})
