import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** The letter that waits for further changes of an appointment, and what the last one told. */
export const waitingLetters = ({ ddl: { text } }: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const definition of [
      sql`alter table ${name('rdv')} add column lettre_due ${text}`,
      sql`alter table ${name('rdv')} add column derniere_lettre ${text}`,
      sql`create index ${name('rdv_letters')} on ${name('rdv')} (lettre_due, id) where lettre_due is not null`,
    ])
      await definition.execute(db)
  },
})
