import { type QueryParams, Repository, type schema, statementsOf, table } from '@sav/storage-kysely/feature'
import { type Selectable, sql } from 'kysely'
import type { FollowUpRecord } from '../follow-ups/follow-up.js'
import type { FollowUpWrites } from '../follow-ups/follow-up-store.js'
import { tables } from './tables.js'

type Schema = schema.KyselyTables<typeof tables>
const { deletion, insertion, lookUpBy, statement } = statementsOf<Schema>()

const findFollowUp = lookUpBy('a_traiter', ['account_id', 'id'], { columns: tables.a_traiter.names })
// Reads in the order of the index a_traiter_open.
const listOpen = statement((db, p: QueryParams<{ account_id: string; limit: number }>) =>
  db
    .selectFrom('a_traiter')
    .select(tables.a_traiter.names)
    .where('account_id', '=', p('account_id'))
    .where('fait_le', 'is', null)
    .orderBy('depuis', 'desc')
    .orderBy('id', 'desc')
    .limit(p('limit')),
)
const listDone = statement(
  (_, p: QueryParams<{ account_id: string; ids: string }>, { jsonRows }) => sql<{ id: string }>`
    select a_traiter.id from ${jsonRows(p('ids'), { id: 'text' })} cross join ${table('a_traiter')}
    where a_traiter.account_id = ${p('account_id')} and a_traiter.id = input.id and a_traiter.fait_le is not null`,
)
const saveFollowUp = insertion(
  'a_traiter',
  tables.a_traiter.names,
  sql<never>`on conflict (account_id, id) do update set fait_le = excluded.fait_le, fait_par = excluded.fait_par
    where a_traiter.fait_le is null`,
)
// Uses the index a_traiter_client.
const forgetClient = deletion('a_traiter', ['account_id', 'client_id'])

export class FollowUps extends Repository implements FollowUpWrites {
  async find(account_id: string, id: string): Promise<FollowUpRecord | null> {
    const row = await this.db.find(findFollowUp, { account_id, id })
    return row && toRecord(row)
  }

  async open(account_id: string, limit: number): Promise<FollowUpRecord[]> {
    return (await this.db.all(listOpen, { account_id, limit })).map(toRecord)
  }

  async done(account_id: string, ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return []
    const rows = await this.db.all(listDone, { account_id, ids: JSON.stringify(ids.map((id) => ({ id }))) })
    return rows.map(({ id }) => id)
  }

  async save({ fait, ...record }: FollowUpRecord): Promise<void> {
    const row = { ...record, fait_le: fait?.le ?? null, fait_par: fait?.par ?? null }
    await this.db.run(saveFollowUp, tables.a_traiter.written(row))
  }

  async forget(account_id: string, client_id: number): Promise<void> {
    await this.db.run(forgetClient, { account_id, client_id })
  }
}

function toRecord(row: Selectable<Schema['a_traiter']>): FollowUpRecord {
  const { fait_le, fait_par, ...record } = tables.a_traiter.read(row)
  return { ...record, fait: fait_le === null || fait_par === null ? null : { le: fait_le, par: fait_par } }
}
