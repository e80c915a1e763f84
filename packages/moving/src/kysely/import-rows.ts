import { foldEmail } from '@sav/core/feature'
import { type Client, formatReference } from '@sav/core/ports'
import {
  addToTallies,
  type ClientRow,
  caseInsertion,
  clientColumns,
  clientWritten,
  fromClosing,
  fromHead,
  nextIds,
  nextNumbers,
  type QueryParams,
  Repository,
  rowsStatement,
  searchableEmail,
  searchableReference,
  searchableText,
  statement,
  table,
  tables,
  withInput,
  written,
} from '@sav/storage-kysely/feature'
import { type SqlBool, sql } from 'kysely'
import type { ImportedCase, ImportedRow, ImportType, ImportWrites } from '../import-store.js'
import { tables as ownTables } from './tables.js'

const lockImports = statement((_, p: QueryParams<{ account_id: string }>, { lockName }) =>
  lockName(sql`'imports ' || ${p('account_id')}`),
)
const findRows = statement(
  (_, p: QueryParams<{ account_id: string; type: string; cles: string }>, { jsonRows }) => sql<ImportedRow>`
    select imported_rows.type, imported_rows.cle, imported_rows.id, imported_rows.empreinte
    from ${jsonRows(p('cles'), { cle: 'text' })} cross join ${table('imported_rows')}
    where imported_rows.account_id = ${p('account_id')} and imported_rows.type = ${p('type')}
      and imported_rows.cle = input.cle`,
)
// Uses the index cases_origin.
const findOrigin = statement(
  (_, p: QueryParams<{ account_id: string; reference_origine: string }>) => sql<{ id: number }>`
    select id from ${table('cases')}
    where account_id = ${p('account_id')} and reference_origine = ${p('reference_origine')}
      and reference_origine is not null
    order by id limit 1`,
)
// Uses the index clients_email, which has e-mails as a search folds them.
const findByEmail = statement(
  (_, p: QueryParams<{ account_id: string; recherche_email: string }>) => sql<{ id: number; email: string }>`
    select id, email from ${table('clients')}
    where account_id = ${p('account_id')} and recherche_email = ${p('recherche_email')} and email is not null
    order by id limit 100`,
)
const rowColumns = ownTables.imported_rows.casts(ownTables.imported_rows.names)
const noteRows = rowsStatement(
  rowColumns,
  (rows, { besideInput }) => sql<never>`
    ${withInput(rowColumns, rows)}
    insert into ${table('imported_rows')} (account_id, type, cle, id, empreinte)
    select account_id, type, cle, id, empreinte from input ${besideInput} where 1 = 1
    on conflict (account_id, type, cle) do update set id = excluded.id, empreinte = excluded.empreinte`,
)
const clientKey = tables.clients.casts(['account_id', 'id'])
const findClients = rowsStatement(
  clientKey,
  (rows, { locksRows }) => sql<ClientRow>`
    ${withInput(clientKey, rows)}
    select ${sql.join(clientColumns.map((column) => sql.ref(`clients.${column}`)))} from input cross join ${table('clients')}
    where clients.account_id = input.account_id and clients.id = input.id
    ${locksRows ? sql`for no key update of clients` : sql``}`,
)
const newClientColumns = tables.clients.casts(['account_id', 'id', ...clientWritten])
const addClients = rowsStatement(
  newClientColumns,
  (rows, { besideInput }) => sql<{ id: number }>`
    insert into ${table('clients')} (${sql.join(Object.keys(newClientColumns).map((column) => sql.ref(column)))})
    ${rows} ${besideInput} returning id`,
)
const insertCases = caseInsertion(tables.cases.without('sel_notes', 'recherche_client'))
/**
 * The imported rows of a client, and of the client's cases and appointments. It uses the index imported_rows_id, and
 * finds cases and appointments by the indexes cases_client and rdv_client.
 */
const ofClient = (p: QueryParams<{ account_id: string; client_id: number }>) => sql<SqlBool>`
  account_id = ${p('account_id')} and (
    (type = 'clients' and id = ${p('client_id')})
    or (type = 'cases' and id in (
      select id from ${table('cases')} where account_id = ${p('account_id')} and client_id = ${p('client_id')}))
    or (type = 'visits' and id in (
      select id from ${table('rdv')} where account_id = ${p('account_id')} and client_id = ${p('client_id')}))
  )`
