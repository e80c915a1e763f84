import type { CaseSummary, HistoryEntry, Intervention } from '@sav/core'
import type { ChainedHistoryEntry } from '@sav/core/adapter'
import {
  type CaseChanges,
  type CaseFilter,
  type CaseWrites,
  closingFields,
  formatReference,
  type NewCase,
  type Page,
  type Paged,
  type Reference,
  type SavCase,
} from '@sav/core/ports'
import { type Kysely, sql } from 'kysely'
import { Repository } from '../statements/query-runner.js'
import { insertions } from '../statements/rows-statement.js'
import { lookUpBy, type QueryParams, replacement, selection, statement, table } from '../statements/statement.js'
import { changed, picked } from '../tables/rows.js'
import { type Schema, tables } from '../tables/tables.js'
import { type Id, insertCase, nextIds, nextNumber } from './case-creation.js'
import {
  type CaseOrder,
  type CaseRow,
  idsOfList,
  listCases,
  type NewestFound,
  rowsOfCases,
  searchCases,
} from './case-list.js'
import {
  type Comment,
  fromClosing,
  fromHead,
  fromHistoryEntry,
  toCase,
  toComment,
  toHistoryEntry,
} from './case-rows.js'
import { addToTallies } from './case-tallies.js'
import { addIntervention, casesVisited, eraseInterventions, interventionsOf } from './interventions.js'
import { keptWith, searchableReference, searchableText } from './search.js'

const shownColumns = tables.cases.without('account_id', 'id', 'recherche', 'recherche_client')

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
      ...shownColumns,
      'clients.nom as client_nom',
      'clients.prenom as client_prenom',
      'poseurs.nom as poseur_nom',
    ])
}

type OneCase = { readonly account_id: string; readonly id: number }

const findCase = statement((db, p: QueryParams<OneCase>) =>
  selectCases(db).where('cases.account_id', '=', p('account_id')).where('cases.id', '=', p('id')),
)
const lockCase = lookUpBy('cases', ['account_id', 'id'], { columns: ['id'] }).locking
// Finds a case by the unique index on account, year and number.
const findCaseByReference = statement((db, p: QueryParams<{ account_id: string; annee: number; numero: number }>) =>
  selectCases(db)
    .where('cases.account_id', '=', p('account_id'))
    .where('annee', '=', p('annee'))
    .where('numero', '=', p('numero')),
)
// Reads in the order of the index cases_closed.
const listClosedCases = statement((db, p: QueryParams<{ account_id: string; after: number; limit: number }>) =>
  db
    .selectFrom('cases')
    .select(['id', 'annee', 'numero'])
    .where('account_id', '=', p('account_id'))
    .where('statut', '=', sql.lit('clos'))
    .where('id', '>', p('after'))
    .orderBy('id')
    .limit(p('limit')),
)

/** Columns that change and are computed from other fields of the record. */
const composed = ['poseur_id', 'photos', 'historique_numero', 'historique_hash', ...closingFields] as const
const lasting = ['account_id', 'id', 'annee', 'numero', 'client_id', 'description', 'date_creation'] as const
const changing = tables.cases.without(
  ...lasting,
  ...(['reference_origine', 'recherche', 'recherche_client'] as const),
  ...composed,
)
const updateCase = replacement('cases', ['account_id', 'id'], [...changing, ...composed])
/** The kinds of history lines whose `commentaire` is searched. */
const searchedLines: ReadonlySet<HistoryEntry['type']> = new Set<HistoryEntry['type']>(['commentaire', 'reouverture'])
const findWords = lookUpBy('cases', ['account_id', 'id'], { columns: ['recherche'] })
const updateWords = statement(
  (_, p: QueryParams<OneCase & { recherche: string }>) =>
    sql<never>`update ${table('cases')} set recherche = ${p('recherche')}
      where account_id = ${p('account_id')} and id = ${p('id')}`,
)
const lineColumns = tables.case_history.without('account_id', 'case_id')
const shownOfLine = tables.case_history.without('account_id', 'case_id', 'numero', 'hash', 'sel', 'empreintes')
// Reads in the order of the primary key, like the next two.
const listHistory = statement((db, p: QueryParams<{ account_id: string; case_id: number }>) =>
  db
    .selectFrom('case_history')
    .select(['numero as id', ...shownOfLine])
    .where('account_id', '=', p('account_id'))
    .where('case_id', '=', p('case_id'))
    .orderBy('numero'),
)
const listHistoryChain = selection('case_history', ['account_id', 'case_id'], {
  columns: lineColumns,
  order: ['numero'],
})
const listEverClosed = statement((db, p: QueryParams<{ account_id: string; after: number; limit: number }>) =>
  db
    .selectFrom('case_history')
    .select('case_id')
    .where('account_id', '=', p('account_id'))
    .where('case_id', '>', p('after'))
    .where('type', '=', sql.lit('cloture'))
    .groupBy('case_id')
    .orderBy('case_id')
    .limit(p('limit')),
)
const listComments = statement(
  (db, p: QueryParams<{ account_id: string; case_id: number; before: number; limit: number }>) =>
    db
      .selectFrom('case_history')
      .select(['numero as id', 'date', 'acteur_type', 'acteur_id', 'acteur_nom', 'commentaire'])
      .where('account_id', '=', p('account_id'))
      .where('case_id', '=', p('case_id'))
      .where('type', '=', sql.lit('commentaire'))
      .where('numero', '<', p('before'))
      .orderBy('numero', 'desc')
      .limit(p('limit')),
)
const appendHistory = insertions('case_history', tables.case_history.casts(tables.case_history.names))

