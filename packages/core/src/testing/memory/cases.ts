import type { CaseSummary, FieldValue, Intervention, SavCase } from '../../cases/case.js'
import type { CaseFilter, CaseReads, CaseWrites } from '../../cases/case-store.js'
import { formatReference } from '../../cases/reference.js'
import { ClientErasedError } from '../../errors.js'
import { fold, isFoundIn } from '../../folding.js'
import { by, changed, ownedBy, pageOf, reversed } from './rows.js'
import { type CaseRow, keyOf, type Tables } from './tables.js'

function summaryOf({ clients, poseurs }: Tables, row: CaseRow): CaseSummary {
  const client = ownedBy(row.account_id, clients.get(row.client_id))
  if (client === undefined) throw new Error(`Case ${row.id} has no client ${row.client_id} in its account.`)
  const poseur = row.poseur_id === null ? undefined : ownedBy(row.account_id, poseurs.get(row.poseur_id))
  return {
    id: row.id,
    reference: formatReference(row),
    client: { id: client.id, nom: client.nom, prenom: client.prenom },
    description: row.description,
    statut: row.statut,
    priorite: row.priorite,
    date_creation: row.date_creation,
    poseur_assigne: poseur === undefined ? null : { id: poseur.id, nom: poseur.nom },
  }
}

function caseOf(tables: Tables, row: CaseRow): SavCase {
  const { account_id, type_probleme, photos, date_modification, version, statut, closing } = row
  const { notes_internes, sel_notes, tete_historique } = row
  const summary = summaryOf(tables, row)
  const kept = { notes_internes, sel_notes, tete_historique }
  const fields = { ...summary, account_id, type_probleme, photos, ...kept, date_modification, version }
  if (statut !== 'clos') return { ...fields, statut }
  if (closing === null) throw new Error(`Case ${row.id} is closed without what a close says.`)
  return { ...fields, statut, ...closing }
}

function matches(tables: Tables, row: CaseRow, filter: CaseFilter): boolean {
  const { depuis = '', modifie_depuis = '', recherche, ...equal } = filter
  if (equal.statut !== undefined && row.statut !== equal.statut) return false
  if (equal.client_id !== undefined && row.client_id !== equal.client_id) return false
  if (equal.poseur_id !== undefined && row.poseur_id !== equal.poseur_id) return false
  if (equal.priorite !== undefined && row.priorite !== equal.priorite) return false
  if (equal.type_probleme !== undefined && row.type_probleme !== equal.type_probleme) return false
  if (row.date_creation < depuis || row.date_modification < modifie_depuis) return false
  if (recherche === undefined) return true
  const { reference, description, client } = summaryOf(tables, row)
  const text = fold(`${reference} ${description} ${client.nom} ${client.prenom}`)
  return isFoundIn(text, recherche)
}

const newestFirst = reversed(
  by<CaseRow>(
    (row) => row.date_creation,
    (row) => row.id,
  ),
)

const interventionTable = (tables: Tables) =>
  tables.own<number, Intervention & { readonly case_id: number }>('interventions')

/** With the name that each poseur has now. */
function interventionsOf(tables: Tables, id: number): Intervention[] {
  const done = interventionTable(tables).where(({ case_id }) => case_id === id)
  return done.map(({ case_id: _, ...intervention }) => {
    const { poseur } = intervention
    return { ...intervention, poseur: { id: poseur.id, nom: tables.poseurs.get(poseur.id)?.nom ?? poseur.nom } }
  })
}

