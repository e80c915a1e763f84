import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/**
 * The place of each line of a case's history in a chain, and the end of that chain beside the case. Lines from before
 * have none: no row is rewritten, so this takes a moment however many there are.
 */
export const historyChain = ({ ddl: { text, integer } }: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    const definitions = [
      sql`alter table ${name('case_history')} add column numero ${integer}`,
      sql`alter table ${name('case_history')} add column hash ${text}`,
      sql`alter table ${name('case_history')} add column sel ${text}`,
      sql`alter table ${name('case_history')} add column empreintes ${text}`,
      sql`alter table ${name('cases')} add column historique_numero ${integer}`,
      sql`alter table ${name('cases')} add column historique_hash ${text}`,
      sql`alter table ${name('cases')} add column sel_notes ${text}`,
    ]
    for (const definition of definitions) await definition.execute(db)
  },
})
