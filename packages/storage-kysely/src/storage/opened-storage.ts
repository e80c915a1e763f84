import type { Storage } from '@sav/core/ports'
import type { Kysely } from 'kysely'
import type { StoreTables } from '../tables/store-tables.js'
import type { Schema } from '../tables/tables.js'
import type { FeatureParts, FeatureTables } from './feature-tables.js'
import { type CallersTransaction, inTransaction, type KyselyTransaction } from './in-transaction.js'
import { featuresHeld, hasTables, type Layout, lastMigration, newerMigrations, pendingMigrations } from './migrate.js'
import { NotMigratedError } from './not-migrated.js'
import { type Database, storageOn } from './storage.js'

/** An open store of either kind, with what a program needs to run it or to keep its own tables beside it. */
export interface OpenedStorage<Theirs = KyselyTransaction> extends Storage {
  /**
   * The store's tables, under the names of `Schema` wherever they are, and the caller's own in the same database:
   * `db.$extendTables<Yours>()`. If one of your tables has the same name as a table of `Schema`, use
   * `db.withoutPlugins()` for it.
   */
  readonly db: Kysely<Schema>
  /**
   * The storage inside the caller's transaction on the same database: what it writes commits with the caller's rows. It
   * is valid only for that transaction: afterwards every call is refused before anything is written. A call that was
   * not awaited is refused too, once the transaction has ended.
   * @throws TypeError outside a transaction, before anything is written; if only the server can tell, the first call of
   *   the storage rejects with it
   */
  inTransaction(theirs: Theirs): Storage
  /**
   * Brings the schema up to date, once even if several processes try. Resolves to the names of the migrations that ran.
   * It emits a process warning when the existing store is not where a new one would be created.
   */
  migrate(): Promise<string[]>
  /** Names of the migrations that have not run yet. */
  pendingMigrations(): Promise<string[]>
  /**
   * Calls `told` after each commit with the number of transactions that shared it. `told` replaces the function of an
   * earlier call.
   */
  watchCommits(told: OnCommit): void
  /** Names of a later release's migrations that have run, and with which this release cannot use the store. */
  newerMigrations(): Promise<string[]>
  /** Whether there is a store in the database, of any version. */
  hasTables(): Promise<boolean>
  featuresHeld(): Promise<string[]>
  /** The features that the store was opened with. */
  readonly features: readonly FeatureTables[]
  /** The tables of the core, and of these features. */
  readonly tables: StoreTables
  /** Every column of the store's tables, as `table.column`. */
  columns(): Promise<string[]>
  /** The latest closes whose report was not delivered, at most `limit`, without cases closed again since. */
  failedReports(limit: number): Promise<FailedReport[]>
  waitingLetters(): Promise<WaitingLetters>
}

/** Letters that wait for an attempt, over all accounts. */
export interface WaitingLetters {
  readonly total: number
  /** When the oldest of them was made, an instant. */
  readonly oldest: string | null
  /** Why its last attempt failed; null if none has failed, or the reason is unknown. */
  readonly last_error: string | null
}

/** A report that could not be delivered, for the diagnosis of an installation. */
export interface FailedReport {
  readonly account_id: string
  readonly reference: string
  readonly created_at: string
}

/** Called with each commit. It must neither throw nor wait. */
export type OnCommit = (transactions: number) => void

/** What the two kinds of store do differently. */
export interface StoreParts<Theirs> {
  /** See `OpenedStorage`. */
  readonly migrate: () => Promise<string[]>
  /** A notice about where the store was found, for a process warning. */
  readonly notice: string | null
  /** The error for the storage's callers, after a failed statement of `db`. */
  readonly failure: (error: unknown) => unknown
  /** @throws TypeError */
  readonly join: (theirs: Theirs) => CallersTransaction
}

export function openedOn<Theirs>(
  database: Database & { readonly kysely: Kysely<Schema>; onCommit: OnCommit },
  layout: Layout & Pick<FeatureParts, 'features'>,
  { migrate, notice, failure, join }: StoreParts<Theirs>,
): OpenedStorage<Theirs> {
  const { kysely: db } = database
  const plain = db.withoutPlugins()
  const told = <Args extends readonly unknown[], T>(ask: (...args: Args) => Promise<T>) => {
    return async (...args: Args): Promise<T> => {
      try {
        return await ask(...args)
      } catch (error) {
        throw failure(error)
      }
    }
  }
  return {
    ...storageOn(database),
    features: layout.features,
    tables: layout.tables,
    db,
    inTransaction: (theirs) => storageOn(inTransaction(join(theirs), database)),
    async migrate() {
      if (notice !== null) process.emitWarning(notice, { code: 'SAV_STORE_PLACE' })
      return migrate().catch((error: unknown) => {
        throw error instanceof NotMigratedError ? error.cause : error
      })
    },
    watchCommits(told) {
      database.onCommit = told
    },
    describe: told(async () => ({ database: layout.dialect.database, schema: await lastMigration(plain, layout) })),
    pendingMigrations: told(() => pendingMigrations(plain, layout)),
    newerMigrations: told(() => newerMigrations(plain, layout)),
    hasTables: told(() => hasTables(plain, layout)),
    featuresHeld: told(() => featuresHeld(plain, layout)),
    columns: told(() => columnsOf(plain, layout)),
    failedReports: told((limit: number) => failedReports(db, limit)),
    waitingLetters: told(() => waitingLetters(db)),
  }
}

async function columnsOf(
  db: Kysely<Schema>,
  { names: { schema, prefix }, dialect, tables }: Layout,
): Promise<string[]> {
  const { rows } = await dialect.ddl.findTable(`${prefix}facts`, schema).execute(db)
  const found = await db.introspection.getTables()
  return found.flatMap(({ name, schema = null, columns }) => {
    const plain = name.slice(prefix.length)
    const isOwn = schema === (rows[0]?.schema ?? null) && name.startsWith(prefix) && tables.all.has(plain)
    return isOwn ? columns.map((column) => `${plain}.${column.name}`) : []
  })
}

// Uses the index deliveries_letters.
async function waitingLetters(db: Kysely<Schema>): Promise<WaitingLetters> {
  const waiting = db.selectFrom('deliveries').where('channel', '<>', 'webhook').where('state', '=', 'pending')
  const { total } = await waiting.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const oldest = await waiting.select(['created_at', 'last_error']).orderBy('created_at').limit(1).executeTakeFirst()
  return { total, oldest: oldest?.created_at ?? null, last_error: oldest?.last_error ?? null }
}

async function failedReports(db: Kysely<Schema>, limit: number): Promise<FailedReport[]> {
  return db
    .selectFrom('reports')
    .select(['account_id', 'reference', 'created_at'])
    .where('statut', '=', 'echec')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('reports as later')
            .select('later.sequence')
            .whereRef('later.account_id', '=', 'reports.account_id')
            .whereRef('later.case_id', '=', 'reports.case_id')
            .whereRef('later.sequence', '>', 'reports.sequence'),
        ),
      ),
    )
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
}
