import { describe, expect, it } from 'vitest'
import { bodyBudget, strangersBodies } from './body-budget.js'

const KiB = 1024
const owner = (id: string, account_id = 'default') => ({ account_id, id })

describe('a budget of 8 MiB for bodies', () => {
  const open = () => bodyBudget(8192 * KiB)

  it('lets concurrent bodies of one key together hold at most a third of the part for large bodies', () => {
    const reserve = open()
    expect(reserve(owner('a')).hold(2000 * KiB)).toBe(true)
    const second = reserve(owner('a'))
    expect(second.hold(400 * KiB)).toBe(false)
    expect(second.hold(300 * KiB)).toBe(true)
    expect(reserve(owner('b')).hold(2000 * KiB)).toBe(true)
  })

  it('lets one body at a time take the whole part for large bodies', () => {
    const reserve = open()
    const alone = reserve(owner('a'))
    for (const size of [1, 64, 65, 3000, 7168]) expect(alone.hold(size * KiB)).toBe(true)
    expect(alone.hold(7169 * KiB)).toBe(false)
    expect(reserve(owner('b', 'other')).hold(65 * KiB)).toBe(false)
    alone.release()
    expect(reserve(owner('b', 'other')).hold(7168 * KiB)).toBe(true)
  })

  it('gives all keys of one account together at most two thirds of the part for large bodies', () => {
    const reserve = open()
    expect(reserve(owner('a')).hold(2300 * KiB)).toBe(true)
    expect(reserve(owner('b')).hold(2300 * KiB)).toBe(true)
    expect(reserve(owner('c')).hold(300 * KiB)).toBe(false)
    expect(reserve(owner('c', 'other')).hold(2300 * KiB)).toBe(true)
  })

  it('reserves an eighth for bodies of up to 64 KiB', () => {
    const reserve = open()
    reserve(owner('a')).hold(7168 * KiB)
    let small = 0
    while (reserve(owner('b')).hold(64 * KiB)) small += 1
    expect(small).toBe(5)
    const grown = reserve(owner('c'))
    expect([grown.hold(64 * KiB), grown.hold(65 * KiB)]).toEqual([true, false])
  })

  it('is entirely free again when every body is released', () => {
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

describe('the bodies of strangers', () => {
  /** Begins bodies from addresses, and shows which ones are admitted; each admitted body can be ended. */
  function open() {
    const read = strangersBodies()
    const ends: (() => void)[] = []
    async function begin(ip: string): Promise<boolean> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const reading = read(ip, () => promise)
      const isIn = await Promise.race([
        reading.then(
          () => false,
          () => false,
        ),
        new Promise<true>((settle) => setImmediate(() => settle(true))),
      ])
      if (isIn) ends.push(resolve)
      return isIn
    }
    const beginAll = async (ips: readonly string[]) => {
      let count = 0
      for (const ip of ips) if (await begin(ip)) count += 1
      return count
    }
    return { read, begin, beginAll, ends }
  }
  const addresses = (count: number, each = 1) =>
    Array.from({ length: count * each }, (_, n) => `192.0.2.${Math.floor(n / each)}`)

  it('are at most 4 at once from one address, or from one IPv6 /64', async () => {
    const { beginAll, ends, begin } = open()
    expect(await beginAll(Array(6).fill('192.0.2.1'))).toBe(4)
    expect(await beginAll(['2001:db8::1', '2001:db8::2', '2001:db8::3:1', '2001:db8::4', '2001:db8::5'])).toBe(4)
    expect(await begin('2001:db8:0:1::1')).toBe(true)
    ends[0]?.()
    expect(await beginAll(['192.0.2.1', '192.0.2.1'])).toBe(1)
  })

  it('are at most 64 at once; half of these places are only for addresses that send no other body', async () => {
    const { beginAll, begin, ends } = open()
    expect(await beginAll(addresses(10, 3))).toBe(30)
    expect(await beginAll(['192.0.2.0', '192.0.2.1', '192.0.2.2'])).toBe(2)
    expect(await beginAll(['198.51.100.1', '198.51.100.1', '198.51.100.2'])).toBe(2)
    expect(await beginAll(addresses(100).map((ip) => ip.replace('192.0.2', '203.0.113')))).toBe(30)
    expect(await begin('198.51.100.3')).toBe(false)
    ends[40]?.()
    expect(await beginAll(['198.51.100.3', '198.51.100.4'])).toBe(1)
  })

  it('count until they have been read or have failed', async () => {
    const { read, beginAll } = open()
    for (let n = 0; n < 100; n += 1) {
      expect(await read('192.0.2.1', async ({ maxBytes }) => maxBytes)).toBe(16 * KiB)
      await expect(read('192.0.2.1', () => Promise.reject(new Error('cut off')))).rejects.toThrow('cut off')
    }
    expect(await beginAll(addresses(70))).toBe(64)
  })
})
