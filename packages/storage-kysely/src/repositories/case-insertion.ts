import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Dialect } from '../dialect.js'
import { keysOf } from '../rows.js'
import type { CaseTable } from '../schema.js'
import { rowsStatement, withInput } from '../statements/rows-statement.js'
import type { Session } from '../statements/session.js'
import { ignoringDeferred, type Named, statement, table } from '../statements/statement.js'

const insertedColumns = {
  account_id: 'text',
  annee: 'integer',
  numero: 'integer',
  client_id: 'integer',
  statut: 'text',
  priorite: 'text',
  type_probleme: 'text',
  description: 'text',
  photos: 'text',
  date_creation: 'text',
  date_modification: 'text',
  version: 'integer',
  recherche: 'text',
  historique_numero: 'integer',
  historique_hash: 'text',
} as const
const inserted = keysOf(insertedColumns)
type InsertedCase = Pick<Selectable<CaseTable>, keyof typeof insertedColumns>

const insertedNames = sql.join(inserted.map((column) => sql.ref(column)))
/** Null where the account has no such client: then the case cannot be inserted. Nobody changes the name before the end. */
const nameOfClient = (account_id: RawBuilder<string>, client_id: RawBuilder<number>, { locksRows }: Dialect) => sql`(
    select recherche_nom from ${table('clients')} where clients.account_id = ${account_id} and clients.id = ${client_id}
    ${locksRows ? sql`for share` : sql``}
  )`
const insertOne = ignoringDeferred(
  statement(
    (_, p: Named<InsertedCase>, dialect) => sql<{ id: number }>`
      insert into ${table('cases')} (${insertedNames}, recherche_client)
      values (${sql.join(inserted.map((column) => p(column)))}, ${nameOfClient(p('account_id'), p('client_id'), dialect)})
      returning id`,
  ),
)
const insertMany = rowsStatement(
  insertedColumns,
  (rows, dialect) => sql<{ id: number } & Pick<InsertedCase, 'account_id' | 'annee' | 'numero'>>`
    ${withInput(insertedColumns, rows)}
    insert into ${table('cases')} (${insertedNames}, recherche_client)
    select ${insertedNames}, ${nameOfClient(sql.ref('input.account_id'), sql.ref('input.client_id'), dialect)} from input
    returning id, account_id, annee, numero`,
  { ignoresDeferred: true },
)
const keyOf = ({ account_id, annee, numero }: Pick<InsertedCase, 'account_id' | 'annee' | 'numero'>) =>
  `${account_id} ${annee} ${numero}`
/** Resolves to its id. Cases of those who share a commit go over in one statement. */
export function insertCase(session: Session, row: InsertedCase): Promise<number> {
  return session.together('case', row, async (rows) => {
    // What SQLite always has, and a statement that needs no JSON to be read.
    if (rows.length === 1) return [(await session.one(insertOne, row)).id]
    const ids = new Map<string, number>()
    for (const { id, ...reference } of await session.each(insertMany, rows)) ids.set(keyOf(reference), id)
    return rows.flatMap((inserted) => ids.get(keyOf(inserted)) ?? [])
  })
}
