import {
  type Changes,
  type Client,
  type DirectoryWrites,
  type Page,
  type Paged,
  type Poseur,
  sortKey,
} from '@sav/core/ports'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Dialect } from '../statements/dialect.js'
import { Repository } from '../statements/query-runner.js'
import { lookUpByKey } from '../statements/rows-statement.js'
import { insertion, lookUpBy, type QueryParams, replacement, shapes, statement } from '../statements/statement.js'
import { changed } from '../tables/rows.js'
import { type Schema, tables } from '../tables/tables.js'
import { beginsAfter, isAfter, pageFound, type Range, rangeOf } from './pages.js'
import {
  countFoundOf,
  found,
  holdsWords,
  type Search,
  searchableClient,
  searchableEmail,
  searchingPage,
  searchOf,
  sortedTown,
} from './search.js'

type PageOfAccount = { readonly account_id: string } & Range

const { clients, poseurs } = tables
/** The columns from which a client is read. */
export const clientColumns = clients.without('account_id', 'recherche_nom', 'recherche_email', 'tri_nom', 'tri_ville')
/** The columns of a new client. */
export const clientWritten = clients.without('account_id', 'id')

/** A row of clientColumns. */
export type ClientRow = Pick<Selectable<Schema['clients']>, (typeof clientColumns)[number]>

const findClient = lookUpByKey<'account_id' | 'id', ClientRow>(
  'clients',
  clients.casts(['account_id', 'id']),
  clientColumns,
)
const addClient = insertion('clients', ['account_id', ...clientWritten], sql<{ id: number }>`returning id`)
const updateClient = replacement('clients', ['account_id', 'id'], clientWritten)

function matchingClients(
  db: Kysely<Schema>,
  p: QueryParams<{ readonly account_id: string } & Search>,
  bound: ReadonlySet<string>,
  dialect: Dialect,
) {
  const clients = db.selectFrom('clients')
  // The planner must use the index of words, not one of the list.
  if (bound.has('search'))
    return clients
      .where(sql`account_id || ''`, '=', p('account_id'))
      .where('id', 'in', found('clients', bound, p, dialect))
  const ofAccount = clients.where('account_id', '=', p('account_id'))
  return bound.has('mot_0_0') ? ofAccount.where(holdsWords('clients', bound, p)) : ofAccount
}

const countClients = shapes((bound) =>
  statement((db, p: QueryParams<{ readonly account_id: string } & Search>, dialect) =>
    matchingClients(db, p, bound, dialect).select((eb) => eb.fn.countAll<number>().as('total')),
  ),
)
// Reads in the order of the index clients_tri.
const pageOfClients = shapes((bound) =>
  statement((db, p: QueryParams<PageOfAccount & Search>, dialect) =>
    matchingClients(db, p, bound, dialect)
      .$if(beginsAfter(bound), (clients) => clients.where(isAfter([sql.ref('tri_nom'), sql.ref('id')], '>', p)))
      .select(clientColumns)
      .orderBy('tri_nom')
      .orderBy('id')
      .limit(p('limit'))
      .offset(p('offset')),
  ),
)

const countNewest = countFoundOf('clients')
// If many clients match, a walk in the order of ids soon finds the newest.
const newestClients = shapes((bound) =>
  statement((db, p: QueryParams<{ readonly account_id: string; readonly limit: number } & Search>, dialect) =>
    matchingClients(db, p, bound, dialect).select(clientColumns).orderBy('id', 'desc').limit(p('limit')),
  ),
)

/** The creation of a case waits for this update (`for share`), so that no case keeps an old name. */
const renameInCases = statement((db, p: QueryParams<{ account_id: string; id: number; recherche_client: string }>) =>
  db
    .updateTable('cases')
    .set({ recherche_client: p('recherche_client') })
    .where('account_id', '=', p('account_id'))
    .where('client_id', '=', p('id'))
    .where('recherche_client', '<>', p('recherche_client')),
)

const poseurFields = poseurs.without('account_id', 'id')
const poseurColumns = poseurs.without('account_id', 'tri_nom')

const findPoseur = lookUpBy('poseurs', ['account_id', 'id'], { columns: poseurColumns })
const addPoseur = insertion('poseurs', ['account_id', ...poseurFields], sql<{ id: number }>`returning id`)
const updatePoseur = replacement('poseurs', ['account_id', 'id'], poseurFields)

