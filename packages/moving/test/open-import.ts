import { memoryStorage } from '../../../test/memory-storage.js'
import { openSav } from '../../core/test/open-sav.js'
import { importStore } from '../src/import-store.js'
import type { ImportInput, ImportOutcome } from '../src/importing.js'

export const durand = { id_externe: 'T1', nom: 'Menuiserie Durand', email: 'a@durand.example', ville: 'Lyon' }
export const closed = {
  id_externe: 'K1',
  reference_origine: 'TK2403-0012',
  client_id_externe: 'T1',
  description: 'Charnière cassée.',
  statut: 'Fermé',
  date_creation: '31/12/2023 23:30',
  date_cloture: '03/04/2024',
  resolution: 'Charnière changée.',
  poseur: 'Karim',
  commentaires: [{ date: '02/01/2024', auteur: 'Zoé', texte: 'Pièce commandée chez Blum.' }],
}
export const open = {
  ...closed,
  id_externe: 'K2',
  reference_origine: 'TK2403-0013',
  statut: 'en cours',
  date_cloture: '',
}

/** The outcome of a row and its unchanged fields, or why it was refused. */
export const problemsOf = (outcome: ImportOutcome): string => {
  const isRefused = outcome.outcome === 'refused'
  const said = (isRefused ? outcome.problems : outcome.kept).map(({ field, message }) => `${field} ${message}`)
  return (isRefused ? said : [outcome.outcome, ...said]).join('; ')
}

/** A shop, with rows loaded into it. */
export async function opened() {
  const storage = await memoryStorage()
  const shop = await openSav({ storage })
  const { sav, actor } = shop
  const load = async (type: ImportInput['type'], ...rows: ImportInput['rows'][number][]) =>
    (await sav.imports.rows(actor, { type, rows })).map(problemsOf)
  const caseOf = async (origin: string) => {
    const id = await storage.reads.of(importStore).caseOfOrigin('default', origin)
    return sav.cases.get('default', id ?? 0)
  }
  const falsify = async (column: string, value: string) => {
    await storage.db
      .updateTable('cases')
      .set({ [column]: value })
      .execute()
  }
  const broken = async () => (await sav.evidence.verify('default')).broken.map(({ problem }) => problem)
  return { ...shop, load, caseOf, broken, falsify }
}
