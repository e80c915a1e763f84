import type { Page, Paged } from '@sav/core/ports'
import {
  beginsAfter,
  insertions,
  isAfter,
  isEnabled,
  pageFound,
  type QueryParams,
  type Range,
  Repository,
  rangeOf,
  type schema,
  shapes,
  statementsOf,
  table,
} from '@sav/storage-kysely/feature'
import { type RawBuilder, sql } from 'kysely'
import { maxRdvMinutes } from '../appointments/days.js'
import type { Agenda, PlanningWrites, RdvFilter } from '../appointments/planning-store.js'
import type { Interval, NewRdv, Rdv } from '../appointments/rdv.js'
import type { RdvPage, RdvPageWrites } from '../customers/rdv-page-store.js'
import { fromRdv, personsOfRdv, type RdvRow, replacedOfRdv, type TeamRow, toRdv } from './rdv-rows.js'
import { tables } from './tables.js'

const { deletion, insertion, lookUpBy, replacement, selection, statement } =
  statementsOf<schema.KyselyTables<typeof tables>>()

type OneRdv = { readonly account_id: string; readonly id: number }
type RdvListParams = { readonly account_id: string } & RdvFilter

/**
 * The appointments of a page (`id`), with the names to show. As in lists of cases, the page comes first: SQLite does
 * not reorder a cross join, and would otherwise read every appointment of the account.
 */
const shown = (
  p: QueryParams<{ readonly account_id: string }>,
  page: RawBuilder<unknown>,
  order = sql`rdv.debut, rdv.id`,
) => sql<RdvRow>`
  select rdv.*, clients.nom as client_nom, clients.prenom as client_prenom, clients.lieu as client_lieu,
    clients.telephone as client_telephone, poseurs.nom as poseur_nom, cases.annee, cases.numero
  from (${page}) as page cross join ${table('rdv')}
    join ${table('clients')} on clients.account_id = rdv.account_id and clients.id = rdv.client_id
    join ${table('poseurs')} on poseurs.account_id = rdv.account_id and poseurs.id = rdv.poseur_id
    left join ${table('cases')} on cases.account_id = rdv.account_id and cases.id = rdv.sav_id
  where rdv.account_id = ${p('account_id')} and rdv.id = page.id
  order by ${order}`

const findRdv = statement((_, p: QueryParams<OneRdv>) =>
  shown(p, sql`select id from ${table('rdv')} where account_id = ${p('account_id')} and id = ${p('id')}`),
)
const lockRdv = lookUpBy('rdv', ['account_id', 'id'], { columns: ['id'] })

/**
 * The tables and filters of a list. With a person, it uses the index of persons and days. Otherwise it uses an index
 * that begins with the case, the client or the day.
 */
function matching(p: QueryParams<RdvListParams>, bound: ReadonlySet<string>): RawBuilder<unknown> {
  const equal = (name: 'client_id' | 'sav_id' | 'statut' | 'type') =>
    bound.has(name) ? sql`and rdv.${sql.ref(name)} = ${p(name)}` : sql``
  const filters = sql`${equal('client_id')} ${equal('sav_id')} ${equal('statut')} ${equal('type')}`
  if (!bound.has('poseur_id'))
    return sql`from ${table('rdv')} where rdv.account_id = ${p('account_id')}
      and rdv.debut >= ${p('from')} and rdv.debut < ${p('until')} ${filters}`
  return sql`from ${table('rdv_personnes')}
      join ${table('rdv')} on rdv.account_id = rdv_personnes.account_id and rdv.id = rdv_personnes.rdv_id
    where rdv_personnes.account_id = ${p('account_id')} and rdv_personnes.poseur_id = ${p('poseur_id')}
      and rdv_personnes.debut >= ${p('from')} and rdv_personnes.debut < ${p('until')} ${filters}`
}

const countMatching = shapes((bound) =>
  statement(
    (_, p: QueryParams<RdvListParams>) => sql<{ total: number }>`select count(*) as total ${matching(p, bound)}`,
  ),
)
const pageOfMatching = shapes((bound) =>
  statement((_, p: QueryParams<RdvListParams & Range>) => {
    const time = bound.has('poseur_id')
      ? [sql`rdv_personnes.debut`, sql`rdv_personnes.rdv_id`]
      : [sql`rdv.debut`, sql`rdv.id`]
    const after = beginsAfter(bound) ? sql`and ${isAfter(time, '>', p)}` : sql``
    return shown(
      p,
      sql`select rdv.id ${matching(p, bound)} ${after}
      order by ${sql.join(time)} limit ${p('limit')} offset ${p('offset')}`,
    )
  }),
)

