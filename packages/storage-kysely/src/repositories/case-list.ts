import type { CaseSummary, ListCasesInput } from '@sav/core'
import type { CaseFilter, CaseWrites, Page, Paged } from '@sav/core/ports'
import { type AliasedExpression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../statements/dialect.js'
import type { QueryRunner } from '../statements/query-runner.js'
import { type QueryParams, shapes, statement } from '../statements/statement.js'
import { keysOf, picked } from '../tables/rows.js'
import type { Schema } from '../tables/tables.js'
import { toListed } from './case-rows.js'
import { earlierVisits } from './interventions.js'
import { beginsAfter, isAfter, pageFound, type Range, rangeOf } from './pages.js'
import {
  countFoundOf,
  found,
  holdsWords,
  holdsWordsOfClient,
  maxSorted,
  type Search,
  searchingPage,
  searchOf,
} from './search.js'

export type CaseOrder = NonNullable<ListCasesInput['tri']>
export type CaseRow = Awaited<ReturnType<CaseWrites['rows']>>[number]
export type NewestFound = Parameters<CaseWrites['search']>[1]

/**
 * `sans_poseur`: only cases without a poseur. No index begins with this column, but `cases_client` contains it: 35 ms
 * at 300,000 cases.
 */
type CaseListParams = { readonly account_id: string } & Omit<
  CaseFilter,
  | 'poseur_id'
  | 'recherche'
  | 'withoutContact'
  | 'ville'
  | 'telephone'
  | 'non_clos'
  | 'survenu'
  | 'visite_par'
  | 'periode'
> & {
    readonly clos?: 1 | undefined
    readonly rouvert?: 1 | undefined
    readonly visite?: 1 | undefined
    readonly revisite?: 1 | undefined
    readonly visite_par?: number | undefined
    readonly du?: string | undefined
    readonly avant_le?: string | undefined
    readonly poseur_id?: number | undefined
    readonly sans_poseur?: 1 | undefined
    readonly non_clos?: 1 | undefined
  } & Search

/**
 * The filters that may choose the index, in order of preference. Each one's index contains what the later ones need, so
 * that counting and paging read only the index: `cases_client`, `cases_poseur`, `cases_priorite`, `cases_type`,
 * `cases_modified`, `cases_statut`. Without any of them it is `cases_recent`.
 */
const leading = ['client_id', 'poseur_id', 'priorite', 'type_probleme', 'modifie_depuis', 'statut'] as const
type LeadingFilters = readonly (typeof leading)[number][]

type PageOptions = { readonly bound: ReadonlySet<string>; readonly dialect: Dialect; readonly leads?: LeadingFilters }

/** Filters whose index has the list's order. */
const inOrder: LeadingFilters = leading.filter((name) => name !== 'modifie_depuis')

const leadOf = ({ bound, leads = leading }: Pick<PageOptions, 'bound' | 'leads'>) =>
  bound.has('search') ? 'search' : leads.find((name) => bound.has(name))

/**
 * The matching cases. A search takes precedence over every filter. Other filters are written so that no planner prefers
 * their index.
 */
function matching(
  db: Kysely<Schema>,
  p: QueryParams<CaseListParams>,
  { bound, dialect, leads = leading }: PageOptions,
) {
  const has = (name: keyof CaseListParams) => bound.has(name)
  const lead = leadOf({ bound, leads })
  const text = (name: (typeof leading)[number], column: string) =>
    lead === name ? sql.ref<string>(column) : sql<string>`${sql.ref(column)} || ''`

  let cases = db
    .selectFrom('cases')
    .where(has('search') ? sql`cases.account_id || ''` : 'cases.account_id', '=', p('account_id'))
  if (has('search')) cases = cases.where('cases.id', 'in', found('cases', bound, p, dialect))
  else if (has('mot_0_0')) cases = cases.where(holdsWords('cases', bound, p))
  const ofClient = holdsWordsOfClient(bound, p)
  if (ofClient !== undefined) cases = cases.where('cases.client_id', 'in', clientsWhere(ofClient, p))
  if (has('client_id')) cases = cases.where('client_id', '=', p('client_id'))
  if (has('poseur_id'))
    cases = cases.where(lead === 'poseur_id' ? 'poseur_id' : sql<number>`poseur_id + 0`, '=', p('poseur_id'))
  if (has('sans_poseur')) cases = cases.where('poseur_id', 'is', null)
  if (has('non_clos')) cases = cases.where(sql<string>`statut || ''`, '<>', sql.lit('clos'))
  if (has('statut')) cases = cases.where(text('statut', 'statut'), '=', p('statut'))
  if (has('priorite')) cases = cases.where(text('priorite', 'priorite'), '=', p('priorite'))
  if (has('type_probleme')) cases = cases.where(text('type_probleme', 'type_probleme'), '=', p('type_probleme'))
  for (const name of happenings.filter(has)) cases = cases.where('cases.id', 'in', happenedTo(name, p))
  if (has('depuis')) cases = cases.where('date_creation', '>=', p('depuis'))
  if (has('avant')) cases = cases.where('date_creation', '<', p('avant'))
  if (has('modifie_depuis')) cases = cases.where(text('modifie_depuis', 'date_modification'), '>=', p('modifie_depuis'))
  return cases
}

const happenings = ['clos', 'rouvert', 'visite', 'revisite', 'visite_par'] as const

/** The ids of cases closed, reopened or visited (`name`) in the period, by an index that statistics use too. */
function happenedTo(name: (typeof happenings)[number], p: QueryParams<CaseListParams>) {
  const within = (column: string) =>
    sql<SqlBool>`${sql.ref(column)} >= ${p('du')} and ${sql.ref(column)} < ${p('avant_le')}`
  const visited = (hadOneBefore: RawBuilder<unknown>) => sql`
    select visit.case_id from ${sql.table('interventions')} as visit
    where visit.account_id = ${p('account_id')} and ${within('visit.date_debut')}
      and ${hadOneBefore} (select 1 ${earlierVisits('visit')})`
  const from = {
    clos: sql`select closed.id from ${sql.table('cases')} as closed
      where closed.account_id = ${p('account_id')} and ${within('closed.date_cloture')}`,
    rouvert: sql`select case_id from ${sql.table('case_history')}
      where account_id = ${p('account_id')} and type = 'reouverture' and ${within('date')}`,
    visite: visited(sql`not exists`),
    revisite: visited(sql`exists`),
    visite_par: sql`select case_id from ${sql.table('interventions')}
      where account_id = ${p('account_id')} and poseur_id = ${p('visite_par')} and ${within('date_debut')}`,
  }[name]
  return sql<number>`(${from})`
}

/** Searches clients, which are fewer than cases and have short rows: 1 ms instead of 50 at 20,000 cases. */
const clientsWhere = (holds: RawBuilder<SqlBool>, p: QueryParams<CaseListParams>) => sql<number>`(
  select id from ${sql.table('clients')} where account_id = ${p('account_id')} and ${holds})`

const countMatching = shapes((bound) =>
  statement((db, p: QueryParams<CaseListParams>, dialect) =>
    matching(db, p, { bound, dialect }).select((eb) => eb.fn.countAll<number>().as('total')),
  ),
)

/** The count of a search without filters reads only the index of words. */
const countFound = shapes((bound) =>
  statement(
    (_, p: QueryParams<CaseListParams>, dialect) =>
      sql<{ total: number }>`select count(*) as total from ${found('cases', bound, p, dialect)} as found`,
  ),
)

/** `endOfDay`: the last instant of the UTC day of `depuis`. */
type TallyParams = CaseListParams & { readonly endOfDay?: string | undefined }

/** Counts whole UTC days by the tallies, and reads only the first day's cases from the index. */
const countTallied = shapes((bound) =>
  statement((db, p: QueryParams<TallyParams>, dialect) => {
    const tallied = db
      .selectFrom('case_tallies')
      .where('account_id', '=', p('account_id'))
      .$if(bound.has('statut'), (tallies) => tallies.where('statut', '=', p('statut')))
      .$if(bound.has('depuis'), (tallies) => tallies.where('jour', '>', sql<string>`substr(${p('depuis')}, 1, 10)`))
      .select((eb) => eb.fn.sum<number>('nombre').as('total'))
    const firstDay = matching(db, p, { bound, dialect })
      .where('date_creation', '<=', p('endOfDay'))
      .select((eb) => eb.fn.countAll<number>().as('total'))
    return db.selectNoFrom(
      // The sum of integers is not an integer in every database.
      bound.has('depuis')
        ? sql<number>`cast(coalesce(${tallied}, 0) + ${firstDay} as bigint)`.as('total')
        : sql<number>`cast(coalesce(${tallied}, 0) as bigint)`.as('total'),
    )
  }),
)

const newestFirst: CaseOrder = '-date_creation'

interface Order {
  readonly by: RawBuilder<string | number>
  readonly falls?: true
}

/** How lists are sorted. Equal cases come newest first. */
const orders: { readonly [tri in CaseOrder]: Order } = {
  '-date_creation': { by: sql`cases.date_creation`, falls: true },
  date_creation: { by: sql`cases.date_creation` },
  '-date_modification': { by: sql`cases.date_modification`, falls: true },
  date_modification: { by: sql`cases.date_modification` },
  '-priorite': { by: rankOfPriority(), falls: true },
  priorite: { by: rankOfPriority() },
  '-client': { by: sql`clients.tri_nom`, falls: true },
  client: { by: sql`clients.tri_nom` },
  '-ville': { by: sql`clients.tri_ville`, falls: true },
  ville: { by: sql`clients.tri_ville` },
}

const sorted = ({ by, falls }: Order) => sql`${by} ${sql.raw(falls ? 'desc' : 'asc')}`

/**
 * The cases after the bound position. If both columns descend, an index can seek it, unless `modifie_depuis` has found
 * the few recently changed cases, which are then sorted.
 */
function followingCases({ by, falls }: Order, p: QueryParams<Range>, lead: string | undefined): RawBuilder<SqlBool> {
  const id = sql.ref('cases.id')
  if (by === orders[newestFirst].by) return isAfter([lead === 'modifie_depuis' ? sql`${by} || ''` : by, id], '<', p)
  const [orEqual, beyond] = falls ? [sql`<=`, sql`<`] : [sql`>=`, sql`>`]
  return sql`${by} ${orEqual} ${p('place_0')} and (${by} ${beyond} ${p('place_0')} or ${id} < ${p('place_1')})`
}

const byClient: ReadonlySet<CaseOrder> = new Set(['client', '-client', 'ville', '-ville'])
/**
 * The conditions that `cases_client` covers. With any other filter, another index is read and its results are sorted.
 */
const seenByClient = new Set([
  ...['account_id', 'statut', 'non_clos', 'sans_poseur'],
  ...['limit', 'offset', 'place_0', 'place_1'],
])
/**
 * Whether a page walks through the clients in `clients_tri` or `clients_ville`, and each one's cases in `cases_client`,
 * until it is full: at 100,000 cases 5 ms instead of 30 on SQLite, and 15 instead of 200 on PostgreSQL.
 */
const walksClients = (tri: CaseOrder, bound: ReadonlySet<string>) =>
  byClient.has(tri) && [...bound].every((name) => seenByClient.has(name))

function rankOfPriority(): RawBuilder<number> {
  return sql`case cases.priorite when 'basse' then 0 when 'normale' then 1 when 'haute' then 2 else 3 end`
}

/** The ids of a page, in its order. */
function idsOfPage(db: Kysely<Schema>, p: QueryParams<CaseListParams & Range>, tri: CaseOrder, paging: PageOptions) {
  const isWalked = walksClients(tri, paging.bound)
  const order = orders[tri]
  return matching(db, p, isWalked ? { ...paging, leads: ['statut'] } : paging)
    .$if(byClient.has(tri), (cases) =>
      cases
        .innerJoin('clients', (join) =>
          join
            .onRef('clients.account_id', '=', 'cases.account_id')
            // `+ 0` hides the index, so that the plan starts from the clients.
            .on(isWalked ? sql<number>`clients.id + 0` : 'clients.id', '=', sql.ref<number>('cases.client_id')),
        )
        .where('clients.account_id', '=', p('account_id')),
    )
    .$if(beginsAfter(paging.bound), (cases) => cases.where(followingCases(order, p, leadOf(paging))))
    .select(['cases.account_id', 'cases.id'])
    .orderBy(sorted(order))
    .orderBy('cases.id', 'desc')
    .limit(p('limit'))
    .offset(p('offset'))
}

/** Shows the cases whose ids `page` returns. */
function shownOf(db: Kysely<Schema>, page: AliasedExpression<{ account_id: string; id: number }, 'page'>) {
  return db
    .selectFrom(page)
    .innerJoin('cases', (join) =>
      join.onRef('cases.account_id', '=', 'page.account_id').onRef('cases.id', '=', 'page.id'),
    )
    .innerJoin('clients', (join) =>
      join.onRef('clients.account_id', '=', 'cases.account_id').onRef('clients.id', '=', 'cases.client_id'),
    )
    .leftJoin('poseurs', (join) =>
      join.onRef('poseurs.account_id', '=', 'cases.account_id').onRef('poseurs.id', '=', 'cases.poseur_id'),
    )
    .select([
      'cases.id',
      'annee',
      'numero',
      'client_id',
      'clients.nom as client_nom',
      'clients.prenom as client_prenom',
      'poseur_id',
      'poseurs.nom as poseur_nom',
      'description',
      'statut',
      'priorite',
      'date_creation',
      'clients.telephone',
      'clients.lieu',
    ])
}

/**
 * A deferred join: the page's ids in a subquery with its order and limit, then the rows of those ids. Otherwise
 * planners start from another table, and the first page takes 860 ms at a million cases instead of 0.1 ms.
 */
const pageOfCases = (leads: LeadingFilters, tri: CaseOrder) =>
  shapes((bound) =>
    statement((db, p: QueryParams<CaseListParams & Range>, dialect) =>
      shownOf(db, idsOfPage(db, p, tri, { bound, dialect, leads }).as('page'))
        .select(orders[tri].by.as('place'))
        .orderBy(sorted(orders[tri]))
        .orderBy('cases.id', 'desc'),
    ),
  )
const orderedIds = (tri: CaseOrder) =>
  shapes((bound) =>
    statement((db, p: QueryParams<CaseListParams & Range>, dialect) => idsOfPage(db, p, tri, { bound, dialect })),
  )
/** The fields of a spreadsheet besides those of lists. */
const rowFields = ['type_probleme', 'date_modification', 'date_cloture'] as const

/** The limit only makes planners begin with these ids: otherwise SQLite reads every case of the account. */
const namedRows = statement((db, p: QueryParams<{ account_id: string; ids: string; limit: number }>, { jsonRows }) =>
  shownOf(
    db,
    sql<{ account_id: string; id: number }>`(
      select ${p('account_id')} as account_id, input.id from ${jsonRows(p('ids'), { id: 'integer' })}
      order by input.id limit ${p('limit')})`.as<'page'>('page'),
  ).select([...rowFields, 'clients.raison_sociale']),
)

/** For many matches: walking through the list takes less time than sorting what an index finds in another order. */
const walkedPage = pageOfCases(inOrder, newestFirst)
const pages = forEachOrder((tri) => pageOfCases(leading, tri))
const anyPage = pageOfCases(leading, newestFirst)
const ids = forEachOrder(orderedIds)

function forEachOrder<S>(build: (tri: CaseOrder) => S): ReadonlyMap<CaseOrder, S> {
  return new Map(keysOf(orders).map((tri) => [tri, build(tri)]))
}

/** The values that a filter binds. */
function filtersOf(account_id: string, filter: CaseFilter, dialect: Dialect): CaseListParams {
  const { recherche, withoutContact, poseur_id, non_clos, ville, telephone, survenu, visite_par, periode, ...others } =
    filter
  return {
    account_id,
    ...others,
    ...(poseur_id === null ? { sans_poseur: 1 as const } : { poseur_id }),
    ...(non_clos && { non_clos: 1 as const }),
    ...(survenu && { [survenu]: 1 as const }),
    ...(periode && { visite_par, du: periode.from, avant_le: periode.until }),
    ...searchOf(account_id, { recherche, ofClient: [ville, telephone], withoutContact }, dialect),
  }
}

export async function listCases(
  db: QueryRunner,
  account_id: string,
  filter: CaseFilter,
  asked: Page & { readonly tri?: CaseOrder },
): Promise<Paged<CaseSummary>> {
  const { tri = newestFirst } = asked
  const filtered = filtersOf(account_id, filter, db.dialect)
  const total = await countCases(db, filtered)
  const range = rangeOf(asked)
  if (range.offset >= total) return { items: [], total }
  const isWalked = tri === newestFirst
  const values = { ...filtered, ...(isWalked ? searchingPage(filtered, total) : {}), ...range }
  const page = isWalked && total > maxSorted ? walkedPage : (pages.get(tri) ?? anyPage)
  const rows = await db.all(page(values), values)
  const { items, next } = pageFound(rows, { total, limite: asked.limite, placeOf: ({ place, id }) => [place, id] })
  return { items: items.map(toListed), total, next }
}

export async function idsOfList(
  db: QueryRunner,
  account_id: string,
  filter: CaseFilter,
  { tri = newestFirst, limit }: { readonly tri?: CaseOrder; readonly limit: number },
): Promise<number[]> {
  const values = { ...filtersOf(account_id, filter, db.dialect), limit, offset: 0 }
  const statement = ids.get(tri) ?? orderedIds(tri)
  return (await db.all(statement(values), values)).map(({ id }) => id)
}

/** Rows for a spreadsheet. */
export async function rowsOfCases(db: QueryRunner, account_id: string, ids: readonly number[]): Promise<CaseRow[]> {
  const values = { account_id, ids: JSON.stringify(ids.map((id) => ({ id }))), limit: ids.length }
  const byId = new Map((await db.all(namedRows, values)).map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [{ ...toListed(row), ...picked(row, [...rowFields, 'raison_sociale']) }] : []
  })
}

