import type { Lieu } from '@sav/core'
import { sortKey } from '@sav/core/ports'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { sortedTown } from '../repositories/search.js'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** Lists of cases are sorted by the names and the towns of clients. */
export const towns = (dialect: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    const { text } = dialect.ddl
    const none = sql.lit(sortedTown(null))
    await sql`alter table ${name('clients')} add column tri_nom ${text} not null default ''`.execute(db)
    await sql`alter table ${name('clients')} add column tri_ville ${text} not null default ${none}`.execute(db)
    for (let after = 0; ; ) {
      const { rows } = await sql<{ id: number; nom: string; prenom: string; lieu: string | null }>`
        select id, nom, prenom, lieu from ${name('clients')}
        where id > ${after} order by id limit ${sql.lit(atOnce)}`.execute(db)
      const last = rows.at(-1)
      if (last === undefined) break
      const written = rows.map(({ id, lieu, nom, prenom }) => ({
        id,
        tri_nom: sortKey(nom, prenom),
        tri_ville: sortedTown(lieu === null ? null : (JSON.parse(lieu) as Lieu)),
      }))
      const input = dialect.jsonRows(sql`cast(${JSON.stringify(written)} as text)`, {
        id: 'integer',
        tri_nom: 'text',
        tri_ville: 'text',
      })
      await sql`update ${name('clients')} as written set tri_nom = input.tri_nom, tri_ville = input.tri_ville
        from ${input} where written.id = input.id`.execute(db)
      after = last.id
    }
    await sql`create index ${name('clients_tri')} on ${name('clients')} (account_id, tri_nom, id)`.execute(db)
    await sql`create index ${name('clients_ville')} on ${name('clients')} (account_id, tri_ville, id)`.execute(db)
  },
})

const atOnce = 1000
