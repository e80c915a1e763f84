import { rm } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { PostgresStorage } from '../src/postgres.js'
import type { SqliteStorage } from '../src/sqlite.js'

/** Every asynchronous method of a store: a new one does not type-check until it is listed here. */
type OperationsOf<Storage> = {
  readonly [Name in keyof Storage as NonNullable<Storage[Name]> extends (...args: never[]) => Promise<unknown>
    ? Name
    : never]-?: (storage: Storage) => Promise<unknown>
}

/** Enough for several steps of indexing and merging words. */
const cases = 320

async function addCases({ db }: SqliteStorage | PostgresStorage): Promise<void> {
  const at = sql.lit('2026-12-24T17:59:59.999Z')
  await sql`insert into accounts (id, created_at) values ('ours', ${at})`.execute(db)
  await sql`insert into clients (account_id, id, nom, prenom, recherche_nom, recherche_email)
    values ('ours', 1, 'Lefèvre', 'Zoé', 'lefevre zoe', '')`.execute(db)
  await sql`insert into cases (account_id, annee, numero, client_id, statut, priorite, type_probleme, description, photos,
      date_creation, date_modification, version, historique_numero, historique_hash, recherche, recherche_client)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(cases)})
    select 'ours', 2026, i, 1, 'ouvert', 'normale', 'autre', 'x', '[]', ${at}, ${at}, 1, 1, '',
      'sav 2026 la porte du four frotte contre le plan de travail depuis la pose n' || i, 'lefevre zoe'
    from n`.execute(db)
}

const ofBoth = {
  migrate: (storage) => storage.migrate(),
  async transaction(storage) {
    await addCases(storage)
    await storage.transaction((tx) => tx.facts.set('any', 'thing'))
  },
  scrub: (storage) => storage.scrub(),
  ping: (storage) => storage.ping(),
  describe: (storage) => Promise.resolve(storage.describe?.()),
  pendingMigrations: (storage) => storage.pendingMigrations(),
  newerMigrations: (storage) => storage.newerMigrations(),
  hasTables: (storage) => storage.hasTables(),
  columns: (storage) => storage.columns(),
  featuresHeld: (storage) => storage.featuresHeld(),
  failedReports: (storage) => storage.failedReports(1),
  waitingLetters: (storage) => storage.waitingLetters(),
} satisfies Partial<OperationsOf<SqliteStorage> & OperationsOf<PostgresStorage>>

/** The operations, in the order in which they run. The first one finds a new store, and the last one closes it. */
export const operations = {
  sqlite: {
    ...ofBoth,
    async scrub(storage) {
      while ((await indexedCases(storage)) < cases - 31) await setImmediate()
      await storage.scrub()
    },
    async transactionOn(storage) {
      const { default: Sqlite } = await import('better-sqlite3')
      const theirs = new Sqlite((await fileOf(storage)) ?? '')
      await storage.transactionOn(theirs, async (inside) => {
        await inside.transaction((tx) => tx.facts.set('their', 'thing'))
      })
      theirs.close()
    },
    async copyTo(storage) {
      const copy = `${await fileOf(storage)}-copy`
      await storage.copyTo(copy, () => {})
      await rm(copy)
    },
    async close(storage) {
      const queue = storage.queueInThread()
      await queue.counts()
      await storage.close()
    },
  } satisfies OperationsOf<SqliteStorage>,
  postgres: {
    ...ofBoth,
    facts: (storage) => storage.facts(),
    snapshot: (storage) => storage.snapshot((db) => db.selectFrom('facts').selectAll().execute()),
    async close(storage) {
      storage.queue.watch(() => {})
      await storage.close()
    },
  } satisfies OperationsOf<PostgresStorage>,
}

async function indexedCases({ db }: SqliteStorage): Promise<number> {
  const { rows } = await sql<{ cases: number }>`select count(*) as cases from cases_words_docsize`.execute(db)
  return rows[0]?.cases ?? 0
}

async function fileOf({ db }: SqliteStorage): Promise<string | undefined> {
  const { rows } = await sql<{ file: string }>`select file from pragma_database_list`.execute(db)
  return rows[0]?.file
}
