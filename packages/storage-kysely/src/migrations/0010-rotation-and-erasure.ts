import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** Every secret that a rotation lets sign on, whom a kept answer tells of, and letters apart from webhooks. */
export const rotationAndErasure = (dialect: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const definition of definitions(dialect, name)) await definition.execute(db)
  },
})

function definitions({ ddl: { text, integer } }: Dialect, name: NameOf): RawBuilder<unknown>[] {
  return [
    sql`alter table ${name('webhook_endpoints')} add column previous_secrets ${text} not null default '[]'`,
    // A sealed text and an instant hold nothing that JSON would escape. The two columns stay, and stay empty.
    sql`update ${name('webhook_endpoints')} set sealed_previous_secret = null, previous_expires_at = null,
        previous_secrets = '[{"sealed":"' || sealed_previous_secret || '","expires_at":"' || previous_expires_at || '"}]'
      where sealed_previous_secret is not null and previous_expires_at is not null`,

    sql`alter table ${name('answers')} add column client_id ${integer}`,
    sql`alter table ${name('answers')} add column case_id ${integer}`,
    sql`create index ${name('answers_client')} on ${name('answers')} (account_id, client_id) where client_id is not null`,
    sql`create index ${name('answers_case')} on ${name('answers')} (account_id, case_id) where case_id is not null`,

    // What a count leaves out for those who may not see letters; webhooks do not pay for it.
    sql`create index ${name('deliveries_letters')} on ${name('deliveries')} (account_id, created_at, channel, state, target, event)
      where channel <> 'webhook'`,
  ]
}
