import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import { account, apiKey, instant } from '../../../storage-contract/src/samples/samples.js'
import { UnavailableError } from '../errors.js'
import type { Storage } from '../storage.js'
import { fixedClock } from '../testing/index.js'
import { createLastUse } from './last-use.js'
import { createServing } from './serving.js'

async function open(keys: readonly string[] = ['key_1']) {
  const memory = await memoryStorage()
  const clock = fixedClock()
  const state = { away: false, transactions: 0 }
  const storage: Storage = {
    ...memory,
    async transaction(work) {
      if (state.away) throw new UnavailableError('away', { retryAfterSeconds: 1 })
      state.transactions += 1
      return memory.transaction(work)
    },
  }
  await memory.transaction(async (tx) => {
    await tx.accounts.add(account('ours'))
    for (const id of keys) await tx.keys.add(apiKey('ours', id))
  })
  const keyUse = createLastUse({ storage, clock, write: (tx, uses) => tx.keys.noteUse(uses) })
  const serving = createServing({
    clock,
    heartbeat: { beat: async () => {}, end: async () => {} },
    audit: { flush: async () => {}, finish: async () => {} },
    uses: [keyUse],
    fault: () => {},
  })
  const lastUse = async (id = 'key_1') => (await memory.reads.keys.find('ours', id))?.last_used_at
  return { keyUse, serving, clock, state, lastUse, use: (id = 'key_1') => keyUse.note({ account_id: 'ours', id }) }
}

describe('the last use of a key', () => {
  it('is written once a minute at most, however often the key is used', async () => {
    const { serving, clock, state, use, lastUse } = await open()
    await serving.start()
    for (let second = 0; second < 59; second += 1) {
      use()
      await clock.advance(1_000)
    }
    expect(state.transactions).toBe(0)
    await clock.advance(1_000)
    expect(state.transactions).toBe(1)
    expect(await lastUse()).toBe(instant(58_000))
    await clock.advance(120_000)
    expect(state.transactions).toBe(1)
  })

  it('waits in memory while the store is unavailable, unless a later use replaces it', async () => {
    const { keyUse, clock, state, use, lastUse } = await open(['key_1', 'key_2'])
    use('key_1')
    use('key_2')
    state.away = true
    await expect(keyUse.flush()).rejects.toThrow(UnavailableError)
    await clock.advance(5)
    use('key_2')
    state.away = false
    await keyUse.flush()
    expect(await lastUse('key_1')).toBe(instant(0))
    expect(await lastUse('key_2')).toBe(instant(5))
  })

  it('of many keys is written in several transactions', async () => {
    const ids = Array.from({ length: 1_001 }, (_, n) => `key_${n}`)
    const { keyUse, state, use, lastUse } = await open(ids)
    for (const id of ids) use(id)
    await keyUse.flush()
    expect(state.transactions).toBe(3)
    for (const id of ids) expect(await lastUse(id)).toBe(instant(0))
  })
})