type OccupiedTime = {
  readonly account_id: string
  readonly persons: string
  readonly debut: number
  readonly fin: number
  /** `debut` minus the longest duration of an appointment. */
  readonly after: number
}

/**
 * Locks the persons in the order of ids, so that transactions for the same person wait here, one after another. Without
 * these locks they would wait for each other in the constraint, and PostgreSQL ends such a deadlock only after a
 * second.
 */
const lockPersons = statement(
  (
    _,
    p: QueryParams<Pick<OccupiedTime, 'persons'>>,
    { jsonRows, lockName },
  ) => sql`select (${lockName(sql`'rdv ' || id`)})
    from (select id from ${jsonRows(p('persons'), { id: 'integer' })} order by id) as persons`,
)
const idsJson = (ids: readonly number[]) => JSON.stringify(ids.map((id) => ({ id })))

/** Uses the index of persons and times. An appointment that began before `after` is over at `debut`. */
const listOverlapping = statement((_, p: QueryParams<OccupiedTime>, { jsonRows }) =>
  shown(
    p,
    sql`select distinct rdv_id as id from ${table('rdv_personnes')}
    where poseur_id in (select id from ${jsonRows(p('persons'), { id: 'integer' })})
      and debut_ms < ${p('fin')} and debut_ms > ${p('after')}
      and fin_ms > ${p('debut')}`,
  ),
)
// Reads in the order of the index rdv_personnes_days.
const listComingOfPoseur = statement(
  (_, p: QueryParams<{ account_id: string; poseur_id: number; from: string; limit: number }>) =>
    shown(
      p,
      sql`select rdv_id as id from ${table('rdv_personnes')}
      where account_id = ${p('account_id')} and poseur_id = ${p('poseur_id')}
        and debut >= ${p('from')} and debut_ms is not null
      order by debut, rdv_id limit ${p('limit')}`,
    ),
)
// Uses the index rdv_case.
const listComingOfCase = statement((_, p: QueryParams<{ account_id: string; sav_id: number; from: string }>) =>
  shown(
    p,
    sql`select id from ${table('rdv')}
    where account_id = ${p('account_id')} and sav_id = ${p('sav_id')} and debut >= ${p('from')}
      and statut in ('propose', 'planifie', 'confirme', 'en_cours')`,
  ),
)
// Uses the index rdv_client.
const listOfClient = statement((_, p: QueryParams<{ account_id: string; client_id: number }>) =>
  shown(
    p,
    sql`select id from ${table('rdv')}
      where account_id = ${p('account_id')} and client_id = ${p('client_id')}`,
    sql`rdv.id`,
  ),
)
// Uses the indexes rdv_case and rdv_client.
const listLatest = statement(
  (_, p: QueryParams<{ account_id: string; cases: string; clients: string; limit: number }>, { jsonRows }) => {
    const of = (column: 'sav_id' | 'client_id', ids: 'cases' | 'clients') => sql`
      select rdv.id, rdv.debut from ${jsonRows(p(ids), { id: 'integer' })} cross join ${table('rdv')}
      where rdv.account_id = ${p('account_id')} and rdv.${sql.ref(column)} = input.id`
    return shown(
      p,
      sql`select id from (${of('sav_id', 'cases')} union ${of('client_id', 'clients')}) as theirs
        order by debut desc, id desc limit ${p('limit')}`,
      sql`rdv.debut desc, rdv.id desc`,
    )
  },
)
// Reads in the order of the index rdv_holds.
const listExpiredHolds = statement((db, p: QueryParams<{ now: string; limit: number }>) =>
  db
    .selectFrom('rdv')
    .select(['account_id', 'id'])
    .where('expire_a', '<=', p('now'))
    .orderBy('expire_a')
    .orderBy('id')
    .limit(p('limit')),
)
// Reads in the order of the index rdv_letters.
const listDueLetters = statement((db, p: QueryParams<{ now: string; limit: number }>) =>
  db
    .selectFrom('rdv')
    .select(['account_id', 'id'])
    .where('lettre_due', '<=', p('now'))
    .orderBy('lettre_due')
    .orderBy('id')
    .limit(p('limit')),
)
/**
 * The teams of many appointments. The cross join begins with the ids of the appointments, because SQLite would
 * otherwise read the persons of the whole account.
 */
