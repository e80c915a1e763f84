import type { Lieu } from '@sav/core'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { searchableClient, searchableEmail } from '../repositories/search.js'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** The words of a client that only readers of clients may find are marked. */
export const contactWords = (dialect: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    const { dropWords, indexWords, indexInSteps, indexAfterwards } = dialect.ddl
    const run = async (definitions: readonly RawBuilder<unknown>[]) => {
      for (const definition of definitions) await definition.execute(db)
    }
    const searched = ['cases', 'clients'] as const
    await run(searched.flatMap((table) => dropWords(table, name)))
    await writeClients(db, dialect, name)
    await sql`update ${name('cases')} as cases set recherche_client = (
      select recherche_nom from ${name('clients')} as clients
      where clients.account_id = cases.account_id and clients.id = cases.client_id)`.execute(db)
    for (const table of searched)
      await run([indexWords, indexInSteps, indexAfterwards].flatMap((definitions) => definitions(table, name)))
  },
})

const atOnce = 1000

interface ClientRow {
  readonly id: number
  readonly nom: string
  readonly prenom: string
  readonly raison_sociale: string | null
  readonly email: string | null
  readonly telephone: string | null
  readonly adresse: string | null
  readonly lieu: string | null
}

async function writeClients(db: Kysely<unknown>, { jsonRows }: Dialect, name: NameOf): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<ClientRow>`
      select id, nom, prenom, raison_sociale, email, telephone, adresse, lieu from ${name('clients')}
      where id > ${after} order by id limit ${sql.lit(atOnce)}`.execute(db)
    const last = rows.at(-1)
    if (last === undefined) return
    const written = rows.map((row) => {
      const client = { ...row, lieu: row.lieu === null ? null : (JSON.parse(row.lieu) as Lieu) }
      return { id: row.id, recherche_nom: searchableClient(client), recherche_email: searchableEmail(row.email ?? '') }
    })
    const columns = { id: 'integer', recherche_nom: 'text', recherche_email: 'text' } as const
    const input = jsonRows(sql`cast(${JSON.stringify(written)} as text)`, columns)
    await sql`update ${name('clients')} as written
      set recherche_nom = input.recherche_nom, recherche_email = input.recherche_email
      from ${input} where written.id = input.id`.execute(db)
    after = last.id
  }
}
