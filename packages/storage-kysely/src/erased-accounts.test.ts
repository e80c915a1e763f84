import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withOutsideFiles } from '@sav/core/adapter'
import type { Storage } from '@sav/core/ports'
import { seededRandom } from '@sav/core/testing'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createUseCases } from '../../../test/whole/opening.js'
import { everyTable } from '../../../test/whole/tables.js'
import { openFresh } from '../test/databases.js'
import { newFile, openMigrated } from '../test/files.js'
import { actor, openShop, photo } from '../test/shop.js'
import { fileDirectory } from './file-directory.js'
import type { AnyTable } from './tables/table.js'

const long_ago = '2020-01-15T10:30:00.000Z'
/** A clock whose waits are over at once. */
const clock = {
  ms: Date.parse('2026-01-15T10:30:00.000Z'),
  now: () => clock.ms,
  monotonic: () => clock.ms,
  after(delayMs: number, callback: () => void) {
    clock.ms += delayMs
    queueMicrotask(callback)
    return () => {}
  },
}
const sender = { random: seededRandom(3), secretKey: new Uint8Array(32).fill(7), clock }

type OpenStore = Awaited<ReturnType<typeof openMigrated | typeof openFresh>>

/** A row whose values name the account, so that references lead to rows of the same account. */
const rowOf = ({ columns, content }: AnyTable, account: string, n: number) =>
  Object.fromEntries(
    Object.entries(columns).map(([name, { traits }]) => {
      if (name === content || traits.kind === 'bytes') return [name, Buffer.from(account)]
      if (traits.kind === 'whole') return [name, name === 'debut_ms' || name === 'fin_ms' ? null : n]
      return [name, name === 'desactive_le' ? long_ago : traits.kind === 'json' ? JSON.stringify(account) : account]
    }),
  )

const ofAccounts = everyTable.filter(([name, { isOfAccounts }]) => isOfAccounts || name === 'accounts')

async function fillEveryTable({ db }: OpenStore): Promise<void> {
  for (const [name, table] of ofAccounts)
    for (const [n, account] of ['ours', 'theirs'].entries()) {
      const row = rowOf(table, account, n + 1)
      const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)))
      await sql`insert into ${sql.table(name)} (${columns}) values (${sql.join(Object.values(row))})`.execute(db)
    }
}

/** The tables with a value that names `account`. */
async function tablesNaming({ db }: OpenStore, account: string): Promise<string[]> {
  const naming: string[] = []
  for (const [name] of everyTable) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db)
    const cells = rows.flatMap((row) =>
      Object.values(row).map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value)),
    )
    if (cells.some((cell) => typeof cell === 'string' && cell.includes(account))) naming.push(name)
  }
  return naming
}

describe.each([
  ['SQLite', () => openMigrated(newFile())],
  ['PostgreSQL', () => openFresh()],
])('an account that is erased, on %s', (_, open) => {
  it.each([false, true])(
    'leaves only the record of its erasure in the tables (option everything: %s)',
    async (everything) => {
      const storage = await open()
      onTestFinished(() => storage.close())
      await fillEveryTable(storage)
      const before = await tablesNaming(storage, 'theirs')
      expect(before.toSorted()).toEqual(ofAccounts.map(([name]) => name).toSorted())
      await createUseCases({ storage, ...sender }).accounts.erase('ours', { everything })
      expect(await tablesNaming(storage, 'ours')).toEqual(
        everything ? ['erased_accounts'] : ['erased_accounts', 'erased_entries'],
      )
      expect(await tablesNaming(storage, 'theirs')).toEqual(before)
      const found = await storage.reads.erasedAccounts.find('ours')
      expect(found).toMatchObject({ date: expect.stringMatching(/^2026/), sequence: 1, hash_entree: 'ours' })
    },
  )
})

/** A storage whose transactions all fail after the first `last`, as if the process was killed. */
const killedAfter = (storage: Storage, last: number): Storage => {
  let count = 0
  return {
    ...storage,
    transaction: async (work) => {
      count += 1
      if (count > last) throw new Error('killed')
      return storage.transaction(work)
    },
  }
}

/** A shop with files in a directory, three closed cases, and a file that no case names. */
async function openHouse() {
  const root = mkdtempSync(join(tmpdir(), 'sav-erased-'))
  const store = await openMigrated(newFile())
  onTestFinished(async () => {
    await store.close()
    rmSync(root, { recursive: true })
  })
  const contents = fileDirectory(root)
  const storage = withOutsideFiles(store, { contents, clock })
  const { sav } = await openShop(storage)
  for (const name of ['une', 'deux', 'trois']) {
    const { id } = await sav.cases.create(actor, {
      client_id: 1,
      description: `La porte ${name} ne ferme plus`,
      photos: [photo(name)],
    })
    await sav.cases.close(actor, id, { resolution: `Porte ${name} réglée.`, photo_apres: photo(`après ${name}`) })
  }
  await contents.put('default', { sha256: 'f'.repeat(64), media_type: 'image/jpeg', content: Buffer.from('orphan') })
  await contents.put('theirs', { sha256: 'e'.repeat(64), media_type: 'image/jpeg', content: Buffer.from('theirs') })
  const [anchor] = await sav.evidence.anchors()
  if (anchor === undefined) throw new Error('No case was closed.')
  return { root, store, storage, sav, anchor }
}

