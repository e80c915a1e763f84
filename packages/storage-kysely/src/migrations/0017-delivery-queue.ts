import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/**
 * What waits for an attempt is a row of `delivery_queue` until it has ended, what failed one of `failed_deliveries`. So
 * `deliveries` has no index on anything that an attempt changes: on PostgreSQL an outcome writes none of them.
 *
 * The columns of the queue leave `deliveries`, so that an earlier release that still runs fails instead of sending what
 * this one sends too.
 */
export const deliveryQueue = (dialect: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const definition of definitions(dialect, name)) await definition.execute(db)
  },
})

function definitions({ ddl: { text, integer, fillFactor, clustered } }: Dialect, name: NameOf): RawBuilder<unknown>[] {
  const replaced = ['deliveries_due', 'deliveries_undelivered', 'deliveries_delivered', 'deliveries_letters']
  const moved = ['lane', 'run_attempt_count', 'run_started_at', 'available_at', 'lease_token', 'intended_at']
  const waiting = sql`account_id, created_at, id, event_id, event, channel, target, lane, attempt_count,
    run_attempt_count, run_started_at, next_attempt_at, available_at, lease_token, intended_at`
  const failed = sql`account_id, created_at, id, event, channel, target`
  return [
    sql`create table ${name('delivery_queue')} (
      account_id ${text} not null,
      created_at ${text} not null,
      id ${text} not null,
      event_id ${text} not null,
      event ${text} not null,
      channel ${text} not null,
      target ${text} not null,
      lane ${text} not null,
      attempt_count ${integer} not null,
      run_attempt_count ${integer} not null,
      run_started_at ${text} not null,
      next_attempt_at ${text} not null,
      available_at ${text} not null,
      lease_token ${text},
      intended_at ${text},
      primary key (account_id, created_at, id)
    ) ${clustered}`,
    // What is claimed or recorded in one transaction lies side by side: whole pages of it change, and grow a little.
    ...fillFactor(name('delivery_queue'), 45),
    ...fillFactor(name('deliveries'), 50),
    sql`insert into ${name('delivery_queue')} (${waiting}) select ${waiting} from ${name('deliveries')}
      where state = 'pending'`,
    // By the schedule alone: a claim changes no index. It does not begin with the account: the worker serves them all.
    sql`create index ${name('delivery_queue_due')} on ${name('delivery_queue')} (lane, target, next_attempt_at)`,

    sql`create table ${name('failed_deliveries')} (
      account_id ${text} not null,
      created_at ${text} not null,
      id ${text} not null,
      event ${text} not null,
      channel ${text} not null,
      target ${text} not null,
      primary key (account_id, created_at, id)
    ) ${clustered}`,
    sql`insert into ${name('failed_deliveries')} (${failed}) select ${failed} from ${name('deliveries')}
      where state = 'failed'`,

    ...replaced.map((index) => sql`drop index ${name(index)}`),
    ...moved.map((column) => sql`alter table ${name('deliveries')} drop column ${sql.id(column)}`),
    sql`create index ${name('deliveries_letters')} on ${name('deliveries')} (account_id, created_at, channel, target, event)
      where channel <> 'webhook'`,
  ]
}