const countPoseurs = statement((db, p: QueryParams<{ account_id: string }>) =>
  db
    .selectFrom('poseurs')
    .where('account_id', '=', p('account_id'))
    .select((eb) => eb.fn.countAll<number>().as('total')),
)
// Reads in the order of the index poseurs_tri.
const pageOfPoseurs = shapes((bound) =>
  statement((db, p: QueryParams<PageOfAccount>) =>
    db
      .selectFrom('poseurs')
      .select(poseurColumns)
      .where('account_id', '=', p('account_id'))
      .$if(beginsAfter(bound), (poseurs) => poseurs.where(isAfter([sql.ref('tri_nom'), sql.ref('id')], '>', p)))
      .orderBy('tri_nom')
      .orderBy('id')
      .limit(p('limit'))
      .offset(p('offset')),
  ),
)

export class Directory extends Repository implements DirectoryWrites {
  async findClient(account_id: string, id: number): Promise<Client | null> {
    const row = await this.db.findBatched('client', findClient, { account_id, id })
    return row && clients.read(row)
  }

  async findPoseur(account_id: string, id: number): Promise<Poseur | null> {
    const row = await this.db.find(findPoseur, { account_id, id })
    return row && poseurs.read(row)
  }

  async listClients(
    account_id: string,
    { recherche, ...page }: Page & { readonly recherche?: string | undefined },
  ): Promise<Paged<Client>> {
    const search = searchOf(account_id, { recherche }, this.db.dialect)
    const matching = { account_id, ...search }
    const { total } = await this.db.one(countClients(matching), matching)
    const paged = { account_id, ...searchingPage(search, total), ...rangeOf(page) }
    const rows = (await this.db.all(pageOfClients(paged), paged)).map((row) => clients.read(row))
    return pageFound(rows, { total, limite: page.limite, placeOf: (client) => [sortedName(client), client.id] })
  }

  async searchClients(
    account_id: string,
    { limit, ...searched }: Parameters<DirectoryWrites['searchClients']>[1],
  ): Promise<Client[]> {
    const searching = { account_id, ...searchOf(account_id, searched, this.db.dialect) }
    const { total } = await this.db.one(countNewest(searching), searching)
    const values = { ...searchingPage(searching, total), account_id, limit }
    return (await this.db.all(newestClients(values), values)).map((row) => clients.read(row))
  }

  async listPoseurs(account_id: string, page: Page): Promise<Paged<Poseur>> {
    const { total } = await this.db.one(countPoseurs, { account_id })
    const paged = { account_id, ...rangeOf(page) }
    const rows = (await this.db.all(pageOfPoseurs(paged), paged)).map((row) => poseurs.read(row))
    return pageFound(rows, { total, limite: page.limite, placeOf: ({ nom, id }) => [sortKey(nom), id] })
  }

  async addClient(account_id: string, client: Omit<Client, 'id'>): Promise<number> {
    return (await this.db.one(addClient, { account_id, ...written(client) })).id
  }

  async updateClient(account_id: string, id: number, fields: Changes<Omit<Client, 'id'>>): Promise<void> {
    const current = await this.findClient(account_id, id)
    if (current === null) return
    const client = written(changed(current, fields))
    await this.db.run(updateClient, { account_id, id, ...client })
    if (client.recherche_nom === searchableClient(current)) return
    await this.db.run(renameInCases, { account_id, id, recherche_client: client.recherche_nom })
  }

  async addPoseur(account_id: string, poseur: Omit<Poseur, 'id'>): Promise<number> {
    return (await this.db.one(addPoseur, { account_id, ...writtenPoseur(poseur) })).id
  }

  async updatePoseur(account_id: string, id: number, fields: Changes<Omit<Poseur, 'id'>>): Promise<void> {
    const found = await this.findPoseur(account_id, id)
    if (found === null) return
    await this.db.run(updatePoseur, { account_id, id, ...writtenPoseur(changed(found, fields)) })
  }
}

/** The columns of a client to write. */
export function written(client: Omit<Client, 'id'>) {
  return {
    ...clients.written(client),
    recherche_nom: searchableClient(client),
    recherche_email: searchableEmail(client.email ?? ''),
    tri_nom: sortedName(client),
    tri_ville: sortedTown(client.lieu),
  }
}

const writtenPoseur = (poseur: Omit<Poseur, 'id'>) => ({ ...poseurs.written(poseur), tri_nom: sortKey(poseur.nom) })

/** Contains only what lists of cases show to everybody. */
const sortedName = ({ nom, prenom }: Pick<Client, 'nom' | 'prenom'>): string => sortKey(nom, prenom)