const filesIn = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    : []

it('an erasure that is killed between two transactions is completed by the next one, with the files', async () => {
  for (let last = 0; ; last += 1) {
    const { root, store, storage, sav, anchor } = await openHouse()
    const killed = await createUseCases({ storage: killedAfter(storage, last), ...sender })
      .accounts.erase('default')
      .then(
        () => false,
        (error: Error) => error.message === 'killed',
      )
    if (killed && last > 0) {
      const report = await sav.evidence.verify('default', { anchors: [anchor] })
      expect(report).toMatchObject({ broken: [], erased: [{ account: 'default' }] })
    }
    const done = await sav.accounts.erase('default')
    expect(done).toMatchObject({ sequence: 3, hash_entree: anchor.hash_entree, chain_erased_at: null })
    expect(await tablesNaming(store, 'default')).toEqual(['erased_accounts', 'erased_entries'])
    expect([filesIn(join(root, 'default')), filesIn(join(root, 'theirs')).length]).toEqual([[], 1])
    const report = await sav.evidence.verify('default', { anchors: [anchor] })
    expect(report).toMatchObject({ checked: 3, broken: [], erased: [{ sequence: 3, hash_entree: anchor.hash_entree }] })
    await expect(sav.accounts.add(actor, 'default')).rejects.toMatchObject({ code: 'account_name_erased' })
    if (!killed) return expect(last).toBeGreaterThan(10)
  }
}, 120_000)

it('an interrupted erasure of everything is resumed as one of everything, and its account stays disabled', async () => {
  const { storage, sav, anchor } = await openHouse()
  const halfway = createUseCases({ storage: killedAfter(storage, 4), ...sender })
  await expect(halfway.accounts.erase('default', { everything: true })).rejects.toThrow('killed')
  await expect(sav.accounts.enable(actor)).rejects.toMatchObject({ code: 'account_being_erased' })
  const done = await sav.accounts.erase('default')
  expect(done).toMatchObject({ sequence: 3, hash_entree: anchor.hash_entree, chain_erased_at: expect.any(String) })
  const verified = (changes: object) => sav.evidence.verify('default', { anchors: [{ ...anchor, ...changes }] })
  expect(await verified({})).toMatchObject({ checked: 0, broken: [], erased: [{ sequence: 3 }] })
  expect(await verified({ sequence: 2 })).toMatchObject({ broken: [] })
  expect(await verified({ hash_entree: 'e'.repeat(64) })).toMatchObject({
    broken: [{ problem: expect.stringMatching(/rewritten/) }],
  })
  expect(await verified({ sequence: 4 })).toMatchObject({
    broken: [{ problem: expect.stringMatching(/entry 4, but .* entry 3/) }],
  })
  await expect(sav.accounts.erase('nobody')).rejects.toMatchObject({ code: 'not_found' })
})

it('the record of an erasure shows who began it, and who erased the chain', async () => {
  const { sav, anchor } = await openHouse()
  const marie = 'cli:root (sudo by marie)'
  const first = { begun_by: marie, chain_erased_by: null }
  expect(await sav.accounts.erase('default', { by: marie })).toMatchObject(first)
  // A repetition changes nothing.
  expect(await sav.accounts.erase('default', { by: 'cli:paul' })).toMatchObject(first)
  const both = { begun_by: marie, chain_erased_by: 'cli:paul' }
  expect(await sav.accounts.erase('default', { everything: true, by: 'cli:paul' })).toMatchObject(both)
  await sav.accounts.erase('default', { everything: true, by: 'cli:zoe' })
  const told = async () => (await sav.evidence.verify('default', { anchors: [anchor] })).erased
  expect([await sav.accounts.erased(), await told()]).toMatchObject([[both], [both]])
})

it('each digest that an erasure keeps is verified, and digests cut off at the end are found missing', async () => {
  const { store, sav, anchor } = await openHouse()
  await sav.accounts.erase('default')
  const problems = async (anchors: object[] = []) =>
    (
      await sav.evidence.verify('default', { anchors: anchors.map((changes) => ({ ...anchor, ...changes })) })
    ).broken.map(({ problem }) => problem)
  expect(await problems([{}, { sequence: 4 }, { sequence: 1 }])).toEqual([
    expect.stringMatching(/rewritten/),
    expect.stringMatching(/entry 4, which is not in the chain/),
  ])
  await sql`update erased_entries set reference = 'SAV-2026-00009' where sequence = 2`.execute(store.db)
  expect(await problems()).toEqual([expect.stringMatching(/hash_entree does not match/)])
  await sql`delete from erased_entries where sequence > 1`.execute(store.db)
  expect(await problems()).toEqual([expect.stringMatching(/erased after entry 3/)])
  // Once everything is erased, no entry is left that could differ from an anchor.
  expect(await sav.accounts.erase('default', { everything: true })).toMatchObject({ sequence: 3 })
  expect(await problems([{}])).toEqual([])
  expect(await store.reads.erasedAccounts.walk('default', { afterSequence: 0, limit: 9 })).toEqual([])
})