/**
 * Deletes the rows without an id. The key of such a row is a digest of its whole text, from which names could be
 * guessed.
 */
const forgetKeys = statement(
  (_, p: QueryParams<{ account_id: string; client_id: number }>) => sql<never>`
    delete from ${table('imported_rows')} where cle = empreinte and ${ofClient(p)}`,
)
const forgetClient = statement(
  (_, p: QueryParams<{ account_id: string; client_id: number }>) => sql<never>`
    update ${table('imported_rows')} set empreinte = null where ${ofClient(p)}`,
)

export class ImportRows extends Repository implements ImportWrites {
  async lock(account_id: string): Promise<void> {
    await this.db.lock(lockImports, { account_id })
  }

  async known(account_id: string, type: ImportType, cles: readonly string[]): Promise<ImportedRow[]> {
    if (cles.length === 0) return []
    const asked = JSON.stringify([...new Set(cles)].map((cle) => ({ cle })))
    return this.db.all(findRows, { account_id, type, cles: asked })
  }

  async caseOfOrigin(account_id: string, reference_origine: string): Promise<number | null> {
    return (await this.db.first(findOrigin, { account_id, reference_origine }))?.id ?? null
  }

  async clientsOfEmail(account_id: string, email: string): Promise<number[]> {
    const found = await this.db.all(findByEmail, { account_id, recherche_email: searchableEmail(email) })
    // Compared here, since databases differ in how they convert letters to lower case.
    const same = found.filter((client) => foldEmail(client.email) === foldEmail(email))
    return same.slice(0, 10).map(({ id }) => id)
  }

  async note(account_id: string, rows: readonly ImportedRow[]): Promise<void> {
    await this.db.sendEach(
      noteRows,
      rows.map((row) => ({ account_id, ...row })),
    )
  }

  async findClients(account_id: string, ids: readonly number[]): Promise<Client[]> {
    const keys = [...new Set(ids)].toSorted((a, b) => a - b).map((id) => ({ account_id, id }))
    return (await this.db.each(findClients, keys)).map((row) => tables.clients.read(row))
  }

  async addClients(account_id: string, clients: readonly Omit<Client, 'id'>[]): Promise<number[]> {
    const own = await nextIds(this.db, 'clients', clients.length)
    const rows = clients.map((client, place) => ({ account_id, id: own[place] ?? null, ...written(client) }))
    // Ids ascend in the order of insertion, but may be returned in another.
    return (await this.db.each(addClients, rows)).map(({ id }) => id).toSorted((a, b) => a - b)
  }

  async nextNumbers(account_id: string, annee: number, count: number): Promise<number[]> {
    this.db.shareCommitAmong(account_id)
    return nextNumbers(this.db, { account_id, annee }, count)
  }

  async addCases(cases: readonly ImportedCase[]): Promise<(number | null)[]> {
    const own = await nextIds(this.db, 'cases', cases.length)
    const rows = cases.map(({ tete_historique, closing, photos, ...row }, place) => ({
      ...row,
      ...{ id: own[place] ?? null, version: 1 },
      ...fromHead(tete_historique),
      ...fromClosing(closing),
      photos: JSON.stringify(photos),
      recherche: wordsOf(row),
    }))
    const added = await insertCases(this.db, rows)
    const tallied = cases.filter((_, place) => added[place] !== null)
    await this.db.defer(
      addToTallies,
      tallied.map(({ account_id, date_creation, statut }) => ({
        ...{ account_id, jour: date_creation.slice(0, 10) },
        ...{ statut, nombre: 1 },
      })),
    )
    return added
  }

  async forgetClient(account_id: string, client_id: number): Promise<void> {
    await this.db.run(forgetKeys, { account_id, client_id })
    await this.db.run(forgetClient, { account_id, client_id })
  }
}

function wordsOf(row: Pick<ImportedCase, 'annee' | 'numero' | 'reference_origine' | 'description'>): string {
  const words = [searchableReference(formatReference(row)), searchableText(row.description)]
  if (row.reference_origine !== null) words.push(searchableText(row.reference_origine))
  return words.join(' ')
}
