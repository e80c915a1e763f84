import { describe, expect, it } from 'vitest'
import { seededRandom } from '../testing/seeded-random.js'
import { chained, erasedText, type HistoryLine, noLine } from './history-chain.js'
import { faultsOfVisits } from './visit-check.js'
import { type Visit, visitSeal } from './visit-digests.js'

const owner = { account_id: 'default', reference: 'SAV-2026-00041' }

const visit: Visit = {
  id: 9,
  rdv_id: 31,
  poseur: { id: 3 },
  type: 'sav',
  date_debut: '2026-01-16T08:00:00.000Z',
  date_fin: '2026-01-16T09:00:00.000Z',
  resultat: 'resolu',
  compte_rendu: 'Porte réglée avec Mme Durand.',
  pieces: [{ designation: 'Charnière', quantite: 2, reference: null }],
  survenu_a: '2026-01-16T08:55:00.000Z',
}
const bare: Visit = { ...visit, id: 10, resultat: null, compte_rendu: null, pieces: [], survenu_a: null }

const line = (told: Visit): HistoryLine & { readonly covers: Visit } => ({
  date: '2026-01-16T09:05:00.000Z',
  type: 'intervention',
  acteur: { type: 'cle', id: 'key_1', nom: 'caisse' },
  champ: 'intervention',
  ancienne_valeur: null,
  nouvelle_valeur: told.id,
  commentaire: told.compte_rendu,
  covers: told,
})
const { links } = chained(owner, noLine, [line(visit), line(bare)], seededRandom(1))

/** The history as an erasure leaves it. */
const erased = links.map((link) => ({ ...link, sel: null, commentaire: link.commentaire && erasedText }))
const stripped: Visit = { ...visit, compte_rendu: erasedText, pieces: [] }

const changes: readonly (readonly [string, Partial<Visit>])[] = [
  ['rdv_id', { rdv_id: 32 }],
  ['survenu_a', { survenu_a: '2026-01-16T08:56:00.000Z' }],
  ['poseur_id', { poseur: { id: 4 } }],
  ['type', { type: 'pose' }],
  ['date_debut', { date_debut: '2026-01-16T08:00:00.001Z' }],
  ['date_fin', { date_fin: '2026-01-16T09:30:00.000Z' }],
  ['resultat', { resultat: 'partiel' }],
  ['resultat', { resultat: null }],
]
const words: readonly (readonly [string, Partial<Visit>])[] = [
  ['compte_rendu', { compte_rendu: 'Porte réglée.' }],
  ['compte_rendu', { compte_rendu: null }],
  ['pieces', { pieces: [] }],
  ['pieces', { pieces: [{ designation: 'Charnière', quantite: 3, reference: null }] }],
  [
    'pieces',
    { pieces: [Object.assign({ designation: 'Charnière', quantite: 2, reference: null }, { refxrence: null })] },
  ],
]

describe('visits', () => {
  it('that match the history have no fault', () => {
    expect(faultsOfVisits([visit, bare], links, [])).toEqual([])
    expect(faultsOfVisits([visit, bare], links, [visit, bare].map(visitSeal))).toEqual([])
    expect(faultsOfVisits([stripped, bare], erased, [])).toEqual([])
  })

  it.each([...changes, ...words])('a changed %s is found: %o', (field, change) => {
    const faults = faultsOfVisits([{ ...visit, ...change }, bare], links, [])
    expect(faults).toEqual([`intervention 9 differs from its line in the history: ${field}`])
  })

  it.each(changes)('a changed %s is found after an erasure: %o', (field, change) => {
    const faults = faultsOfVisits([{ ...stripped, ...change }, bare], erased, [])
    expect(faults).toEqual([`intervention 9 differs from its line in the history: ${field}`])
  })

  it('texts that were changed or added after an erasure are found', () => {
    expect(faultsOfVisits([{ ...stripped, compte_rendu: 'x' }, bare], erased, [])).toHaveLength(1)
    expect(faultsOfVisits([stripped, { ...bare, compte_rendu: erasedText }], erased, [])).toHaveLength(1)
    expect(faultsOfVisits([{ ...stripped, pieces: visit.pieces }, bare], erased, [])).toHaveLength(1)
    expect(faultsOfVisits([{ ...stripped, compte_rendu: null }, bare], erased, [])).toHaveLength(1)
  })

  it('that are missing, or not in the history, are found', () => {
    expect(faultsOfVisits([visit], links, [])).toEqual([expect.stringMatching(/^intervention 10 .* is missing$/)])
    expect(faultsOfVisits([visit, bare, { ...bare, id: 11 }], links, [])).toEqual([
      'intervention 11 is missing from the history',
    ])
  })

  it('that were changed or deleted since the last close are found', () => {
    for (const [, change] of [...changes, ...words])
      expect(faultsOfVisits([{ ...visit, ...change }, bare], links, [visitSeal(visit)])).toContain(
        'intervention 9 was changed after the case was closed',
      )
    expect(faultsOfVisits([bare], links, [visitSeal(visit)])).toHaveLength(2)
  })

  it('are found if their line of the history lost its digests', () => {
    const without = links.map((link) => ({ ...link, empreintes: null, sel: null }))
    expect(faultsOfVisits([visit, bare], without, [visit, bare].map(visitSeal))).toHaveLength(2)
  })
})
