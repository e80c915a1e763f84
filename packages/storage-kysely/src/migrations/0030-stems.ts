import type { Lieu } from '@sav/core'
import { formatReference } from '@sav/core/ports'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { keptWith, searchableClient, searchableReference, searchableText } from '../repositories/search.js'
import type { Dialect, InputColumns, NameOf } from '../statements/dialect.js'

/** Searches know stems, telephones, streets and towns. */
export const stems = (dialect: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    const { dropWords, indexWords, indexInSteps, indexAfterwards } = dialect.ddl
    const run = async (definitions: readonly RawBuilder<unknown>[]) => {
      for (const definition of definitions) await definition.execute(db)
    }
    await run([...dropWords('cases', name), ...dropWords('clients', name)])
    await writeClients(db, dialect, name)
    await writeCases(db, dialect, name)
    for (const table of ['clients', 'cases'] as const)
      await run([indexWords, indexInSteps, indexAfterwards].flatMap((definitions) => definitions(table, name)))
  },
})

const atOnce = 1000

interface ClientRow {
  readonly id: number
  readonly nom: string
  readonly prenom: string
  readonly telephone: string | null
  readonly adresse: string | null
  readonly lieu: string | null
}

async function writeClients(db: Kysely<unknown>, dialect: Dialect, name: NameOf): Promise<void> {
  const page = (after: number) => sql<ClientRow>`
    select id, nom, prenom, telephone, adresse, lieu from ${name('clients')}
    where id > ${after} order by id limit ${sql.lit(atOnce)}`
  for (let after = 0; ; ) {
    const { rows } = await page(after).execute(db)
    const last = rows.at(-1)
    if (last === undefined) return
    const written = rows.map(({ id, lieu, ...client }) => ({
      id,
      recherche_nom: searchableClient({
        ...client,
        raison_sociale: null,
        lieu: lieu === null ? null : (JSON.parse(lieu) as Lieu),
      }),
    }))
    const input = inputOf(dialect, written, { id: 'integer', recherche_nom: 'text' })
    await sql`update ${name('clients')} as written set recherche_nom = input.recherche_nom
      from ${input} where written.id = input.id`.execute(db)
    after = last.id
  }
}

interface CaseRow {
  readonly id: number
  readonly annee: number
  readonly numero: number
  readonly description: string
  readonly efface_le: string | null
}

async function writeCases(db: Kysely<unknown>, dialect: Dialect, name: NameOf): Promise<void> {
  const page = (after: number) => sql<CaseRow>`
    select cases.id, annee, numero, description, efface_le
    from ${name('cases')} as cases join ${name('clients')} as clients
      on clients.account_id = cases.account_id and clients.id = cases.client_id
    where cases.id > ${after} order by cases.id limit ${sql.lit(atOnce)}`
  const told = (after: number, last: number) => sql<{ case_id: number; commentaire: string }>`
    select history.case_id, history.commentaire
    from ${name('cases')} as cases join ${name('case_history')} as history
      on history.account_id = cases.account_id and history.case_id = cases.id
    where cases.id > ${after} and cases.id <= ${last} and history.type in ('reouverture', 'commentaire')
      and history.commentaire is not null
    order by history.id`
  for (let after = 0; ; ) {
    const { rows } = await page(after).execute(db)
    const last = rows.at(-1)
    if (last === undefined) return
    const lines = Map.groupBy((await told(after, last.id).execute(db)).rows, ({ case_id }) => case_id)
    const written = rows.map(({ id, efface_le, description, ...reference }) => {
      const own = searchableReference(formatReference(reference))
      const comments = (lines.get(id) ?? []).map(({ commentaire }) => commentaire)
      const all = `${own} ${searchableText(description)}`
      return { id, recherche: efface_le === null ? keptWith(all, comments.join(' ')) : own }
    })
    const input = inputOf(dialect, written, { id: 'integer', recherche: 'text' })
    await sql`update ${name('cases')} as written set recherche = input.recherche, recherche_client = (
        select recherche_nom from ${name('clients')} as clients
        where clients.account_id = written.account_id and clients.id = written.client_id
      ) from ${input} where written.id = input.id`.execute(db)
    after = last.id
  }
}

const inputOf = ({ jsonRows }: Dialect, rows: readonly object[], columns: InputColumns) =>
  jsonRows(sql`cast(${JSON.stringify(rows)} as text)`, columns)