function caseReads(tables: Tables): CaseReads {
  const { cases } = tables
  const ofAccount = (account_id: string) => cases.where((row) => row.account_id === account_id)
  const shown = (row: CaseRow | undefined) => (row === undefined ? null : caseOf(tables, row))
  return {
    find: async (account_id, id) => shown(ownedBy(account_id, cases.get(id))),
    findByReference: async (account_id, { annee, numero }) =>
      shown(ofAccount(account_id).find((row) => row.annee === annee && row.numero === numero)),
    async history(account_id, id) {
      if (ownedBy(account_id, cases.get(id)) === undefined) return []
      const lines = tables.history.where(({ case_id }) => case_id === id)
      return lines.map(({ case_id: _, numero: __, hash: ___, sel: ____, empreintes: _____, ...entry }) => entry)
    },
    async historyChain(account_id, id) {
      if (ownedBy(account_id, cases.get(id)) === undefined) return []
      return tables.history.where(({ case_id }) => case_id === id).map(({ id: _, case_id: __, ...line }) => line)
    },
    async listEverClosed(account_id, { afterId, limit }) {
      const closes = tables.history.where(({ type, case_id }) => type === 'cloture' && case_id > afterId)
      const own = closes.filter(({ case_id }) => ownedBy(account_id, cases.get(case_id)) !== undefined)
      return [...new Set(own.map(({ case_id }) => case_id))].sort((a, b) => a - b).slice(0, limit)
    },
    async list(account_id, filter, page) {
      const found = ofAccount(account_id)
        .filter((row) => matches(tables, row, filter))
        .sort(newestFirst)
      return { items: pageOf(found, page).map((row) => summaryOf(tables, row)), total: found.length }
    },
    async listClosed(account_id, { afterId, limit }) {
      const closed = ofAccount(account_id).filter(({ statut, id }) => statut === 'clos' && id > afterId)
      return closed.slice(0, limit).map((row) => ({ id: row.id, reference: formatReference(row) }))
    },
    async listVisited(account_id, { afterId, limit }) {
      const later = interventionTable(tables).where(({ case_id }) => case_id > afterId)
      const own = later.filter(({ case_id }) => ownedBy(account_id, cases.get(case_id)) !== undefined)
      return [...new Set(own.map(({ case_id }) => case_id))].sort((a, b) => a - b).slice(0, limit)
    },
    async interventions(account_id, id) {
      if (ownedBy(account_id, cases.get(id)) === undefined) return []
      return interventionsOf(tables, id)
    },
    async ofClient(account_id, client_id) {
      const own = ofAccount(account_id).filter((row) => row.client_id === client_id)
      return own.map((row) => ({ id: row.id, reference: formatReference(row) }))
    },
  }
}

export function memoryCases(tables: Tables): CaseWrites {
  const { cases, clients, poseurs } = tables
  const reads = caseReads(tables)
  return {
    ...reads,
    nextNumber: async (account_id, annee) => tables.nextNumber(keyOf('reference', account_id, annee)),
    async insert(newCase) {
      const { account_id, client_id, date_creation } = newCase
      const client = ownedBy(account_id, clients.get(client_id))
      if (client === undefined) throw new Error(`Account ${account_id} has no client ${client_id}.`)
      if (client.efface_le !== null) throw new ClientErasedError(client_id, 'add a new one.')
      const id = tables.nextNumber('case')
      cases.put(id, {
        ...newCase,
        id,
        statut: 'ouvert',
        poseur_id: null,
        notes_internes: null,
        sel_notes: null,
        closing: null,
        date_modification: date_creation,
        version: 1,
      })
      return id
    },
    lock: reads.find,
    async update({ account_id, id }, changes) {
      const row = ownedBy(account_id, cases.get(id))
      if (row === undefined) return
      const { poseur_id } = changes
      if (typeof poseur_id === 'number' && ownedBy(account_id, poseurs.get(poseur_id)) === undefined) {
        throw new Error(`Account ${account_id} has no poseur ${poseur_id}.`)
      }
      cases.put(id, changed<CaseRow>(row, changes))
    },
    async appendHistory(account_id, case_id, entries) {
      if (ownedBy(account_id, cases.get(case_id)) === undefined) return
      for (const entry of entries) {
        const id = tables.nextNumber('history')
        tables.history.put(id, { id, case_id, ...entry })
      }
    },
    async addIntervention(account_id, case_id, intervention) {
      if (ownedBy(account_id, cases.get(case_id)) === undefined) throw new Error(`There is no case ${case_id}.`)
      const id = tables.nextNumber('intervention')
      interventionTable(tables).put(id, { id, case_id, ...intervention })
      return id
    },
    async erase(account_id, case_id, replacement) {
      const row = ownedBy(account_id, cases.get(case_id))
      if (row === undefined) return
      for (const done of interventionTable(tables).where((intervention) => intervention.case_id === case_id)) {
        const compte_rendu = done.compte_rendu === null ? null : replacement
        interventionTable(tables).put(done.id, { ...done, compte_rendu, pieces: [] })
      }
      const closing = row.closing && {
        date_cloture: row.closing.date_cloture,
        resolution: replacement,
        photo_avant: null,
        photo_apres: null,
        signature_client: null,
        signataire_nom: null,
        reserves: [],
      }
      const notes_internes = row.notes_internes === null ? null : replacement
      cases.put(case_id, { ...row, description: replacement, photos: [], notes_internes, sel_notes: null, closing })
      for (const entry of tables.history.where((entry) => entry.case_id === case_id)) {
        const free = entry.champ === 'notes_internes'
        const erased = (value: FieldValue) => (free && value !== null ? replacement : value)
        tables.history.put(entry.id, {
          ...entry,
          ancienne_valeur: erased(entry.ancienne_valeur),
          nouvelle_valeur: erased(entry.nouvelle_valeur),
          commentaire: entry.commentaire === null ? null : replacement,
          sel: null,
        })
      }
    },
  }
}
