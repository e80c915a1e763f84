import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** The failed deliveries by which an endpoint is judged. */
export const endpointFailures = ({ ddl: { text } }: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    await sql`alter table ${name('webhook_endpoints')} add column failures ${text}`.execute(db)
  },
})
