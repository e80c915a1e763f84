import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** Rows are indexed for searches in small steps instead of by the thousand. */
export const wordsInSteps = ({ ddl }: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const definition of [...ddl.indexInSteps('cases', name), ...ddl.indexInSteps('clients', name)])
      await definition.execute(db)
  },
})
