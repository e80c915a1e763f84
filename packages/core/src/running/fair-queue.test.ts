import { describe, expect, it } from 'vitest'
import { TooManyWaitingError } from '../errors.js'
import { createFairQueue, type FairQueueBounds, type WorkOwner } from './fair-queue.js'

/** A queue of work that the test ends, with the order in which it began. */
function queue(bounds: FairQueueBounds) {
  const queue = createFairQueue(bounds)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (name: string, owner: WorkOwner) =>
    queue.run(owner, async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      return name
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { begun, ask, end }
}

describe('a fair queue', () => {
  it('lets accounts take turns, in the order of their arrival', async () => {
    const { begun, ask, end } = queue({ atOnce: 1 })
    const all = ['a1', 'a2', 'a3'].map((name) => ask(name, { account_id: 'a' }))
    all.push(ask('b1', { account_id: 'b' }), ask('c1', { account_id: 'c' }))
    for (const name of ['a1', 'b1', 'c1', 'a2', 'a3']) await end(name)
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'a3'])
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1'])
  })

  it('runs two accounts at once, but never two calls of one account', async () => {
    const { begun, ask, end } = queue({ atOnce: 2 })
    for (const name of ['a1', 'a2']) void ask(name, { account_id: 'a' })
    void ask('b1', { account_id: 'b' })
    void ask('c1', { account_id: 'c' })
    expect(begun).toEqual(['a1', 'b1'])
    await end('a1')
    expect(begun).toEqual(['a1', 'b1', 'c1'])
    await end('b1')
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2'])
  })

  it('lets two calls of a caller wait, and refuses a third at once', async () => {
    const { begun, ask, end } = queue({ atOnce: 2, waitingPerCaller: 2 })
    const key = { account_id: 'a', caller: 'key_1' }
    for (const name of ['a1', 'a2', 'a3']) void ask(name, key)
    await expect(ask('a4', key)).rejects.toThrow(TooManyWaitingError)
    // Another key of the account, and another account, may still wait.
    void ask('other', { account_id: 'a', caller: 'key_2' })
    void ask('b1', { account_id: 'b', caller: 'key_1' })
    await end('a1')
    void ask('a5', key)
    await expect(ask('a6', key)).rejects.toThrow(TooManyWaitingError)
    for (const name of ['a2', 'a3', 'other', 'a5']) await end(name)
    expect(begun).toEqual(['a1', 'b1', 'a2', 'a3', 'other', 'a5'])
  })

  it('drops a caller that no longer waits', async () => {
    const { begun, ask, end } = queue({ atOnce: 1, waitingPerCaller: 2 })
    const leaving = new AbortController()
    void ask('a1', { account_id: 'a', caller: 'key_1' })
    const left = ask('left', { account_id: 'a', caller: 'key_1', signal: leaving.signal })
    void ask('a3', { account_id: 'a', caller: 'key_1' })
    leaving.abort(new Error('hung up'))
    await expect(left).rejects.toThrow('hung up')
    void ask('a4', { account_id: 'a', caller: 'key_1' })
    await expect(ask('a5', { account_id: 'a', signal: leaving.signal })).rejects.toThrow('hung up')
    for (const name of ['a1', 'a3', 'a4']) await end(name)
    expect(begun).toEqual(['a1', 'a3', 'a4'])
  })

  it('continues after work that fails', async () => {
    const queue = createFairQueue({ atOnce: 1 })
    const failing = queue.run({ account_id: 'a' }, async () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    expect(await queue.run({ account_id: 'a' }, async () => 'done')).toBe('done')
  })
})