// Uses the index cases_client.
const listOfClient = selection('cases', ['account_id', 'client_id'], {
  columns: ['id', 'annee', 'numero'],
  order: ['id'],
})
const eraseCase = statement(
  (_, p: QueryParams<OneCase & { replacement: string; recherche: string }>) =>
    sql<never>`update ${table('cases')}
      set description = ${p('replacement')}, recherche = ${p('recherche')}, photos = '[]',
        notes_internes = case when notes_internes is not null then ${p('replacement')} end, sel_notes = null,
        resolution = case when resolution is not null then ${p('replacement')} end,
        reserves = case when reserves is not null then '[]' end,
        photo_avant = null, photo_apres = null, signature_client = null, signataire_nom = null,
        vu = null
      where account_id = ${p('account_id')} and id = ${p('id')}`,
)
const eraseHistory = statement(
  (_, p: QueryParams<OneCase & { replacement: string; json: string }>) =>
    sql<never>`update ${table('case_history')}
      set sel = null, commentaire = case when commentaire is not null then ${p('replacement')} end,
        ancienne_valeur = case when champ = 'notes_internes' and ancienne_valeur <> 'null' then ${p('json')}
          else ancienne_valeur end,
        nouvelle_valeur = case when champ = 'notes_internes' and nouvelle_valeur <> 'null' then ${p('json')}
          else nouvelle_valeur end
      where account_id = ${p('account_id')} and case_id = ${p('id')}`,
)

// Uses only the index cases_recent.
const countNumbered = statement(
  (_, p: QueryParams<{ account_id: string; annee: number; from: string; before: string }>) => sql<{
    last: number
    before: number
  }>`select
    coalesce((select dernier from ${table('reference_counters')}
      where account_id = ${p('account_id')} and annee = ${p('annee')}), 0) as last,
    (select count(*) from ${table('cases')} where account_id = ${p('account_id')}
      and date_creation >= ${p('from')} and date_creation < ${p('before')}) as before`,
)

export class Cases extends Repository implements CaseWrites {
  /** Ids that were assigned together with numbers, by year and number. */
  readonly #ids = new Map<string, Id>()

  async find(account_id: string, id: number): Promise<SavCase | null> {
    const row = await this.db.first(findCase, { account_id, id })
    return row && toCase(row)
  }

  async lock(account_id: string, id: number): Promise<SavCase | null> {
    // Locks first, in a separate statement: a join that had to wait would mix the new row with names of the old one.
    const [, found] = await Promise.all([this.db.lock(lockCase, { account_id, id }), this.find(account_id, id)])
    return found
  }

  async findByReference(account_id: string, { annee, numero }: Reference): Promise<SavCase | null> {
    const row = await this.db.first(findCaseByReference, { account_id, annee, numero })
    return row && toCase(row)
  }

  list(account_id: string, filter: CaseFilter, page: Page & { readonly tri?: CaseOrder }): Promise<Paged<CaseSummary>> {
    return listCases(this.db, account_id, filter, page)
  }

  ids(
    account_id: string,
    filter: CaseFilter,
    of: { readonly tri?: CaseOrder; readonly limit: number },
  ): Promise<number[]> {
    return idsOfList(this.db, account_id, filter, of)
  }

  rows(account_id: string, ids: readonly number[]): Promise<CaseRow[]> {
    return rowsOfCases(this.db, account_id, ids)
  }

  async listClosed(
    account_id: string,
    { afterId, limit }: { readonly afterId: number; readonly limit: number },
  ): Promise<{ id: number; reference: string }[]> {
    const rows = await this.db.all(listClosedCases, { account_id, after: afterId, limit })
    return rows.map((row) => ({ id: row.id, reference: formatReference(row) }))
  }

  search(account_id: string, query: NewestFound): Promise<CaseSummary[]> {
    return searchCases(this.db, account_id, query)
  }

  numbered(
    account_id: string,
    year: { readonly annee: number; readonly from: string; readonly before: string },
  ): Promise<{ last: number; before: number }> {
    return this.db.one(countNumbered, { account_id, ...year })
  }

  async nextNumber(
    account_id: string,
    annee: number,
    { isLong = false }: { readonly isLong?: boolean } = {},
  ): Promise<number> {
    const { numero, id } = await nextNumber(this.db, { account_id, annee }, { isLong })
    if (id !== undefined) this.#ids.set(`${annee} ${numero}`, id)
    return numero
  }

