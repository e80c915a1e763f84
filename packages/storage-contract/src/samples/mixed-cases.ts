import { priorites, statuts, typesProbleme } from '@sav/core/feature'
import { type CaseFilter, type SavCase, type Storage, soughtWords, wordsKept } from '@sav/core/ports'
import { seededRandom } from '@sav/core/testing'
import { addOwner, client, closing, insertCase, instant, poseur, present } from './samples.js'

const hour = 3_600_000
const day = 24 * hour

const subjects = ['Façade rayée', 'Tiroir bloqué', 'Four encastré hors service', 'Plan de travail fendu à 100 %']

/** 90 cases over eight days with mixed fields, some at midnight, some at the same instant. */
export async function addMixedCases(storage: Storage, account_id: string): Promise<SavCase[]> {
  const owner = await addOwner(storage, account_id)
  const random = seededRandom(7)
  const pick = <T>(values: readonly T[]): T => present(values[present(random(1)[0]) % values.length])
  return storage.transaction(async (tx) => {
    const clients = [
      owner.client_id,
      await tx.directory.addClient(account_id, client({ nom: 'Lefèvre', prenom: 'Zoé' })),
      await tx.directory.addClient(account_id, client({ nom: 'Tiroir', prenom: 'Éric' })),
    ]
    const poseurs = [0, owner.poseur_id, await tx.directory.addPoseur(account_id, poseur({ nom: 'Carl Adam' }))]
    const cases: SavCase[] = []
    for (let index = 0; index < 90; index++) {
      const date_creation = instant((index % 30) * 6 * hour - 10.5 * hour)
      const inserted = await insertCase(tx, owner, {
        annee: pick([2025, 2026]),
        client_id: pick(clients),
        description: `${pick(subjects)}, ${pick(subjects)}`,
        priorite: pick(priorites),
        type_probleme: pick(typesProbleme),
        date_creation,
      })
      const statut = pick(statuts)
      await tx.cases.update(inserted, {
        ...(statut === 'clos' ? { statut, closing: closing() } : { statut }),
        poseur_id: pick(poseurs) || null,
        date_modification: instant(pick([1, 2, 3, 4, 5]) * 2 * day),
        version: 2,
      })
      cases.push(present(await tx.cases.find(account_id, inserted.id)))
    }
    return cases
  })
}

export function matches(found: SavCase, filter: CaseFilter): boolean {
  const text = wordsKept([found.reference, found.description, found.client.nom, found.client.prenom].join(' '))
  const holds: Record<(typeof filterNames)[number], boolean> = {
    statut: found.statut === filter.statut,
    client_id: found.client.id === filter.client_id,
    poseur_id: (found.poseur_assigne?.id ?? null) === filter.poseur_id,
    priorite: found.priorite === filter.priorite,
    type_probleme: found.type_probleme === filter.type_probleme,
    depuis: found.date_creation >= (filter.depuis ?? ''),
    modifie_depuis: found.date_modification >= (filter.modifie_depuis ?? ''),
    recherche: isFoundIn(text, filter.recherche ?? ''),
    non_clos: found.statut !== 'clos',
    avant: found.date_creation < (filter.avant ?? ''),
    ville: isFoundIn(wordsKept([found.client.nom, found.client.prenom].join(' ')), filter.ville ?? ''),
    telephone: isFoundIn(wordsKept([found.client.nom, found.client.prenom].join(' ')), filter.telephone ?? ''),
  }
  return filterNames.every((name) => filter[name] === undefined || holds[name])
}

export const filterNames = [
  'statut',
  'client_id',
  'poseur_id',
  'priorite',
  'type_probleme',
  'depuis',
  'modifie_depuis',
  'recherche',
  'non_clos',
  'avant',
  'ville',
  'telephone',
] as const satisfies (keyof CaseFilter)[]

/** Each filter with several values, including some that match nothing. */
export function singleFilters(cases: readonly SavCase[]): CaseFilter[] {
  const someCase = present(cases.find(({ poseur_assigne }) => poseur_assigne !== null))
  return [
    ...statuts.map((statut) => ({ statut })),
    ...priorites.map((priorite) => ({ priorite })),
    ...typesProbleme.map((type_probleme) => ({ type_probleme })),
    ...[someCase.client.id, Number.MAX_SAFE_INTEGER].map((client_id) => ({ client_id })),
    ...[present(someCase.poseur_assigne).id, Number.MAX_SAFE_INTEGER, null].map((poseur_id) => ({ poseur_id })),
    ...[-9 * day, 0, day, 3 * day + 5 * hour, 30 * day].map((ms) => ({ depuis: instant(ms) })),
    ...[0, 4 * day, 4 * day + 1, 10 * day].map((ms) => ({ modifie_depuis: instant(ms) })),
    ...['facade', 'tiroir eric', 'sav 2026', 'lefevre four', '100', 'introuvable'].map((recherche) => ({
      recherche,
    })),
    { non_clos: true },
    ...[-9 * day, 0, 30 * day].map((ms) => ({ avant: instant(ms) })),
    ...['lefevre', 'facade'].map((ville) => ({ ville })),
  ]
}

export function newestFirst(a: SavCase, b: SavCase): number {
  if (a.date_creation !== b.date_creation) return a.date_creation > b.date_creation ? -1 : 1
  return b.id - a.id
}

/** Whether the `kept` text contains every word of a search. */
export function isFoundIn(kept: string, search: string): boolean {
  const words = ` ${kept}`
  return soughtWords(search).every(({ beginnings }) => beginnings.some((beginning) => words.includes(` ${beginning}`)))
}
