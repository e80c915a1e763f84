import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** The words of rows that were added are indexed behind the backs of callers, on PostgreSQL too. */
export const wordsAfterwards = ({ ddl }: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const definition of [...ddl.indexAfterwards('cases', name), ...ddl.indexAfterwards('clients', name)])
      await definition.execute(db)
  },
})
