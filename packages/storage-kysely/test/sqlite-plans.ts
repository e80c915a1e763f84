import type { Storage } from '@sav/core/ports'
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect } from 'vitest'
import { account, client, insertCase, poseur } from '../../storage-contract/src/samples/samples.js'
import type { SqliteStorage } from '../src/sqlite.js'
import type { Executor } from '../src/statements/connection.js'
import { openMigrated } from './files.js'

export const at = '2026-01-15T10:30:00.000Z'

/** The store of all tests of a file, with one case, its client and its installer. */
export let opened: SqliteStorage
let tables: string[]

/** Opens `opened` before the tests of the calling file, and closes it after them. */
export function openBeforeTests(): void {
  beforeAll(async () => {
    opened = await openMigrated(':memory:')
    await opened.transaction(async (tx) => {
      await tx.accounts.add(account('ours'))
      const client_id = await tx.directory.addClient('ours', client({ nom: 'Lefèvre', prenom: 'Zoé' }))
      const owner = { account_id: 'ours', client_id, poseur_id: 0 }
      const { id } = await insertCase(tx, owner, { description: 'Façade rayée', priorite: 'haute' })
      const locked = await tx.cases.lock('ours', id)
      const poseur_id = await tx.directory.addPoseur('ours', poseur({ nom: 'Carl' }))
      if (locked !== null) await tx.cases.update(locked, { poseur_id, date_modification: at, version: 2 })
    })
  })

  beforeAll(async () => {
    tables = (await opened.db.introspection.getTables()).map(({ name }) => name)
  })

  afterAll(() => opened.close())
}

/** The plans of the statements that `call` runs. */
export async function explained(call: (storage: Storage) => Promise<unknown>): Promise<string[]> {
  const steps: string[] = []
  await opened.db.transaction().execute(async (trx) => {
    const asking: Executor = {
      async executeQuery(query) {
        const plan = CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters])
        const { rows } = await trx.executeQuery<{ detail: string }>(plan)
        steps.push(...rows.map(({ detail }) => detail))
        return trx.executeQuery(query)
      },
    }
    await call(
      opened.inTransaction({ ...asking, isTransaction: true, withoutPlugins: () => asking, getExecutor: () => asking }),
    )
  })
  return steps
}

/** The named indexes that a call uses. It reads no whole table except `reading`. */
export async function indexesOf(
  call: (storage: Storage) => Promise<unknown>,
  { reading = [] }: { readonly reading?: string[] } = {},
): Promise<string[]> {
  // Only the index of disabled accounts, which is small, is read whole.
  const steps = (await explained(call)).filter((step) => !step.includes('INDEX accounts_disabled'))
  const scanned = steps.map((step) => /^SCAN (\w+)/.exec(step)?.[1]).filter((name) => name !== undefined)
  expect([...new Set(scanned.filter((name) => tables.includes(name)))]).toEqual(reading)
  const used = steps.map((step) => /(?<!VIRTUAL TABLE) INDEX (?!sqlite_autoindex)(\w+)/.exec(step)?.[1])
  return [...new Set(used.filter((name) => name !== undefined))].toSorted()
}
