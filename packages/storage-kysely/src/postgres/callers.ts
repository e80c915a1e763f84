import type { CompiledQuery } from 'kysely'
import { type KyselyTransaction, refuseWithoutTransaction } from '../in-transaction.js'
import { asSelected } from '../rows.js'
import type { Executor } from '../statements/connection.js'
import { numberParsers, withNumbers } from './numbers.js'
import { inTurn } from './sending.js'
import { storable } from './transaction.js'

/** A client of `pg` with a transaction begun, as `pool.connect()` gives it. */
export interface PgClient {
  query(config: {
    readonly text: string
    readonly values: unknown[]
    readonly types: typeof numberParsers
  }): Promise<{ readonly rows: unknown[]; readonly rowCount: number | null }>
}

/** A transaction that the caller began on the same database, and ends: Kysely's, or that of a client of `pg`. */
export type PostgresTransactionOfCaller = KyselyTransaction | PgClient

/** Numbers are read as numbers, whatever the parsers and plugins of the caller's do. */
export function onCallersPostgres(theirs: PostgresTransactionOfCaller): Executor {
  if ('withoutPlugins' in theirs) {
    refuseWithoutTransaction(theirs)
    const plain = theirs.withoutPlugins()
    return {
      async executeQuery<R>({ parameters, ...query }: CompiledQuery<R>) {
        const result = await plain.executeQuery<R>({ ...query, parameters: parameters.map(storable) })
        withNumbers(result.rows)
        return result
      },
    }
  }
  const sending = inTurn((query: Parameters<PgClient['query']>[0]) => theirs.query(query))
  return {
    async executeQuery<R>({ sql, parameters }: CompiledQuery<R>) {
      const values = parameters.map(storable)
      const { rows, rowCount } = await sending({ text: sql, values, types: numberParsers })
      return { rows: asSelected<R>(rows), numAffectedRows: BigInt(rowCount ?? 0) }
    },
  }
}
