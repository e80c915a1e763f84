import { ClientErasedError } from '@sav/core/ports'
import { type Selectable, sql } from 'kysely'
import type { Dialect } from '../dialect.js'
import { rowsStatement, withInput } from '../statements/rows-statement.js'
import type { Session } from '../statements/session.js'
import { ignoringDeferred, type Named, statement, table } from '../statements/statement.js'
import { type Schema, tables } from '../tables.js'

const inserted = [
  'account_id',
  'annee',
  'numero',
  'client_id',
  'statut',
  'priorite',
  'type_probleme',
  'description',
  'photos',
  'date_creation',
  'date_modification',
  'version',
  'recherche',
  'historique_numero',
  'historique_hash',
] as const
const insertedColumns = tables.cases.casts(inserted)
type InsertedCase = Pick<Selectable<Schema['cases']>, (typeof inserted)[number]>

const insertedNames = sql.join(inserted.map((column) => sql.ref(column)))
const lockingClient = ({ locksRows }: Dialect) => (locksRows ? sql`for share of clients` : sql``)
/** Nothing is inserted for a client who was erased. Nobody changes the name, or erases, before the end. */
const insertOne = ignoringDeferred(
  statement(
    (_, p: Named<InsertedCase>, dialect) => sql<{ id: number }>`
      insert into ${table('cases')} (${insertedNames}, recherche_client)
      select ${sql.join(inserted.map((column) => sql`cast(${p(column)} as ${sql.raw(insertedColumns[column])})`))}, recherche_nom
      from ${table('clients')}
      where clients.account_id = ${p('account_id')} and clients.id = ${p('client_id')} and clients.efface_le is null
      ${lockingClient(dialect)}
      returning id`,
  ),
)
const insertMany = rowsStatement(
  insertedColumns,
  (rows, dialect) => sql<{ id: number } & Pick<InsertedCase, 'account_id' | 'annee' | 'numero'>>`
    ${withInput(insertedColumns, rows)}
    insert into ${table('cases')} (${insertedNames}, recherche_client)
    select ${sql.join(inserted.map((column) => sql.ref(`input.${column}`)))}, clients.recherche_nom
    from input join ${table('clients')} on clients.account_id = input.account_id and clients.id = input.client_id
    where clients.efface_le is null ${lockingClient(dialect)}
    returning id, account_id, annee, numero`,
  { ignoresDeferred: true },
)
const keyOf = ({ account_id, annee, numero }: Pick<InsertedCase, 'account_id' | 'annee' | 'numero'>) =>
  `${account_id} ${annee} ${numero}`
/** Resolves to its id. Cases of those who share a commit go over in one statement. @throws ClientErasedError */
export async function insertCase(session: Session, row: InsertedCase): Promise<number> {
  const id = await session.together<InsertedCase, number | null>('case', row, async (rows) => {
    // What SQLite always has, and a statement that needs no JSON to be read.
    if (rows.length === 1) return [(await session.first(insertOne, row))?.id ?? null]
    const ids = new Map<string, number>()
    for (const { id, ...reference } of await session.each(insertMany, rows)) ids.set(keyOf(reference), id)
    return rows.map((inserted) => ids.get(keyOf(inserted)) ?? null)
  })
  if (id === null) throw new ClientErasedError(row.client_id, 'add a new one.')
  return id
}
