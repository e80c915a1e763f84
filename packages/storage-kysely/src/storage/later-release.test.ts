import { sql } from 'kysely'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../../../test/postgres.js'
import { newFile } from '../../test/files.js'
import { addsColumn, become, becomeThisRelease, failsInTheMiddle } from '../../test/later-release.js'
import { CopyRefusedError, copyStore, type Store } from '../copy.js'
import { openPostgres } from '../postgres.js'
import { openSqlite } from '../sqlite.js'
import type { OpenedStorage } from './opened-storage.js'

afterEach(becomeThisRelease)

async function sqlite(): Promise<Store> {
  const storage = await openSqlite(newFile())
  onTestFinished(() => storage.close())
  return { kind: 'sqlite', name: 'a file', storage }
}

async function postgres(): Promise<Store> {
  const database = await freshDatabase()
  const storage = await openPostgres(database.url)
  onTestFinished(async () => {
    await storage.close()
    await database[Symbol.asyncDispose]()
  })
  return { kind: 'postgres', name: 'a server', storage }
}

/** A store of this release that holds a fact. */
async function inUse(open: () => Promise<Store>): Promise<Store> {
  const store = await open()
  await store.storage.migrate()
  await store.storage.transaction((tx) => tx.facts.set('kept', 'yes'))
  return store
}

async function expectServed({ storage }: Pick<Store, 'storage'>) {
  await storage.transaction((tx) => tx.facts.set('written', 'by the release before'))
  expect(await storage.reads.facts.get('written')).toBe('by the release before')
  expect(await storage.reads.facts.get('kept')).toBe('yes')
}

const notedBy = async ({ db }: OpenedStorage<never>) =>
  (await sql<{ noted_by: string }>`select noted_by from facts where name = 'kept'`.execute(db)).rows[0]?.noted_by

describe.each([
  ['SQLite', sqlite, postgres],
  ['PostgreSQL', postgres, sqlite],
] as const)('a store of this release on %s', (_, open, openOther) => {
  it('runs a later release’s migration, and adds its rows, only once', async () => {
    const { storage } = await inUse(open)
    become({ '9001-noted': addsColumn })
    expect(await storage.pendingMigrations()).toEqual(['9001-noted'])
    expect(await storage.migrate()).toEqual(['9001-noted'])
    expect(await storage.pendingMigrations()).toEqual([])
    expect(await storage.migrate()).toEqual([])
    expect(await storage.reads.facts.get('kept')).toBe('yes')
    expect(await notedBy(storage)).toBe('the later release')
  })

  it('still works with this release after a migration that only adds a column', async () => {
    const store = await inUse(open)
    become({ '9001-noted': addsColumn })
    await store.storage.migrate()
    becomeThisRelease()
    expect(await store.storage.newerMigrations()).toEqual([])
    expect(await store.storage.pendingMigrations()).toEqual([])
    expect(await store.storage.migrate()).toEqual([])
    await expectServed(store)
  })

  it('names the migrations after which this release cannot use it', async () => {
    const { storage } = await inUse(open)
    become({ '9001-noted': addsColumn, '9002-breaks-facts': () => [sql`drop table processes`] })
    expect(await storage.migrate()).toEqual(['9001-noted', '9002-breaks-facts'])
    expect(await storage.newerMigrations()).toEqual([])
    becomeThisRelease()
    expect(await storage.newerMigrations()).toEqual(['9002-breaks-facts'])
    // A later `migrate` of this release runs nothing, and the store still cannot be used.
    expect(await storage.migrate()).toEqual([])
    expect(await storage.newerMigrations()).toEqual(['9002-breaks-facts'])
  })

  it('is unchanged if a migration fails, since the migrations before that one are undone too', async () => {
    const store = await inUse(open)
    const columns = await store.storage.columns()
    become({ '9001-noted': addsColumn, '9002-more': failsInTheMiddle })
    await expect(store.storage.migrate()).rejects.toThrow(/noted_by/)
    become({ '9001-more': failsInTheMiddle })
    await expect(store.storage.migrate()).rejects.toThrow(/nowhere/)
    expect(await store.storage.pendingMigrations()).toEqual(['9001-more'])
    becomeThisRelease()
    expect(await store.storage.columns()).toEqual(columns)
    expect(await store.storage.migrate()).toEqual([])
    await expectServed(store)
  })

  it('can be copied by a later release after that has migrated it, but then no longer by this release', async () => {
    const from = await inUse(open)
    become({ '9001-noted': addsColumn })
    const to = await openOther()
    await expect(copyStore(from, to)).rejects.toMatchObject({
      refusal: { reason: 'pending_migrations', pending: ['9001-noted'] },
    })
    await from.storage.migrate()
    expect(await copyStore(from, to)).toMatchObject({ tables: { facts: 1 } })
    expect(await notedBy(to.storage)).toBe('the later release')
    becomeThisRelease()
    const older = copyStore(from, await openOther())
    await expect(older).rejects.toBeInstanceOf(CopyRefusedError)
    await expect(older).rejects.toMatchObject({ refusal: { reason: 'newer_schema', columns: ['facts.noted_by'] } })
  })
})
