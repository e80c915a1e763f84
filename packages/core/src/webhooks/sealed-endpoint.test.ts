import { eventKinds } from '@sav/webhook-verify/events'
import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import { account } from '../../../storage-contract/src/samples/samples.js'
import { as } from '../../test/open-sav.js'
import { createSealer } from '../crypto/sealing.js'
import type { Storage } from '../storage.js'
import { fixedClock, seededRandom } from '../testing/index.js'
import { performing } from '../write.js'
import { endpointWrites } from './endpoint-writes.js'
import { endpointQueries } from './endpoints.js'

const url = 'https://receiver.example/hooks'

describe('sealing endpoints with another key', () => {
  const [oldKey, newKey] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
  const random = seededRandom(1)

  /** The endpoints of one store, sealed with this key. */
  async function withAccounts(): Promise<Storage> {
    const storage = await memoryStorage()
    await storage.transaction(async (tx) => {
      for (const id of ['a', 'b']) await tx.accounts.add(account(id))
    })
    return storage
  }

  function endpointsOf(storage: Storage, key = oldKey, known: readonly Uint8Array[] = []) {
    const find = (keyId: string) => known.find((each) => createSealer(each, random).keyId === keyId)
    const sealer = createSealer(key, random, find)
    const clock = fixedClock()
    let ids = 0
    const newId = (prefix: string) => `${prefix}_${key[0]}${String(++ids).padStart(5, '0')}`
    const receivers = { allowLocal: false }
    const deps = { storage, clock, random, newId, sealer, receivers, kinds: eventKinds }
    return { storage, ...endpointQueries(deps), ...performing(storage, endpointWrites(deps)) }
  }

  it('seals every secret and header of every account, including previous secrets and removed endpoints', async () => {
    const old = endpointsOf(await withAccounts())
    for (const account of ['a', 'b']) {
      for (let count = 0; count < 75; count += 1)
        await old.add(as(account), { url, events: ['sav.created'], headers: { 'X-Key': 'topsecret' } })
    }
    const [first, second] = await old.list('a')
    for (let count = 0; count < 4; count += 1) await old.rotateSecret(as('a'), first?.id ?? '', {})
    await old.remove(as('a'), second?.id ?? '')
    expect(await endpointsOf(old.storage, newKey, [oldKey]).reseal()).toBe(150)

    const alone = endpointsOf(old.storage, newKey)
    expect(await alone.list('a')).toHaveLength(74)
    expect((await alone.list('b')).every(({ headers }) => headers.join() === 'X-Key')).toBe(true)
    expect(await alone.reseal()).toBe(150)
    const { keyId } = createSealer(oldKey, random)
    expect(JSON.stringify(await old.storage.reads.endpoints.list('a'))).not.toContain(keyId)
  })

  it('with an unknown key changes nothing', async () => {
    const old = endpointsOf(await withAccounts())
    await old.add(as('a'), { url, events: ['sav.created'] })
    const before = await old.storage.reads.endpoints.list('a')
    await expect(endpointsOf(old.storage, newKey).reseal()).rejects.toThrow(/sealed with key/)
    expect(await old.storage.reads.endpoints.list('a')).toEqual(before)
  })

  it('a text sealed for one endpoint or account opens for no other', async () => {
    const { storage, add, list } = endpointsOf(await withAccounts())
    const a = await add(as('a'), { url, events: ['sav.created'], headers: { 'X-Key': 'x' } })
    const b = await add(as('a'), { url, events: ['sav.created'] })
    const [from, to] = [await storage.reads.endpoints.find('a', a.id), await storage.reads.endpoints.find('a', b.id)]
    if (from === null || to === null) throw new Error('not found')
    await storage.transaction((tx) =>
      tx.endpoints.update({ ...to, sealed_headers: from.sealed_headers, sealed_secret: from.sealed_secret }),
    )
    await expect(list('a')).rejects.toThrow('unable to authenticate')
  })
})
