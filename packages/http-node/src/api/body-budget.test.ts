import { describe, expect, it } from 'vitest'
import { bodyBudget } from './body-budget.js'

const KiB = 1024
const owner = (id: string, account_id = 'default') => ({ account_id, id })

describe('a budget of 8 MiB for bodies', () => {
  const open = () => bodyBudget(8192 * KiB)

  it('lets the bodies of one key have a third of what is there for large ones', () => {
    const reserve = open()
    expect(reserve(owner('a')).hold(2000 * KiB)).toBe(true)
    const second = reserve(owner('a'))
    expect(second.hold(400 * KiB)).toBe(false)
    expect(second.hold(300 * KiB)).toBe(true)
    expect(reserve(owner('b')).hold(2000 * KiB)).toBe(true)
  })

  it('lets one body at a time have all of it', () => {
    const reserve = open()
    const alone = reserve(owner('a'))
    for (const size of [1, 64, 65, 3000, 7168]) expect(alone.hold(size * KiB)).toBe(true)
    expect(alone.hold(7169 * KiB)).toBe(false)
    expect(reserve(owner('b', 'other')).hold(65 * KiB)).toBe(false)
    alone.release()
    expect(reserve(owner('b', 'other')).hold(7168 * KiB)).toBe(true)
  })

  it('lets the keys of one account together have two thirds', () => {
    const reserve = open()
    expect(reserve(owner('a')).hold(2300 * KiB)).toBe(true)
    expect(reserve(owner('b')).hold(2300 * KiB)).toBe(true)
    expect(reserve(owner('c')).hold(300 * KiB)).toBe(false)
    expect(reserve(owner('c', 'other')).hold(2300 * KiB)).toBe(true)
  })

  it('keeps an eighth for bodies of up to 64 KiB', () => {
    const reserve = open()
    reserve(owner('a')).hold(7168 * KiB)
    let small = 0
    while (reserve(owner('b')).hold(64 * KiB)) small += 1
    expect(small).toBe(5)
    const grown = reserve(owner('c'))
    expect([grown.hold(64 * KiB), grown.hold(65 * KiB)]).toEqual([true, false])
  })

  it('is whole again when everything is released, however it was held', () => {
    const reserve = open()
    for (let run = 0; run < 3; run += 1) {
      const bodies = ['a', 'b', 'c', 'd'].map((id) => reserve(owner(id, id)))
      for (const body of bodies)
        for (const size of [10, 50, 64, 100, 1000, 1500]) expect(body.hold(size * KiB)).toBe(true)
      for (const body of bodies) {
        body.release()
        body.release()
      }
    }
    expect(reserve(owner('e')).hold(7168 * KiB)).toBe(true)
  })
})