const listTeams = statement(
  (_, p: QueryParams<{ account_id: string; ids: string }>, { jsonRows }) => sql<TeamRow>`
    select rdv_personnes.rdv_id, poseurs.id, poseurs.nom
    from ${jsonRows(p('ids'), { id: 'integer' })}
      cross join ${table('rdv_personnes')} cross join ${table('poseurs')}
    where rdv_personnes.account_id = ${p('account_id')} and rdv_personnes.rdv_id = input.id
      and poseurs.account_id = rdv_personnes.account_id and poseurs.id = rdv_personnes.poseur_id
      and rdv_personnes.ordre > 0
    order by rdv_personnes.rdv_id, rdv_personnes.ordre`,
)

const addRdv = insertion('rdv', tables.rdv.without('id'), sql<{ id: number }>`returning id`)
const updateRdv = replacement('rdv', ['account_id', 'id'], replacedOfRdv)
const takePersons = insertions('rdv_personnes', tables.rdv_personnes.casts(tables.rdv_personnes.names))
const leavePersons = deletion('rdv_personnes', ['account_id', 'rdv_id'])

const findAgenda = selection('agendas', ['account_id', 'poseur_id'], {
  columns: tables.agendas.without('account_id', 'poseur_id'),
})
const listAgendas = selection('agendas', ['account_id'], {
  columns: tables.agendas.without('account_id'),
  order: ['poseur_id'],
})
const putAgenda = insertion(
  'agendas',
  tables.agendas.names,
  sql`on conflict (account_id, poseur_id) do update set horaires = excluded.horaires,
    absences = excluded.absences, absences_depuis = excluded.absences_depuis, competences = excluded.competences`,
)

export class Planning extends Repository implements PlanningWrites {
  async find(account_id: string, id: number): Promise<Rdv | null> {
    const [rdv] = await this.#withTeams(await this.db.all(findRdv, { account_id, id }))
    return rdv ?? null
  }

  async lock(account_id: string, id: number): Promise<Rdv | null> {
    // Locks first, in a separate statement: a join that had to wait would mix the new row with names of the old one.
    await this.db.find(lockRdv, { account_id, id })
    return this.find(account_id, id)
  }

