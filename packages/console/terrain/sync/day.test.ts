import { describe, expect, it } from 'vitest'
import { erasedText } from '../../../core/src/evidence/history-chain.js'
import { dayOf, fact, visit } from '../../test/terrain/samples.js'
import {
  type Day,
  heldVisits,
  merged,
  ofSameClient,
  takesWork,
  unchanged,
  visitsOf,
  withAnswer,
  withoutPast,
  withoutVisits,
} from './day.js'
import { emptyOutbox, type Outbox } from './item.js'
import { queued } from './outbox.js'

const none = new Set<number>()
const here = (...args: Parameters<typeof dayOf>): Day => merged(null, dayOf(...args), '"1"', none)
const outboxOf = (...facts: Parameters<typeof fact>[]): Outbox =>
  facts.reduce((outbox, each) => queued(outbox, fact(...each)), emptyOutbox)
const statuts = (day: Day, outbox = emptyOutbox) => visitsOf(day, outbox).map(({ statut }) => statut)

describe('the day from the service', () => {
  it('shows the latest report of a visit, whatever the order of answers', () => {
    const day = withAnswer(here([visit(1), visit(2)]), {
      ...visit(1, { statut: 'en_cours', version: 3 }),
      constat: null,
    })
    expect(statuts(merged(day, dayOf([visit(1, { version: 2 }), visit(2)]), null, none))).toEqual([
      'en_cours',
      'planifie',
    ])
    expect(statuts(merged(day, dayOf([visit(1, { version: 4, statut: 'annule' })]), null, none))).toEqual(['annule'])
  })

  it('is accepted if it is older than the phone’s, as after a restore of the service from a backup', () => {
    const before = here([visit(1, { statut: 'en_cours', version: 3 })])
    const restored = dayOf([visit(1, { version: 2 })])
    expect(statuts(merged(before, restored, null, none, before))).toEqual(['planifie'])
    const answered = withAnswer(before, { ...visit(1, { statut: 'realise', version: 4 }), constat: null })
    expect(statuts(merged(answered, restored, null, none, before))).toEqual(['realise'])
  })

  it('loses a reassigned visit, unless the phone has unsent data of it', () => {
    const day = here([visit(1), visit(2)])
    expect(merged(day, dayOf([visit(2)]), null, none).departed).toEqual([])
    const kept = merged(
      day,
      dayOf([visit(2)]),
      null,
      heldVisits(outboxOf(['k', 1, { operation: 'debut', body: {} }]), []),
    )
    expect(visitsOf(kept, emptyOutbox).map(({ id, hasLeft }) => [id, hasLeft])).toEqual([
      [1, true],
      [2, false],
    ])
    expect(kept.told.dossiers.map(({ id }) => id)).toEqual([41, 42])
    expect(unchanged(kept, new Set([1]))).toBe(kept)
    expect(unchanged(kept, none)).toMatchObject({ departed: [], told: { dossiers: [{ id: 42 }] } })
    expect(merged(kept, dayOf([visit(2)]), null, heldVisits(emptyOutbox, [1])).departed).toHaveLength(1)
    expect(merged(kept, dayOf([visit(2)]), null, none)).toMatchObject({
      departed: [],
      told: { dossiers: [{ id: 42 }] },
    })
  })

  it('loses a visit 7 days after its end, unless the phone has unsent data of it', () => {
    const day = here([visit(1), visit(2)])
    const sevenDaysAfter = Date.parse(visit(1).fin) + 7 * 86_400_000
    expect(withoutPast(day, sevenDaysAfter, none).told.rdv).toHaveLength(2)
    const later = withoutPast(day, sevenDaysAfter + 1, none)
    expect(later.told).toMatchObject({ rdv: [{ id: 2 }], dossiers: [{ id: 42 }] })
    expect(withoutPast(day, sevenDaysAfter + 1, new Set([1])).told.rdv).toHaveLength(2)
  })

  it('loses all visits of an erased client at once', () => {
    const ofOne = here([visit(1), visit(2, { client: visit(1).client }), visit(3)])
    const gone = ofSameClient(ofOne, 1)
    expect([...gone]).toEqual([1, 2])
    expect([...ofSameClient(ofOne, 9)]).toEqual([9])
    const nameless = { ...visit(1).client, nom: erasedText, prenom: erasedText }
    const told = here([visit(1, { client: nameless }), visit(3)])
    expect([1, 2, 3].map((id) => takesWork(told, id))).toEqual([false, false, true])
    const rest = withoutVisits({ ...ofOne, tag: '"2"' }, gone)
    expect(rest.told).toMatchObject({ rdv: [{ id: 3 }], dossiers: [{ id: 43 }] })
    // The service still has the visit, without a name. It would answer a request with the old tag with "unchanged".
    expect(rest.tag).toBeNull()
    expect(withoutVisits({ ...ofOne, tag: '"2"' }, new Set([9])).tag).toBe('"2"')
  })
})

describe('the shown day', () => {
  it('includes the queued reports', () => {
    const day = here([visit(1)])
    const begun = outboxOf(['k1', 1, { operation: 'debut', body: {} }])
    expect(visitsOf(day, begun)).toMatchObject([{ statut: 'en_cours', isAhead: true }])
    const done = outboxOf(
      ['k1', 1, { operation: 'debut', body: {} }],
      [
        'k2',
        1,
        { operation: 'intervention', body: { resultat: 'partiel', compte_rendu: 'Une vis manque.', photos: [] } },
      ],
    )
    expect(visitsOf(day, done)).toMatchObject([{ statut: 'realise', resultat: 'partiel' }])
    expect(visitsOf(day, outboxOf(['k', 1, { operation: 'retard', body: { minutes: 30 } }]))).toMatchObject([
      { retard_minutes: 30 },
    ])
    const back = outboxOf(
      ['k', 1, { operation: 'absent', body: {} }],
      ['l', 1, { operation: 'reprise', body: { statut: 'planifie' } }],
    )
    expect(statuts(day, back)).toEqual(['planifie'])
  })

  it('shows a visit as cancelled by the office, despite an unsent report', () => {
    const begun = outboxOf(['k1', 1, { operation: 'debut', body: {} }])
    expect(statuts(here([visit(1, { statut: 'annule' })]), begun)).toEqual(['annule'])
  })

  it('keeps the client’s contact data, which answers omit', () => {
    const { telephone: _, adresse: __, ...client } = visit(1).client
    const answered = { ...visit(1, { lieu: null, version: 2 }), client, constat: null }
    const day = withAnswer(here([visit(1)]), answered)
    expect(visitsOf(day, emptyOutbox)).toMatchObject([
      { client: { telephone: '+33611223344' }, lieu: { ville: 'Lyon' } },
    ])
  })
})
