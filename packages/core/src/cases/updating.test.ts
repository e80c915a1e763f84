import { describe, expect, it } from 'vitest'
import { ConflictError } from '../errors.js'
import { decideUpdate } from './updating.js'

type UpdatedCase = Parameters<typeof decideUpdate>[0]

const open: UpdatedCase = {
  reference: 'SAV-2026-00001',
  statut: 'ouvert',
  priorite: 'normale',
  type_probleme: 'autre',
  notes_internes: null,
  poseur_assigne: null,
}
const started: UpdatedCase = { ...open, statut: 'en_cours', poseur_assigne: { id: 3, nom: 'Bruno Petit' } }
const closed: UpdatedCase = { ...started, statut: 'clos', notes_internes: 'Rappeler.' }

describe('an open case', () => {
  it.each([
    [open, 'en_cours', { champ: 'statut', ancien: 'ouvert', nouveau: 'en_cours' }],
    [started, 'ouvert', { champ: 'statut', ancien: 'en_cours', nouveau: 'ouvert' }],
  ] as const)('can go to the other open status: %o → %s', (found, statut, change) => {
    expect(decideUpdate(found, { statut })).toEqual([change])
  })

  it.each([
    [open, 'ouvert'],
    [started, 'en_cours'],
  ] as const)('does not change if it already has that status: %o', (found, statut) => {
    expect(decideUpdate(found, { statut })).toEqual([])
  })

  it.each([open, started])('cannot be closed by an update, and the refusal names the close operation: %o', (found) => {
    expect(() => decideUpdate(found, { statut: 'clos' })).toThrow(ConflictError)
    expect(() => decideUpdate(found, { statut: 'clos' })).toThrow(/SAV-2026-00001 .*close/)
    expect(() => decideUpdate(found, { statut: 'clos', notes_internes: 'x', priorite: 'haute' })).toThrow(ConflictError)
  })

  it('can be assigned to a poseur, reassigned to another, and unassigned', () => {
    expect(decideUpdate(open, { poseur_id: 3 })).toEqual([{ champ: 'poseur_id', ancien: null, nouveau: 3 }])
    expect(decideUpdate(started, { poseur_id: 4 })).toEqual([{ champ: 'poseur_id', ancien: 3, nouveau: 4 }])
    expect(decideUpdate(started, { poseur_id: null })).toEqual([{ champ: 'poseur_id', ancien: 3, nouveau: null }])
  })

  it('reports each changed field, and no other', () => {
    const input = {
      statut: 'en_cours',
      poseur_id: null,
      notes_internes: 'x',
      priorite: 'normale',
      type_probleme: 'facade',
    } as const
    expect(
      decideUpdate(open, input)
        .map(({ champ }) => champ)
        .toSorted(),
    ).toEqual(['notes_internes', 'statut', 'type_probleme'])
  })

  it('is not changed by absent or undefined fields', () => {
    expect(decideUpdate(started, { statut: undefined, poseur_id: undefined, priorite: 'normale' })).toEqual([])
  })

  it('distinguishes empty notes from null', () => {
    expect(decideUpdate(open, { notes_internes: '' })).toHaveLength(1)
    expect(decideUpdate(open, { notes_internes: null })).toEqual([])
    expect(decideUpdate({ ...open, notes_internes: 'x' }, { notes_internes: null })).toHaveLength(1)
  })
})

describe('on a closed case', () => {
  it('notes can change', () => {
    expect(decideUpdate(closed, { notes_internes: 'Rappelé.' })).toEqual([
      { champ: 'notes_internes', ancien: 'Rappeler.', nouveau: 'Rappelé.' },
    ])
    expect(decideUpdate(closed, { notes_internes: null })).toHaveLength(1)
  })

  it.each([
    { statut: 'en_cours' },
    { statut: 'ouvert' },
    { poseur_id: 4 },
    { poseur_id: null },
    { priorite: 'haute' },
    { type_probleme: 'facade' },
    { notes_internes: 'Rappelé.', priorite: 'haute' },
  ] as const)('nothing else can change, and the refusal names reopening: %o', (input) => {
    expect(() => decideUpdate(closed, input)).toThrow(ConflictError)
    expect(() => decideUpdate(closed, input)).toThrow(/SAV-2026-00001 .*reopen/)
  })

  it('an update to the current values is accepted', () => {
    expect(decideUpdate(closed, { poseur_id: 3, priorite: 'normale', notes_internes: 'Rappeler.' })).toEqual([])
    expect(decideUpdate(closed, { statut: 'clos' })).toEqual([])
  })
})
