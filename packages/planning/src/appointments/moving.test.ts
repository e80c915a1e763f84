import { describe, expect, it } from 'vitest'
import { ConflictError } from '../../../core/src/errors.js'
import { at, newRdv } from '../contract/rdv-samples.js'
import type { RdvChange } from './inputs.js'
import { decideChange, type NamedPersons, timeOf } from './moving.js'
import { cancelled, held, type Rdv, type RdvState, standing } from './rdv.js'

const now = at(5)
const actor = { type: 'utilisateur', id: 'usr_1' } as const
const found = (
  state: RdvState = standing('planifie'),
  fields: Partial<Pick<Rdv, 'fenetre_client' | 'tournee'>> = {},
) => ({
  ...newRdv({ account_id: 'lyon', client_id: 7, poseur_id: 3 }, 8, state),
  id: 12,
  trajet_avant_minutes: 25,
  ...fields,
})

function decide(from: Rdv, change: RdvChange, persons: NamedPersons = {}) {
  const time = timeOf(change, from)
  if ('field' in time) throw new Error(time.message)
  return decideChange(from, change, { actor, persons, time, now })
}

describe('the requested time', () => {
  it.each([
    ['keeps its length if only the beginning changes', { debut: at(13) }, at(13), at(15)],
    ['keeps its beginning if only the length changes', { duree_minutes: 45 }, at(8), at(8.75)],
    ['keeps its beginning if only the end changes', { fin: at(9) }, at(8), at(9)],
    ['has the given beginning and end', { debut: at(9), fin: at(21) }, at(9), at(21)],
    ['may be as short as a minute', { fin: at(8 + 1 / 60) }, at(8), at(8 + 1 / 60)],
  ])('%s', (_, asked, debut, fin) => {
    expect(timeOf(asked, found())).toEqual({ debut, fin })
  })

  it.each([
    ['no length', { fin: at(8) }],
    ['a negative length', { debut: at(8), fin: at(7) }],
    ['less than a minute', { fin: at(8 + 1 / 61) }],
    ['a moment more than twelve hours', { debut: at(8), fin: at(20.0001) }],
  ])('of %s is refused, with the field fin', (_, asked) => {
    expect(timeOf(asked, found())).toMatchObject({ field: 'fin' })
  })
})

describe('a change', () => {
  it('that moves a confirmed visit makes it unconfirmed again', () => {
    const { rdv, events } = decide(found(standing('confirme')), { debut: at(13) })
    expect(rdv).toMatchObject({ statut: 'planifie', debut: at(13), fin: at(15), version: 2 })
    expect(events).toEqual(['rdv.rescheduled'])
  })

  it('that moves a confirmed visit and sets confirme keeps it confirmed, and emits rdv.rescheduled and rdv.confirmed', () => {
    const { rdv, events } = decide(found(standing('confirme')), { debut: at(13), statut: 'confirme' })
    expect(rdv.statut).toBe('confirme')
    expect(events).toEqual(['rdv.rescheduled', 'rdv.confirmed'])
  })

  it('that gives a confirmed visit to another poseur leaves it confirmed, and emits rdv.rescheduled', () => {
    const poseur = { id: 9, nom: 'Ida Roux' }
    const { rdv, events, changes, takesTime } = decide(found(standing('confirme')), { poseur_id: 9 }, { poseur })
    expect(rdv).toMatchObject({ statut: 'confirme', poseur })
    expect([events, takesTime]).toEqual([['rdv.rescheduled'], true])
    expect(changes).toEqual([{ champ: 'poseur_id', ancien: 3, nouveau: 9 }])
  })

  it('of the team emits rdv.rescheduled, and is recorded without the previous teammates', () => {
    const { events, changes } = decide(found(), { equipiers: [9] }, { equipiers: [{ id: 9, nom: 'Ida Roux' }] })
    expect([events, changes]).toEqual([['rdv.rescheduled'], [{ champ: 'equipiers' }]])
  })

  it('that moves a visit removes it from its round, and removes the travel computed for that round', () => {
    const inRound = found(standing('planifie'), { tournee: { date: '2026-03-16', ordre: 2 } })
    expect(decide(inRound, { debut: at(9) }).rdv).toMatchObject({ tournee: null, trajet_avant_minutes: null })
    expect(decide(inRound, { notes: 'Étage 3' }).rdv).toMatchObject({ tournee: { ordre: 2 }, trajet_avant_minutes: 25 })
  })

  it('that moves a visit keeps the announced window if the visit still begins inside that window', () => {
    const promised = found(standing('planifie'), { fenetre_client: { debut: at(8), fin: at(12) } })
    expect(decide(promised, { debut: at(11.99) }).rdv.fenetre_client).toEqual({ debut: at(8), fin: at(12) })
    expect(decide(promised, { debut: at(12) }).rdv.fenetre_client).toBeNull()
    expect(decide(promised, { debut: at(7.99) }).rdv.fenetre_client).toBeNull()
    const other = { debut: at(13), fin: at(15) }
    expect(decide(promised, { debut: at(13), fenetre_client: other }).rdv.fenetre_client).toEqual(other)
  })

  it('to equal values changes nothing', () => {
    const same = found(standing('confirme'))
    const { rdv, changes, events, takesTime } = decide(same, { debut: same.debut, notes: null, statut: 'confirme' })
    expect([rdv, changes, events, takesTime]).toEqual([same, [], [], false])
  })

  it('of only the notes, the type or a delay emits no event', () => {
    for (const change of [{ notes: 'Chien méchant' }, { retard_minutes: 20 }, { type: 'metre' as const }]) {
      const { events, takesTime, rdv } = decide(found(), change)
      expect([events, takesTime, rdv.version]).toEqual([[], false, 2])
    }
  })

  it('of an appointment in a final state can only concern its notes', () => {
    const gone = found(cancelled('Reporté.'))
    expect(decide(gone, { notes: 'Rappeler en mai' }).rdv.notes).toBe('Rappeler en mai')
    for (const change of [{ debut: at(13) }, { retard_minutes: 5 }, { type: 'autre' as const }])
      expect(() => decide(gone, change)).toThrow(ConflictError)
  })

  it.each([
    ['absent', 'rdv.cancelled'],
    ['realise', 'rdv.completed'],
    ['confirme', 'rdv.confirmed'],
  ] as const)('to the status %s emits the event %s', (statut, event) => {
    expect(decide(found(), { statut }).events).toEqual([event])
    expect(decide(found(), { statut, debut: at(9) }).events).toEqual(['rdv.rescheduled', event])
  })
})

describe('a proposal', () => {
  it('can be accepted until it expires, and keeps its expiry when moved', () => {
    const proposed = found(held('2026-03-16T05:00:00.001Z'))
    expect(decide(proposed, { statut: 'planifie' }).rdv).toMatchObject({ statut: 'planifie', expire_a: null })
    expect(decide(proposed, { debut: at(9) }).rdv).toMatchObject({ statut: 'propose', expire_a: proposed.expire_a })
  })

  it('that has expired can be cancelled, but not confirmed, moved or edited', () => {
    const expired = found(held(now))
    for (const change of [{ statut: 'confirme' as const }, { debut: at(9) }, { notes: 'x' }])
      expect(() => decide(expired, change)).toThrow('free again')
    const { rdv } = decide(expired, { statut: 'annule', motif_annulation: 'Sans réponse' })
    expect(rdv).toMatchObject({ statut: 'annule', motif_annulation: 'Sans réponse', expire_a: null })
  })
})
