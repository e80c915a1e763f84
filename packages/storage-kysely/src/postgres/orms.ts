import { hasEnded } from '../statements/connection.js'
import type { PgClient } from './callers.js'

const partOf = (value: unknown, name: string): unknown => Object(value)[name]
const isClient = (value: unknown): value is PgClient => typeof partOf(value, 'query') === 'function'

/**
 * A transaction of Drizzle on node-postgres, for `storage.inTransaction`: the argument of `db.transaction(async (tx) =>
 * …)`.
 * @throws TypeError for anything else
 */
export function fromDrizzle(tx: object): PgClient {
  const client = partOf(partOf(tx, 'session'), 'client')
  if (typeof partOf(tx, 'rollback') === 'function' && isClient(client)) return client
  throw new TypeError(
    'fromDrizzle takes the `tx` of `db.transaction(async (tx) => …)` of drizzle-orm/node-postgres. On better-sqlite3 ' +
      'use `storage.transactionOn(database, async (storageInside) => …)`.',
  )
}

/** A transaction of Knex on `pg`. */
export interface KnexTransaction {
  readonly client: { acquireConnection(): Promise<unknown> }
  isCompleted(): boolean
}

/**
 * A transaction of Knex on `pg`, for `storage.inTransaction`: the argument of `knex.transaction(async (trx) => …)`.
 * @throws TypeError for anything else
 */
export function fromKnex(trx: KnexTransaction): PgClient {
  if (typeof partOf(trx, 'isCompleted') !== 'function')
    throw new TypeError('fromKnex takes the `trx` of `knex.transaction(async (trx) => …)`.')
  const connection = trx.client.acquireConnection()
  return {
    async query(config) {
      const client = await connection
      if (isClient(client)) return client.query(config)
      throw new TypeError(
        'This Knex is not on pg. On better-sqlite3 use `storage.transactionOn(database, async (storageInside) => …)`.',
      )
    },
  }
}

/** An interactive transaction of Prisma. */
export interface PrismaTransaction {
  $queryRawUnsafe(query: string, ...values: unknown[]): Promise<unknown>
  $executeRawUnsafe(query: string, ...values: unknown[]): Promise<number>
}

const returnsRows = /^\s*select\b|\breturning\b|\)\s*select\b/i

/**
 * A transaction of Prisma on PostgreSQL, for `storage.inTransaction`: the argument of `prisma.$transaction(async (tx)
 * => …)`.
 * @throws TypeError for anything else
 */
export function fromPrisma(tx: PrismaTransaction): PgClient {
  if (typeof partOf(tx, '$queryRawUnsafe') !== 'function' || typeof partOf(tx, '$disconnect') === 'function')
    throw new TypeError('fromPrisma takes the `tx` of `prisma.$transaction(async (tx) => …)`.')
  return {
    async query({ text, values }) {
      try {
        if (!returnsRows.test(text)) return { rows: [], rowCount: await tx.$executeRawUnsafe(text, ...values) }
        const rows = await tx.$queryRawUnsafe(text, ...values)
        if (!Array.isArray(rows)) throw new TypeError('Prisma returned no rows.')
        return { rows: rows.map(withoutBigInts), rowCount: rows.length }
      } catch (error) {
        throw byServer(error)
      }
    },
  }
}

/** Turns BigInts of a row into numbers, as `numberParsers` does for `pg`. */
const withoutBigInts = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  )

/** The server's error, with its code and message, from Prisma's wrapper. */
function byServer(error: unknown): unknown {
  // The transaction has ended, or exceeded Prisma's `timeout`.
  if (partOf(error, 'code') === 'P2028') return Object.assign(hasEnded(), { cause: error })
  const cause = partOf(partOf(partOf(error, 'meta'), 'driverAdapterError'), 'cause')
  const [code, message] = [partOf(cause, 'originalCode'), partOf(cause, 'originalMessage')]
  if (typeof code !== 'string') return error
  return Object.assign(new Error(String(message), { cause: error }), { code })
}