  async list(account_id: string, filter: RdvFilter, page: Page): Promise<Paged<Rdv>> {
    const filtered = { account_id, ...filter }
    const { total } = await this.db.one(countMatching(filtered), filtered)
    const paged = { ...filtered, ...rangeOf(page) }
    if (paged.offset >= total) return { items: [], total }
    const rows = await this.db.all(pageOfMatching(paged), paged)
    const { items, next } = pageFound(rows, { total, limite: page.limite, placeOf: ({ debut, id }) => [debut, id] })
    return { items: await this.#withTeams(items), total, next }
  }

  async overlapping(account_id: string, poseur_ids: readonly number[], { debut, fin }: Interval): Promise<Rdv[]> {
    const persons = idsJson(poseur_ids)
    const from = Date.parse(debut)
    const times = { debut: from, fin: Date.parse(fin), after: from - maxRdvMinutes * 60_000 }
    const [, taken] = await Promise.all([
      this.db.lock(lockPersons, { persons }),
      this.db.all(listOverlapping, { account_id, persons, ...times }),
    ])
    return this.#withTeams(taken)
  }

  async comingOfPoseur(account_id: string, poseur_id: number, from: string, limit: number): Promise<Rdv[]> {
    return this.#withTeams(await this.db.all(listComingOfPoseur, { account_id, poseur_id, from, limit }))
  }

  async comingOfCase(account_id: string, sav_id: number, from: string): Promise<Rdv[]> {
    return this.#withTeams(await this.db.all(listComingOfCase, { account_id, sav_id, from }))
  }

  async ofClient(account_id: string, client_id: number): Promise<Rdv[]> {
    return this.#withTeams(await this.db.all(listOfClient, { account_id, client_id }))
  }

  async latest(
    account_id: string,
    of: { readonly sav_ids: readonly number[]; readonly client_ids: readonly number[]; readonly limit: number },
  ): Promise<Rdv[]> {
    const values = { account_id, cases: idsJson(of.sav_ids), clients: idsJson(of.client_ids), limit: of.limit }
    return this.#withTeams(await this.db.all(listLatest, values))
  }

  expiredHolds(now: string, limit: number): Promise<{ account_id: string; id: number }[]> {
    return this.db.all(listExpiredHolds, { now, limit })
  }

  dueLetters(now: string, limit: number): Promise<{ account_id: string; id: number }[]> {
    return this.db.all(listDueLetters, { now, limit })
  }

  async add(rdv: NewRdv): Promise<number> {
    const { account_id, sav, client } = rdv
    const row = { account_id, sav_id: sav?.id ?? null, client_id: client.id, ...fromRdv(rdv) }
    const [, { id }] = await Promise.all([this.#lockPersonsOf([rdv]), this.db.one(addRdv, row)])
    await this.db.sendEach(
      takePersons,
      personsOfRdv({ ...rdv, id }).map((person) => ({ ...person })),
    )
    return id
  }

  async update(rdvs: readonly Rdv[]): Promise<void> {
    await this.#lockPersonsOf(rdvs)
    for (const { account_id, id } of rdvs) await this.db.run(leavePersons, { account_id, rdv_id: id })
    const own: Rdv[] = []
    for (const rdv of rdvs) {
      const { account_id, id } = rdv
      if ((await this.db.run(updateRdv, { account_id, id, ...fromRdv(rdv) })) === 1) own.push(rdv)
    }
    await this.db.sendEach(
      takePersons,
      own.flatMap(personsOfRdv).map((person) => ({ ...person })),
    )
  }

  async agenda(account_id: string, poseur_id: number): Promise<Agenda | null> {
    const row = await this.db.first(findAgenda, { account_id, poseur_id })
    return row && tables.agendas.read(row)
  }

  async agendas(account_id: string): Promise<(Agenda & { readonly poseur_id: number })[]> {
    return (await this.db.all(listAgendas, { account_id })).map((row) => tables.agendas.read(row))
  }

  async putAgenda(account_id: string, poseur_id: number, agenda: Agenda): Promise<void> {
    await this.db.run(putAgenda, { account_id, poseur_id, ...tables.agendas.written(agenda) })
  }

  #lockPersonsOf(rdvs: readonly Pick<Rdv, 'poseur' | 'equipiers'>[]): Promise<void> {
    const persons = rdvs.flatMap(({ poseur, equipiers }) => [poseur, ...equipiers])
    return this.db.lock(lockPersons, { persons: idsJson(persons.map(({ id }) => id)) })
  }

  /** All rows are of one account. */
  async #withTeams(rows: readonly RdvRow[]): Promise<Rdv[]> {
    const [first] = rows
    if (first === undefined) return []
    const ids = idsJson(rows.map(({ id }) => id))
    const teams = new Map<number, Rdv['equipiers'][number][]>()
    for (const { rdv_id, id, nom } of await this.db.all(listTeams, { account_id: first.account_id, ids })) {
      const team = teams.get(rdv_id) ?? []
      teams.set(rdv_id, team)
      team.push({ id, nom })
    }
    return rows.map((row) => toRdv(row, teams.get(row.id) ?? []))
  }
}

const findPage = statement((db, p: QueryParams<{ hash: string }>) =>
  db
    .selectFrom('rdv_pages')
    .selectAll()
    .where('hash', '=', p('hash'))
    .where(isEnabled(sql.ref('rdv_pages.account_id'))),
)
const addPage = insertion('rdv_pages', ['hash', 'account_id', 'rdv_id'], sql<never>`on conflict (hash) do nothing`)
// Uses the index rdv_pages_rdv.
const removePages = deletion('rdv_pages', ['account_id', 'rdv_id'])

export class RdvPages extends Repository implements RdvPageWrites {
  find(hash: string): Promise<RdvPage | null> {
    return this.db.first(findPage, { hash })
  }

  async add({ hash, account_id, rdv_id }: RdvPage): Promise<void> {
    await this.db.run(addPage, { hash, account_id, rdv_id })
  }

  async remove(account_id: string, rdv_id: number): Promise<void> {
    await this.db.run(removePages, { account_id, rdv_id })
  }
}
