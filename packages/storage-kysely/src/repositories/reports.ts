import type { ReportRecord, ReportWrites } from '@sav/core/ports'
import { sql } from 'kysely'
import { Repository } from '../statements/query-runner.js'
import {
  insertion,
  lookUpBy,
  type QueryParams,
  replacement,
  selection,
  statement,
  table,
} from '../statements/statement.js'
import { tables } from '../tables/tables.js'

const findReport = lookUpBy('reports', ['account_id', 'sequence'])
// Reads in the order of the index reports_case.
const listOfCase = selection('reports', ['account_id', 'case_id'], { order: ['sequence'] })
// Uses the index reports_event.
const findOfEvent = selection('reports', ['account_id', 'event_id'])
// Reads in the order of the index reports_undrawn.
const listUndrawn = statement(
  (_, p: QueryParams<{ limit: number; passed_over: string }>, { jsonRows }) => sql<ReportRecord>`
    select * from ${table('reports')}
    where pdf is null and erased_at is null
      and account_id not in (select account_id from ${jsonRows(p('passed_over'), { account_id: 'text' })})
    order by created_at, account_id, sequence
    limit ${p('limit')}`,
)
// Reads in the order of the index reports_failed.
const listFailed = statement(
  (_, p: QueryParams<{ account_id: string; limit: number }>) => sql<ReportRecord>`
    select * from ${table('reports')}
    where account_id = ${p('account_id')} and statut = 'echec' and erased_at is null
    order by sequence desc
    limit ${p('limit')}`,
)
/** The deliveries of a report, which were created with it: by the index deliveries_recent. */
const itsDeliveries = sql`select 1 from ${table('deliveries')}
  where deliveries.account_id = reports.account_id and deliveries.created_at = reports.created_at
    and deliveries.event_id = reports.event_id`
// Reads in the order of the index reports_waiting.
const listUnsettled = statement(
  (_, p: QueryParams<{ limit: number }>) => sql<ReportRecord>`
    select * from ${table('reports')}
    where statut = 'en_file'
      and (exists (${itsDeliveries} and state = 'delivered') or not exists (${itsDeliveries} and state = 'pending'))
    order by created_at, account_id, sequence
    limit ${p('limit')}`,
)

const addReport = insertion('reports', tables.reports.names)
const updateReport = replacement('reports', tables.reports.key, tables.reports.without('account_id', 'sequence'))

export class Reports extends Repository implements ReportWrites {
  // A look-up inside a transaction locks the row.
  find(account_id: string, sequence: number): Promise<ReportRecord | null> {
    return this.db.find(findReport, { account_id, sequence })
  }

  lock(account_id: string, sequence: number): Promise<ReportRecord | null> {
    return this.find(account_id, sequence)
  }

  ofCase(account_id: string, case_id: number): Promise<ReportRecord[]> {
    return this.db.all(listOfCase, { account_id, case_id })
  }

  ofEvent(account_id: string, event_id: string): Promise<ReportRecord | null> {
    return this.db.first(findOfEvent, { account_id, event_id })
  }

  failed(account_id: string, limit: number): Promise<ReportRecord[]> {
    return this.db.all(listFailed, { account_id, limit })
  }

  undrawn(limit: number, passedOver: readonly string[]): Promise<ReportRecord[]> {
    const passed_over = JSON.stringify(passedOver.map((account_id) => ({ account_id })))
    return this.db.all(listUndrawn, { limit, passed_over })
  }

  unsettled(limit: number): Promise<ReportRecord[]> {
    return this.db.all(listUnsettled, { limit })
  }

  async add(report: ReportRecord): Promise<void> {
    await this.db.run(addReport, { ...report })
  }

  async update(report: ReportRecord): Promise<void> {
    await this.db.run(updateReport, { ...report })
  }
}