async function countCases(db: QueryRunner, filtered: CaseListParams): Promise<number> {
  const { account_id, statut, depuis, ...others } = filtered
  if (Object.values(others).every((value) => value === undefined)) {
    const endOfDay = depuis && `${depuis.slice(0, 10)}T23:59:59.999Z`
    const values = { account_id, statut, depuis, endOfDay }
    return (await db.one(countTallied(values), values)).total
  }
  const besideSearch = [...leading, 'depuis', 'avant', 'sans_poseur', 'non_clos', 'du', 'client_0_0'] as const
  const onlySearch = besideSearch.every((name) => filtered[name] === undefined)
  const count = filtered.search !== undefined && onlySearch ? countFound : countMatching
  return (await db.one(count(filtered), filtered)).total
}

const countNewest = countFoundOf('cases')

/** A few matches are sorted. Among many, a walk through the list in its order soon finds the newest. */
export async function searchCases(
  db: QueryRunner,
  account_id: string,
  { limit, ...searched }: NewestFound,
): Promise<CaseSummary[]> {
  const searching = { account_id, ...searchOf(account_id, searched, db.dialect) }
  const { total } = await db.one(countNewest(searching), searching)
  const values = { ...searchingPage(searching, total), account_id, limit, offset: 0 }
  const page = total > maxSorted ? walkedPage : anyPage
  return (await db.all(page(values), values)).map(toListed)
}
