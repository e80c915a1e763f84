import { expect, it, onTestFinished, vi } from 'vitest'
import { openPostgres } from '../../../../test/whole/opening.js'
import { addOwner, enqueue } from '../../../storage-contract/src/samples/samples.js'
import { newDatabase, patient } from '../../test/databases.js'
import type { PostgresStorage } from '../postgres.js'

const schemas = [undefined, 'petit', 'Martin'] as const

/** Opens the store of a schema, as one more process does. */
async function opened(url: string, schema: string | undefined): Promise<PostgresStorage> {
  const storage = await openPostgres(url, { ...patient, ...(schema !== undefined && { schema }) })
  onTestFinished(() => storage.close())
  return storage
}

/** A database with a store in each schema. */
async function neighbours() {
  const url = await newDatabase()
  const stores = await Promise.all(schemas.map((schema) => opened(url, schema)))
  await Promise.all(stores.map((storage) => storage.migrate()))
  return { url, stores }
}

it('stores in schemas of one database can be created at the same time, and number independently', async () => {
  const { stores } = await neighbours()
  const owners = await Promise.all(stores.map((storage) => addOwner(storage, 'ours')))
  expect(owners).toEqual(schemas.map(() => ({ account_id: 'ours', client_id: 1, poseur_id: 1 })))
  const numbers = stores.map((storage) => storage.transaction((tx) => tx.cases.nextNumber('ours', 2026)))
  expect(await Promise.all(numbers)).toEqual(schemas.map(() => 1))
})

it('a lock by name in one of these stores does not block the others', async () => {
  const { stores } = await neighbours()
  const lock = (storage: PostgresStorage, work: () => Promise<unknown>) =>
    storage.transaction(async (tx) => {
      await tx.facts.get('colour')
      await work()
    })
  const ended: string[] = []
  const [first, second, third] = stores
  if (first === undefined || second === undefined || third === undefined) throw new Error('There are three.')
  await lock(first, () => lock(second, () => lock(third, async () => void ended.push('all'))))
  expect(ended).toEqual(['all'])
})

it('a commit in one of these stores wakes only other processes of that store', async () => {
  const { url, stores } = await neighbours()
  const woken = await Promise.all(
    stores.map(async (storage) => {
      const wake = vi.fn<() => void>()
      onTestFinished(storage.queue.watch(wake))
      // The first call of `wake` shows that the store listens.
      await expect.poll(() => wake.mock.calls.length).toBe(1)
      return wake
    }),
  )
  for (const [at, schema] of schemas.entries()) {
    const other = await opened(url, schema)
    const owner = { account_id: 'ours', name: `new_${at}`, target: 'wh_1' }
    await other.transaction((tx) => enqueue(tx, owner))
    await expect.poll(() => woken[at]?.mock.calls.length).toBe(2)
  }
  // The server notifies in the order of the commits, so a wrong wake would have arrived by now.
  expect(woken.map((wake) => wake.mock.calls.length)).toEqual(schemas.map(() => 2))
})
