import { ClientErasedError, closingFields } from '@sav/core/ports'
import { type Selectable, sql } from 'kysely'
import type { QueryRunner } from '../statements/query-runner.js'
import { rowsStatement, withInput } from '../statements/rows-statement.js'
import { ignoringDeferred, insertion, type QueryParams, statement, table } from '../statements/statement.js'
import { type Schema, tables } from '../tables/tables.js'

/** The counter of an account's references in a year. */
type Counter = { readonly account_id: string; readonly annee: number }
/** The id of a row to be inserted; null if the insert assigns it. */
export type Id = number | null

/** `dernier`: the last number taken. */
const takeNumbers = ignoringDeferred(
  insertion(
    'reference_counters',
    ['account_id', 'annee', 'dernier'],
    sql<{ dernier: number }>`on conflict (account_id, annee)
      do update set dernier = reference_counters.dernier + excluded.dernier returning dernier`,
  ),
)

// For SQLite, which cannot return columns of joined tables from an update, as `takeFreeNumbers` does.
const takeFreeNumber = ignoringDeferred(
  statement(
    (_, p: QueryParams<Counter>) => sql<{ dernier: number }>`
      update ${table('reference_counters')} set dernier = dernier + 1
      where account_id = ${p('account_id')} and annee = ${p('annee')} returning dernier`,
  ),
)
const wanted = { account_id: 'text', annee: 'integer', nombre: 'integer' } as const
/** `dernier`: the number before the first new one. */
const takeFreeNumbers = rowsStatement(
  wanted,
  (rows) => sql<Counter & { dernier: number }>`
    ${withInput(wanted, rows)},
    free (account_id, annee, nombre) as (
      select input.account_id, input.annee, nombre from input cross join ${table('reference_counters')}
      where reference_counters.account_id = input.account_id and reference_counters.annee = input.annee
      for no key update of reference_counters skip locked
    )
    update ${table('reference_counters')} set dernier = dernier + nombre from free
    where reference_counters.account_id = free.account_id and reference_counters.annee = free.annee
    returning reference_counters.account_id, reference_counters.annee, dernier - nombre as dernier`,
  { ignoresDeferred: true },
)

const nameOf = ({ account_id, annee }: Counter) => `${annee} ${account_id}`

/**
 * The first statement of a creation. Creations share a commit, as each adds its own rows. If a creation finds its
 * counter locked, or is long, it leaves the group and shares only with creations of its account.
 */
export async function nextNumber(
  db: QueryRunner,
  counter: Counter,
  { isLong }: { isLong: boolean },
): Promise<{ readonly numero: number; readonly id?: Id }> {
  const { account_id, annee } = counter
  const waiting = () => {
    db.shareCommitAmong(account_id)
    return db.batched(`number ${annee}`, null, ({ length }) => nextNumbers(db, { account_id, annee }, length))
  }
  if (isLong) return { numero: await waiting() }
  await db.shareCommit(account_id)
  const { numero, id } = await db.batched('number', counter, (asked) => takeFree(db, asked))
  return { numero: numero ?? (await waiting()), id }
}

/** The next case numbers, in order, for a long transaction. @param length how many */
export async function nextNumbers(db: QueryRunner, counter: Counter, length: number): Promise<number[]> {
  const { dernier } = await db.one(takeNumbers, { ...counter, dernier: length })
  return Array.from({ length }, (_, place) => dernier - length + 1 + place)
}

/**
 * Takes a number for each case from its own counter, and an id for each in the same round trip. The number is null if
 * another transaction holds the counter, or if the counter does not exist yet.
 */
async function takeFree(
  db: QueryRunner,
  asked: readonly Counter[],
): Promise<{ readonly numero: number | null; readonly id: Id }[]> {
  if (!db.dialect.locksRows)
    return Promise.all(
      asked.map(async (each) => ({ id: null, numero: (await db.first(takeFreeNumber, each))?.dernier ?? null })),
    )
  const rows = [...Map.groupBy(asked, nameOf).values()].flatMap((alike) =>
    alike.slice(0, 1).map(({ account_id, annee }) => ({ account_id, annee, nombre: alike.length })),
  )
  const taken = new Map<string, number>()
  const [free, ids] = await Promise.all([db.each(takeFreeNumbers, rows), nextIds(db, 'cases', asked.length)])
  for (const { dernier, ...counter } of free) taken.set(nameOf(counter), dernier)
  return asked.map((counter, place) => {
    const [last, id = null] = [taken.get(nameOf(counter)), ids[place]]
    if (last === undefined) return { id, numero: null }
    taken.set(nameOf(counter), last + 1)
    return { id, numero: last + 1 }
  })
}

