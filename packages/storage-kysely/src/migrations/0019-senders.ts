import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** Whom the e-mails of an account are from, and what the links in them begin with. */
export const senders = ({ ddl: { text } }: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    await sql`alter table ${name('accounts')} add column nom_expediteur ${text}`.execute(db)
    await sql`alter table ${name('accounts')} add column repondre_a ${text}`.execute(db)
    await sql`alter table ${name('accounts')} add column url_publique ${text}`.execute(db)
  },
})
