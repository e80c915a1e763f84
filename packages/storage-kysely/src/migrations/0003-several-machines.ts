import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** What several machines on one database need. */
export const severalMachines = (dialect: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const definition of definitions(dialect, name)) await definition.execute(db)
  },
})

function definitions({ ddl: { text, fillFactor, dropForeignKey } }: Dialect, name: NameOf): RawBuilder<unknown>[] {
  return [
    // By the schedule alone: a claim changes no index then. It takes the place of deliveries_claim.
    sql`create index ${name('deliveries_due')} on ${name('deliveries')} (lane, target, next_attempt_at) where next_attempt_at is not null`,
    sql`drop index ${name('deliveries_claim')}`,
    ...fillFactor(name('deliveries'), 70),
    // Attempts are written beside the delivery that they belong to: to look it up again costs a tenth of a delivery.
    ...dropForeignKey(name('attempts'), 'attempts_account_id_delivery_id_fkey'),
    sql`create table ${name('commit_marks')} (
      connection ${text} primary key,
      mark ${text} not null,
      at ${text} not null
    )`,
    ...fillFactor(name('commit_marks'), 70),
  ]
}
