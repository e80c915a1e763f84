import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** Who erased an account. */
export const erasedBy = ({ ddl: { text } }: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const column of ['begun_by', 'chain_erased_by'])
      await sql`alter table ${name('erased_accounts')} add column ${sql.id(column)} ${text}`.execute(db)
  },
})
