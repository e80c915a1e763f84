import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/**
 * How the attempts at each endpoint went, and why one failed by a code; null in what is there. The row of an endpoint is read with
 * each delivery and hardly changes, so this is a row of its own.
 */
export const receiverHealth = ({ ddl: { text, integer, clustered } }: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const definition of [
      sql`create table ${name('endpoint_health')} (
        account_id ${text} not null,
        endpoint_id ${text} not null,
        minutes ${text} not null,
        echecs_consecutifs ${integer} not null,
        echecs_depuis ${text},
        dernier_echec ${text},
        derniere_reponse ${text},
        primary key (account_id, endpoint_id)
      ) ${clustered}`,
      sql`alter table ${name('attempts')} add column error_code ${text}`,
      sql`alter table ${name('deliveries')} add column last_error_code ${text}`,
    ])
      await definition.execute(db)
  },
})
