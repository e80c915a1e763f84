import type { Storage } from '@sav/core/ports'
import { CompiledQuery } from 'kysely'
import { DeliveryQueue } from '../queue/queue.js'
import type { Wakes } from '../queue/wakes.js'
import { repositoriesOn } from '../repositories/repositories.gen.js'
import type { Connection } from '../statements/connection.js'
import { QueryRunner } from '../statements/query-runner.js'
import type { CompiledStatements } from '../statements/statement.js'
import { type FeatureRepositories, finding } from './feature-tables.js'

/** What an open database provides to the storage. */
export interface Database {
  readonly statements: CompiledStatements
  readonly repositories: FeatureRepositories
  /** Sees committed data only. */
  readonly reads: Connection
  /** See `Storage.transaction`. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** See `Storage.scrub`. */
  scrub(): Promise<void>
  close(): Promise<void>
  readonly wakes: Wakes
}

/** A storage on an open database, as an object that a decorator can spread. */
export function storageOn(database: Database): Storage {
  const { statements, repositories, wakes } = database
  const db = new QueryRunner(statements, database.reads)
  const repositoriesFor = (db: QueryRunner) => ({ ...repositoriesOn(db), of: finding(repositories, db) })

  async function transact<T>(work: (db: QueryRunner) => Promise<T>): Promise<T> {
    let leavesDue = false
    const result = await database.transaction(async (connection) => {
      const db = new QueryRunner(statements, connection)
      const worked = await work(db)
      await db.end()
      leavesDue = db.leavesDue
      return worked
    })
    if (leavesDue) wakes.announce()
    return result
  }

  return {
    reads: repositoriesFor(db),
    queue: new DeliveryQueue(db, transact, wakes),
    transaction: (work) => transact((db) => work(repositoriesFor(db))),
    /**
     * Runs a transaction, though it writes nothing: a store that answers reads but refuses writes counts as
     * unavailable.
     */
    async ping() {
      await database.transaction((connection) => connection.executeQuery(CompiledQuery.raw('select 1')))
    },
    scrub: () => database.scrub(),
    close: () => database.close(),
  }
}
