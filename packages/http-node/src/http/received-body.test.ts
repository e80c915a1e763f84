import { seededRandom } from '@sav/core/testing'
import { describe, expect, it } from 'vitest'
import { ReceivedBody } from './received-body.js'

/** A budget that allows `max` bytes of memory, and the sizes that were requested from it. */
function budgetOf(maxBytes: number, max = Number.POSITIVE_INFINITY) {
  const held: number[] = []
  return {
    held,
    maxBytes,
    maxMs: Number.POSITIVE_INFINITY,
    hold(bytes: number) {
      if (bytes > max) return false
      held.push(bytes)
      return true
    },
  }
}

const random = seededRandom(11)
const bytesOf = (length: number) => Buffer.from(random(length))

describe('a received body', () => {
  it.each([undefined, '10000', '20000', 'nonsense'])(
    'is put together from its pieces unchanged, with Content-Length %s',
    (declared) => {
      for (let run = 0; run < 50; run += 1) {
        const sent = bytesOf(10_000)
        const budget = budgetOf(1_000_000)
        const body = new ReceivedBody(budget, declared)
        for (let at = 0; at < sent.length; ) {
          const size = bytesOf(2).readUInt16LE() % (run % 2 === 0 ? 10 : 9000)
          expect(body.add(Buffer.from(sent.subarray(at, at + size)))).toBe('added')
          at += size
        }
        expect(Buffer.from(body.bytes).equals(sent)).toBe(true)
        expect(budget.held.at(-1)).toBeLessThanOrEqual(declared === '10000' ? 10_000 : 20_000)
        expect(body.bytes.buffer.byteLength).toBe(budget.held.at(-1))
      }
    },
  )

  it('is not copied if it arrives in one piece', () => {
    const sent = bytesOf(500)
    const body = new ReceivedBody(budgetOf(1000), '500')
    expect(body.add(sent)).toBe('added')
    expect(body.bytes.buffer).toBe(sent.buffer)
  })

  it('is refused as soon as it is too long or exceeds its budget, before memory is allocated', () => {
    const long = new ReceivedBody(budgetOf(1000), undefined)
    expect([long.add(bytesOf(1000)), long.add(bytesOf(1))]).toEqual(['added', 'too_long'])

    const budget = budgetOf(10_000, 2000)
    const dear = new ReceivedBody(budget, undefined)
    expect([dear.add(bytesOf(2000)), dear.add(bytesOf(1))]).toEqual(['added', 'beyond_budget'])
    expect(budget.held).toEqual([2000])
    expect(new ReceivedBody(budgetOf(10_000, 99), '100').add(bytesOf(100))).toBe('beyond_budget')
  })

  it('reserves at most twice the bytes that have arrived, whatever its declared length', () => {
    const budget = budgetOf(72 * 1024 * 1024)
    const body = new ReceivedBody(budget, String(72 * 1024 * 1024))
    body.add(bytesOf(3000))
    expect(budget.held).toEqual([3000])
    body.add(bytesOf(1))
    expect(budget.held).toEqual([3000, 6000])
  })

  it('is empty if no piece arrives', () => {
    expect(new ReceivedBody(budgetOf(1000), '0').bytes.length).toBe(0)
  })
})