const idsOf = (table: 'cases' | 'clients') =>
  statement((_, p: QueryParams<{ count: number }>, { nextIds }) => nextIds?.(table, p('count')) ?? sql<never>``)
const takeIds = { cases: ignoringDeferred(idsOf('cases')), clients: ignoringDeferred(idsOf('clients')) }

/** The ids of rows to be inserted. */
export async function nextIds(db: QueryRunner, table: 'cases' | 'clients', count: number): Promise<Id[]> {
  if (db.dialect.nextIds === null) return Array<null>(count).fill(null)
  return (await db.all(takeIds[table], { count })).map(({ id }) => id)
}

const clientKey = { account_id: 'text', client_id: 'integer' } as const
/**
 * Locks clients until the commit, so that no erasure can come in between. It is separate from the insert, in which a
 * distributed database locks nothing.
 */
const lockClients = rowsStatement(
  clientKey,
  (rows) => sql`
    ${withInput(clientKey, rows)} select clients.id from input cross join ${table('clients')}
    where clients.account_id = input.account_id and clients.id = input.client_id for share of clients`,
  { ignoresDeferred: true },
)

type CaseColumn = keyof Selectable<Schema['cases']> & string
type CaseKey = Pick<Selectable<Schema['cases']>, 'account_id' | 'annee' | 'numero'>
type InsertedCase<C extends CaseColumn> = Pick<Omit<Selectable<Schema['cases']>, 'id'> & { readonly id: Id }, C>
const keyOf = ({ account_id, annee, numero }: CaseKey) => `${account_id} ${annee} ${numero}`

/** Inserts cases, and resolves to their ids; null, without an insert, if the client is erased. */
export function caseInsertion<C extends CaseColumn>(names: readonly C[]) {
  const columns = tables.cases.casts(names)
  const insertCases = rowsStatement(
    columns,
    (rows) => sql<{ id: number } & CaseKey>`
      ${withInput(columns, rows)}
      insert into ${table('cases')} (${sql.join(names.map((column) => sql.ref(column)))}, recherche_client)
      select ${sql.join(names.map((column) => sql.ref(`input.${column}`)))}, clients.recherche_nom
      from input join ${table('clients')} on clients.account_id = input.account_id and clients.id = input.client_id
      where clients.efface_le is null
      returning id, account_id, annee, numero`,
    { ignoresDeferred: true },
  )
  return async (
    db: QueryRunner,
    rows: readonly (InsertedCase<C> & CaseKey & { readonly client_id: number })[],
  ): Promise<(number | null)[]> => {
    const keys = rows.map(({ account_id, client_id }) => ({ account_id, client_id }))
    if (db.dialect.locksRows) await db.sendEach(lockClients, keys)
    const ids = new Map<string, number>()
    for (const { id, ...reference } of await db.each(insertCases, rows)) ids.set(keyOf(reference), id)
    return rows.map((each) => ids.get(keyOf(each)) ?? null)
  }
}

const inserted = tables.cases.without(
  ...(['poseur_id', 'notes_internes', 'sel_notes', 'reference_origine', 'recherche_client'] as const),
  ...closingFields,
)
const insertCases = caseInsertion(inserted)

/** Resolves to its id. Callers that share a commit insert their cases in one statement. @throws ClientErasedError */
export async function insertCase(db: QueryRunner, row: InsertedCase<(typeof inserted)[number]>): Promise<number> {
  const id = await db.batched<typeof row, number | null>('case', row, (rows) => insertCases(db, rows))
  if (id === null) throw new ClientErasedError(row.client_id, 'add a new one.')
  return id
}
