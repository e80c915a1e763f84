import type { AuditQuery, AuditRecord, AuditWrites } from '@sav/core/ports'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Dialect } from '../statements/dialect.js'
import { Repository } from '../statements/query-runner.js'
import { insertions } from '../statements/rows-statement.js'
import { type QueryParams, shapes, statement, table } from '../statements/statement.js'
import { type Schema, tables } from '../tables/tables.js'
import { beginsAfter, isAfter, type PlaceParams, placeParams } from './pages.js'

/** The account of calls without a known account. */
const noAccount = ''

type Query = {
  readonly account_id: string
  readonly since?: string | undefined
  readonly before?: string | undefined
  readonly key_id?: string | undefined
  readonly user_id?: string | undefined
  readonly target?: string | undefined
  readonly writes?: 1 | undefined
  readonly limit: number
} & PlaceParams

// First selects the keys of the page, which needs only the primary key or the indexes audit_key and audit_user. If it
// selected whole rows at once, SQLite would read all rows of the account in order.
const listCalls = shapes((bound) =>
  statement((db, p: QueryParams<Query>) => {
    const page = db
      .selectFrom('audit')
      .select(['time', 'id'])
      .where('account_id', '=', p('account_id'))
      .$if(bound.has('key_id'), (calls) => calls.where('key_id', '=', p('key_id')))
      .$if(bound.has('user_id'), (calls) => calls.where('user_id', '=', p('user_id')))
      .$if(bound.has('target'), (calls) => calls.where('target', '=', p('target')))
      .$if(bound.has('writes'), (calls) => calls.where('method', 'not in', ['GET', 'HEAD', 'OPTIONS']))
      .$if(bound.has('since'), (calls) => calls.where('time', '>=', p('since')))
      .$if(bound.has('before'), (calls) => calls.where('time', '<', p('before')))
      .$if(beginsAfter(bound), (calls) => calls.where(isAfter([sql.ref('time'), sql.ref('id')], '<', p)))
      .orderBy('time', 'desc')
      .orderBy('id', 'desc')
      .limit(p('limit'))
    return sql<Selectable<Schema['audit']>>`
      select audit.* from (${page}) as page cross join ${table('audit')}
      where audit.account_id = ${p('account_id')} and audit.time = page.time and audit.id = page.id
      order by page.time desc, page.id desc`
  }),
)

const addCalls = insertions('audit', tables.audit.casts(tables.audit.names))

/** The old calls of each account, and the old calls without an account. Uses the primary key. */
const callsBefore = (before: RawBuilder<string>, { ofEachAccount }: Dialect) => {
  const owners = sql`(select id from ${table('accounts')} union all select ${sql.lit(noAccount)}) as accounts`
  const { from, where } = ofEachAccount('audit', sql`audit.time < ${before}`, owners)
  return sql`from ${from} where ${where}`
}
const deleteCalls = statement(
  (_, p: QueryParams<{ before: string; limit: number }>, dialect) =>
    sql<never>`delete from ${table('audit')} where (account_id, time, id) in (
      select audit.account_id, audit.time, audit.id ${callsBefore(p('before'), dialect)} limit ${p('limit')}
    )`,
)
const countCalls = statement(
  (_, p: QueryParams<{ before: string }>, dialect) =>
    sql<{ count: number }>`select count(*) as count ${callsBefore(p('before'), dialect)}`,
)

export class Audit extends Repository implements AuditWrites {
  async list(account_id: string | null, { before, after, writes, ...query }: AuditQuery): Promise<AuditRecord[]> {
    // Binds only the stricter of the two bounds: with both, SQLite uses no index.
    const end =
      after !== undefined && !(before !== undefined && before <= String(after[0])) ? placeParams(after) : { before }
    const values = { account_id: account_id ?? noAccount, ...query, writes: writes && (1 as const), ...end }
    const rows = await this.db.all(listCalls(values), values)
    return rows.map((row) => ({ ...row, account_id: row.account_id === noAccount ? null : row.account_id }))
  }

  async add(calls: readonly AuditRecord[]): Promise<void> {
    await this.db.defer(
      addCalls,
      calls.map((call) => ({ ...call, account_id: call.account_id ?? noAccount })),
    )
  }

  purge(before: string, limit: number): Promise<number> {
    return this.db.run(deleteCalls, { before, limit })
  }

  async purgeable(before: string): Promise<number> {
    return (await this.db.one(countCalls, { before })).count
  }
}