  async insert(newCase: NewCase): Promise<number> {
    const { description, date_creation, tete_historique, ...fields } = newCase
    const known = this.#ids.get(`${fields.annee} ${fields.numero}`)
    const [own = null] = known === undefined ? await nextIds(this.db, 'cases', 1) : [known]
    const row = {
      ...fields,
      id: own,
      ...fromHead(tete_historique),
      description,
      date_creation,
      photos: JSON.stringify(newCase.photos),
      statut: 'ouvert' as const,
      date_modification: date_creation,
      version: 1,
      recherche: `${searchableReference(formatReference(newCase))} ${searchableText(description)}`,
    }
    const id = await insertCase(this.db, row)
    await this.#tally(newCase, { ouvert: 1 })
    return id
  }

  async update(found: SavCase, changes: CaseChanges): Promise<void> {
    const row = changedCase(found, changes)
    if ((await this.db.run(updateCase, row)) === 0 || row.statut === found.statut) return
    const { account_id, date_creation } = found
    await this.#tally({ account_id, date_creation }, { [found.statut]: -1, [row.statut]: 1 })
  }

  async ofClient(account_id: string, client_id: number): Promise<{ id: number; reference: string }[]> {
    const rows = await this.db.all(listOfClient, { account_id, client_id })
    return rows.map((row) => ({ id: row.id, reference: formatReference(row) }))
  }

  interventions(account_id: string, id: number): Promise<Intervention[]> {
    return interventionsOf(this.db, { account_id, id })
  }

  addIntervention(account_id: string, id: number, intervention: Omit<Intervention, 'id'>): Promise<number> {
    return addIntervention(this.db, { account_id, id }, intervention)
  }

  async erase(account_id: string, id: number, replacement: string): Promise<void> {
    const found = await this.find(account_id, id)
    if (found === null) return
    await eraseInterventions(this.db, { account_id, id }, replacement)
    await this.db.run(eraseCase, { account_id, id, replacement, recherche: searchableReference(found.reference) })
    await this.db.run(eraseHistory, { account_id, id, replacement, json: JSON.stringify(replacement) })
  }

  async appendHistory(account_id: string, id: number, entries: readonly ChainedHistoryEntry[]): Promise<void> {
    const rows = entries.map((entry) => ({ account_id, case_id: id, ...fromHistoryEntry(entry) }))
    await this.db.defer(appendHistory, rows)
    const told = entries.filter(({ type }) => searchedLines.has(type)).map(({ commentaire }) => commentaire ?? '')
    if (told.length > 0) await this.#addWords({ account_id, id }, told.join(' '))
  }

  async history(account_id: string, id: number): Promise<HistoryEntry[]> {
    return (await this.db.all(listHistory, { account_id, case_id: id })).map(toHistoryEntry)
  }

  async historyChain(account_id: string, id: number): Promise<ChainedHistoryEntry[]> {
    return (await this.db.all(listHistoryChain, { account_id, case_id: id })).map(toHistoryEntry)
  }

  async comments(
    account_id: string,
    case_id: number,
    { beforeId, limit }: { readonly beforeId: number | null; readonly limit: number },
  ): Promise<Comment[]> {
    const before = beforeId ?? Number.MAX_SAFE_INTEGER
    return (await this.db.all(listComments, { account_id, case_id, before, limit })).map(toComment)
  }

  async listEverClosed(
    account_id: string,
    { afterId, limit }: { readonly afterId: number; readonly limit: number },
  ): Promise<number[]> {
    const rows = await this.db.all(listEverClosed, { account_id, after: afterId, limit })
    return rows.map(({ case_id }) => case_id)
  }

  listVisited(
    account_id: string,
    { afterId, limit }: { readonly afterId: number; readonly limit: number },
  ): Promise<number[]> {
    return casesVisited(this.db, { account_id, after: afterId, limit })
  }

  /** Adds words that searches find at once. The caller holds the lock of the case. */
  async #addWords(one: OneCase, text: string): Promise<void> {
    const found = await this.db.first(findWords.plain, one)
    if (found === null) return
    const kept = keptWith(found.recherche, text)
    if (kept !== found.recherche) await this.db.run(updateWords, { ...one, recherche: kept })
  }

  async #tally(
    { account_id, date_creation }: Pick<SavCase, 'account_id' | 'date_creation'>,
    changes: Partial<Record<SavCase['statut'], number>>,
  ): Promise<void> {
    const jour = date_creation.slice(0, 10)
    const rows = Object.entries(changes).map(([statut, nombre]) => ({ account_id, jour, statut, nombre }))
    await this.db.defer(addToTallies, rows)
  }
}

function changedCase(found: SavCase, { closing, tete_historique = found.tete_historique, ...changes }: CaseChanges) {
  const { photos = found.photos, ...fields } = changes
  const poseur_id = found.poseur_assigne?.id ?? null
  const standing = found.statut === 'clos' ? found : null
  return {
    ...changed({ ...picked(found, ['account_id', 'id', ...changing]), poseur_id }, fields),
    photos: JSON.stringify(photos),
    ...fromHead(tete_historique),
    ...fromClosing(closing === undefined ? standing : closing),
  }
}
