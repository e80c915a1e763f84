import {
  type CaseChanges,
  type CaseFilter,
  type CaseSummary,
  type CaseWrites,
  fold,
  formatReference,
  type HistoryEntry,
  type NewCase,
  type NewHistoryEntry,
  type Page,
  type Paged,
  type Reference,
  type SavCase,
} from '@sav/core/ports'
import { type Kysely, sql } from 'kysely'
import { listCases } from './case-list.js'
import { changed, fromClosing, fromHistoryEntry, toCase, toHistoryEntry } from './rows.js'
import type { Schema } from './schema.js'
import type { Session } from './session.js'
import { insertion, type Named, replacement, statement } from './statement.js'

const closingColumns = [
  'date_cloture',
  'resolution',
  'photo_avant',
  'photo_apres',
  'signature_client',
  'signataire_nom',
  'reserves',
] as const

function selectCases(db: Kysely<Schema>) {
  return db
    .selectFrom('cases')
    .innerJoin('clients', (join) =>
      join.onRef('clients.account_id', '=', 'cases.account_id').onRef('clients.id', '=', 'cases.client_id'),
    )
    .leftJoin('poseurs', (join) =>
      join.onRef('poseurs.account_id', '=', 'cases.account_id').onRef('poseurs.id', '=', 'cases.poseur_id'),
    )
    .select([
      'cases.account_id',
      'cases.id',
      'annee',
      'numero',
      'client_id',
      'clients.nom as client_nom',
      'clients.prenom as client_prenom',
      'poseur_id',
      'poseurs.nom as poseur_nom',
      'statut',
      'priorite',
      'type_probleme',
      'description',
      'photos',
      'notes_internes',
      'date_creation',
      'date_modification',
      'version',
      ...closingColumns,
    ])
}

type OneCase = { readonly account_id: string; readonly id: number }

const findCase = statement((db, p: Named<OneCase>) =>
  selectCases(db).where('cases.account_id', '=', p('account_id')).where('cases.id', '=', p('id')),
)
const lockCase = statement((db, p: Named<OneCase>, { locksRows }) =>
  selectCases(db)
    .where('cases.account_id', '=', p('account_id'))
    .where('cases.id', '=', p('id'))
    .$if(locksRows, (found) => found.forUpdate('cases')),
)
// By the unique index on account, year and number.
const findCaseByReference = statement((db, p: Named<{ account_id: string; annee: number; numero: number }>) =>
  selectCases(db)
    .where('cases.account_id', '=', p('account_id'))
    .where('annee', '=', p('annee'))
    .where('numero', '=', p('numero')),
)
// In the order of the index cases_closed.
const listClosedCases = statement((db, p: Named<{ account_id: string; after: number; limit: number }>) =>
  db
    .selectFrom('cases')
    .select(['id', 'annee', 'numero'])
    .where('account_id', '=', p('account_id'))
    .where('statut', '=', sql.lit('clos'))
    .where('id', '>', p('after'))
    .orderBy('id')
    .limit(p('limit')),
)

const nextNumber = insertion(
  'reference_counters',
  ['account_id', 'annee', 'dernier'],
  sql<{ dernier: number }>`on conflict (account_id, annee)
    do update set dernier = reference_counters.dernier + 1 returning dernier`,
)
const insertCase = insertion(
  'cases',
  [
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
  ],
  sql<{ id: number }>`returning id`,
)
const updateCase = replacement(
  'cases',
  ['account_id', 'id'],
  [
    'poseur_id',
    'statut',
    'priorite',
    'type_probleme',
    'notes_internes',
    'date_modification',
    'version',
    ...closingColumns,
  ],
)
const addToTally = insertion(
  'case_tallies',
  ['account_id', 'jour', 'statut', 'nombre'],
  sql`on conflict (account_id, jour, statut) do update set nombre = case_tallies.nombre + excluded.nombre`,
)

