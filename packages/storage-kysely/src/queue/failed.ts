import { sql } from 'kysely'
import type { QueryRunner } from '../statements/query-runner.js'
import { type Named, statement, table } from '../statements/statement.js'

type Row = { readonly account_id: string; readonly id: string }

const addFailed = statement(
  (_, p: Named<{ rows: string }>, { jsonRows }) => sql<never>`
    insert into ${table('failed_deliveries')} (account_id, created_at, id, event, channel, target)
    select account_id, created_at, id, event, channel, target from ${table('deliveries')}
    where (account_id, id) in (select account_id, id from ${jsonRows(p('rows'), { account_id: 'text', id: 'text' })})`,
)

/** In the transaction in which these deliveries failed. */
export async function noteFailed(db: QueryRunner, failed: readonly Row[]): Promise<void> {
  if (failed.length === 0) return
  await db.send(addFailed, { rows: JSON.stringify(failed.map(({ account_id, id }) => ({ account_id, id }))) })
}
