import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { searchable } from '../repositories/search.js'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** Indexes of the words that a search looks for. */
export const search = (dialect: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    const { text, indexWords } = dialect.ddl
    // The name of a case's client is kept beside the case, so that one index knows all words of it.
    await sql`alter table ${name('cases')} add column recherche_client ${text} not null default ''`.execute(db)
    await foldAnew(db, dialect, name('cases'), ['recherche'])
    await foldAnew(db, dialect, name('clients'), ['recherche_nom', 'recherche_email'])
    await sql`update ${name('cases')} as cases set recherche_client = (
        select recherche_nom from ${name('clients')} as clients
        where clients.account_id = cases.account_id and clients.id = cases.client_id
      )`.execute(db)
    for (const definition of [...indexWords('cases', name), ...indexWords('clients', name)])
      await definition.execute(db)
  },
})

const atOnce = 1000

/** Earlier releases kept punctuation in what they had folded. */
async function foldAnew<C extends string>(
  db: Kysely<unknown>,
  { jsonRows }: Dialect,
  table: RawBuilder<unknown>,
  columns: readonly C[],
): Promise<void> {
  type Row = { readonly id: number } & { readonly [column in C]: string }
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const page = (after: number): RawBuilder<Row> =>
    sql`select id, ${names} from ${table} where id > ${after} order by id limit ${sql.lit(atOnce)}`
  const types = Object.fromEntries(columns.map((column) => [column, 'text' as const]))
  const set = sql.join(columns.map((column) => sql`${sql.ref(column)} = input.${sql.ref(column)}`))

  for (let after = 0; ; ) {
    const { rows } = await page(after).execute(db)
    const last = rows.at(-1)
    if (last === undefined) return
    const changed = rows
      .filter((row) => columns.some((column) => row[column] !== searchable(row[column])))
      .map((row) => ({ id: row.id, ...Object.fromEntries(columns.map((column) => [column, searchable(row[column])])) }))
    const input = jsonRows(sql`cast(${JSON.stringify(changed)} as text)`, { id: 'integer', ...types })
    await sql`update ${table} as folded set ${set} from ${input} where folded.id = input.id`.execute(db)
    after = last.id
  }
}