// In the order of the index case_history_case.
const listHistory = statement((db, p: Named<OneCase>) =>
  db
    .selectFrom('case_history')
    .select([
      'id',
      'date',
      'type',
      'acteur_type',
      'acteur_id',
      'acteur_nom',
      'champ',
      'ancienne_valeur',
      'nouvelle_valeur',
      'commentaire',
    ])
    .where('account_id', '=', p('account_id'))
    .where('case_id', '=', p('id'))
    .orderBy('id'),
)
const appendHistory = insertion('case_history', [
  'account_id',
  'case_id',
  'date',
  'type',
  'acteur_type',
  'acteur_id',
  'acteur_nom',
  'champ',
  'ancienne_valeur',
  'nouvelle_valeur',
  'commentaire',
])

export class Cases implements CaseWrites {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  async find(account_id: string, id: number): Promise<SavCase | null> {
    const row = await this.#session.first(findCase, { account_id, id })
    return row && toCase(row)
  }

  async lock(account_id: string, id: number): Promise<SavCase | null> {
    const row = await this.#session.first(lockCase, { account_id, id })
    return row && toCase(row)
  }

  async findByReference(account_id: string, { annee, numero }: Reference): Promise<SavCase | null> {
    const row = await this.#session.first(findCaseByReference, { account_id, annee, numero })
    return row && toCase(row)
  }

  list(account_id: string, filter: CaseFilter, page: Page): Promise<Paged<CaseSummary>> {
    return listCases(this.#session, account_id, filter, page)
  }

  async listClosed(
    account_id: string,
    { afterId, limit }: { readonly afterId: number; readonly limit: number },
  ): Promise<{ id: number; reference: string }[]> {
    const rows = await this.#session.all(listClosedCases, { account_id, after: afterId, limit })
    return rows.map((row) => ({ id: row.id, reference: formatReference(row) }))
  }

  async nextNumber(account_id: string, annee: number): Promise<number> {
    return (await this.#session.one(nextNumber, { account_id, annee, dernier: 1 })).dernier
  }

  async insert(newCase: NewCase): Promise<number> {
    const { account_id, description, date_creation } = newCase
    const { id } = await this.#session.one(insertCase, {
      ...newCase,
      photos: JSON.stringify(newCase.photos),
      statut: 'ouvert',
      date_modification: date_creation,
      version: 1,
      recherche: fold(`${formatReference(newCase)} ${description}`),
    })
    await this.#tally({ account_id, date_creation, statut: 'ouvert' }, 1)
    return id
  }

  async update(found: SavCase, changes: CaseChanges): Promise<void> {
    const row = changedCase(found, changes)
    if ((await this.#session.run(updateCase, row)) === 0 || row.statut === found.statut) return
    await this.#tally(found, -1)
    await this.#tally({ ...found, statut: row.statut }, 1)
  }

  async appendHistory(account_id: string, id: number, entries: readonly NewHistoryEntry[]): Promise<void> {
    for (const entry of entries)
      await this.#session.run(appendHistory, { account_id, case_id: id, ...fromHistoryEntry(entry) })
  }

  async history(account_id: string, id: number): Promise<HistoryEntry[]> {
    return (await this.#session.all(listHistory, { account_id, id })).map(toHistoryEntry)
  }

  async #tally(
    { account_id, date_creation, statut }: Pick<SavCase, 'account_id' | 'date_creation' | 'statut'>,
    nombre: number,
  ): Promise<void> {
    await this.#session.run(addToTally, { account_id, statut, jour: date_creation.slice(0, 10), nombre })
  }
}

function changedCase(found: SavCase, { closing, ...changes }: CaseChanges) {
  const { account_id, id, statut, priorite, type_probleme, notes_internes } = found
  const poseur_id = found.poseur_assigne?.id ?? null
  const standing = found.statut === 'clos' ? found : null
  return {
    ...changed({ account_id, id, statut, priorite, type_probleme, notes_internes, poseur_id }, changes),
    date_modification: changes.date_modification,
    version: changes.version,
    ...fromClosing(closing === undefined ? standing : closing),
  }
}
