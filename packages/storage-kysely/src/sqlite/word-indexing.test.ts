import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newFile, newStore, openMigrated } from '../../test/files.js'
import { withoutTransaction } from '../statements/connection.js'
import { CompiledStatements } from '../statements/statement.js'
import { storeTables } from '../tables/store-tables.js'
import type { Schema } from '../tables/tables.js'
import { sqliteDialect } from './dialect.js'
import { rowsAtOnce, WordIndexing } from './word-indexing.js'

const at = '2026-12-24T17:59:59.999Z'

/** Adds cases to the file of a store, as another process does. */
function addCases(database: Sqlite.Database, count: number): void {
  database.exec(`insert or ignore into accounts (id, created_at) values ('ours', '${at}')`)
  database.exec(`insert or ignore into clients (account_id, id, nom, prenom, recherche_nom, recherche_email)
    values ('ours', 1, 'Lefèvre', 'Zoé', 'lefevre zoe', '')`)
  database.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
    insert into cases (account_id, annee, numero, client_id, statut, priorite, type_probleme, description, photos,
      date_creation, date_modification, version, historique_numero, historique_hash, recherche, recherche_client)
    select 'ours', 2026, i + (select count(*) from cases), 1, 'ouvert', 'normale', 'autre', 'x', '[]', '${at}', '${at}', 1, 1, '',
      'sav 2026 la porte du four frotte contre le plan de travail depuis la pose n' || i, 'lefevre zoe'
    from n`)
}

const indexedIn = (database: Sqlite.Database) =>
  database.prepare<[], number>('select count(*) from cases_words_docsize').pluck().get() ?? 0
const piecesIn = (database: Sqlite.Database) =>
  database.prepare<[], number>('select count(distinct segid) from cases_words_idx').pluck().get() ?? 0

/** A store to which only the indexing of words writes, and the number of rows that each transaction indexed. */
async function indexing(isBusy: (waiting: number) => boolean = () => false) {
  const database = new Sqlite(await newStore({}))
  onTestFinished(() => void database.close())
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) })
  const indexed: number[] = []
  const waiting = () => Number(database.prepare('select max(id) from cases').pluck().get()) - indexedIn(database)
  const words = new WordIndexing(
    {
      transaction: (work) =>
        db.transaction().execute(async (trx) => {
          const before = indexedIn(database)
          const result = await work({ ...withoutTransaction, executeQuery: (query) => trx.executeQuery(query) })
          const more = indexedIn(database) - before
          if (more > 0) indexed.push(more)
          return result
        }),
      reads: { ...withoutTransaction, executeQuery: (query) => db.executeQuery(query) },
      isBusy: () => isBusy(waiting()),
    },
    new CompiledStatements(db, { dialect: sqliteDialect, tables: storeTables([]) }),
  )
  return { database, words, indexed }
}

describe('the words of added cases', () => {
  it.each([
    [31, []],
    [32, [32]],
    [127, [127]],
    [300, [128, 128, 44]],
  ])('of %i cases are indexed in steps of 128: %j', async (count, steps) => {
    const { database, words, indexed } = await indexing()
    addCases(database, count)
    await words.look()
    expect(indexed).toEqual(steps)
  })

  it.each([
    [0, 128],
    [20_000, 128],
    [20_001, 127],
    [1_280_000, 2],
    [2_560_000, 1],
    [50_000_000, 1],
  ])('are indexed in steps of about 20,000 characters: if 128 cases have %i, %i cases at once', (characters, rows) => {
    expect(rowsAtOnce(characters)).toBe(rows)
  })

  it('are merged into a few segments of the index', async () => {
    const { database, words, indexed } = await indexing()
    addCases(database, 20 * 128)
    await words.look()
    expect(indexed).toEqual(Array.from({ length: 20 }, () => 128))
    expect(piecesIn(database)).toBeLessThan(16)
    await words.mergeAll()
    expect(piecesIn(database)).toBe(1)
  })

  it('are indexed after a commit of any process, and can be found before and after that', async () => {
    const file = newFile()
    const storage = await openMigrated(file)
    const other = new Sqlite(file)
    onTestFinished(async () => {
      other.close()
      await storage.close()
    })
    const total = async () =>
      (await storage.reads.cases.list('ours', { recherche: 'frotte n1' }, { page: 1, limite: 1 })).total
    addCases(other, 1500)
    expect(indexedIn(other)).toBe(0)
    expect(await total()).toBe(1 + 10 + 100 + 501)
    await storage.transaction((tx) => tx.facts.set('any', 'thing'))
    while (indexedIn(other) < 1500 - 31) {
      await new Promise(setImmediate)
      expect(await total()).toBe(1 + 10 + 100 + 501)
    }
  })
})
