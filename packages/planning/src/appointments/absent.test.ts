import { describe, expect, it } from 'vitest'
import { ConflictError, SlotTakenError } from '../../../core/src/errors.js'
import { openPlanning, refusal } from '../../test/planning.js'

const minute = 60_000

/** A visit at which the customer was reported absent. */
async function missedVisit(statut: 'planifie' | 'confirme' = 'confirme') {
  const opened = await openPlanning()
  const { sav, actor, booking, addCase, kinds } = opened
  const sav_id = await addCase()
  const { id } = await sav.planning.book(actor, { ...booking, sav_id, statut })
  await sav.planning.change(actor, id, { statut: 'absent' })
  await kinds()
  const toDo = async () => (await sav.followUps.list('default', { receivers: false })).map(({ type }) => type)
  return { ...opened, id, sav_id, toDo, back: (to = statut) => sav.planning.change(actor, id, { statut: to }) }
}

describe('an appointment whose customer was absent', () => {
  it('adds a follow-up, and returns to its previous state if the absence is taken back in ten minutes', async () => {
    const { sav, id, clock, back, kinds, toDo } = await missedVisit()
    expect(await toDo()).toEqual(['client_absent'])
    await clock.advance(10 * minute - 2_000)
    expect(await back()).toMatchObject({ statut: 'confirme', version: 3 })
    expect(await kinds()).toEqual(['rdv.rescheduled'])
    expect(await toDo()).toEqual([])
    expect(await sav.planning.get('default', id)).toMatchObject({ statut: 'confirme' })
  })

  it('stays absent if the absence is taken back a millisecond after the ten minutes', async () => {
    const { clock, back, toDo } = await missedVisit()
    await clock.advance(10 * minute + 1 - 2_000)
    expect(await refusal(back())).toMatchObject({ code: 'rdv_absence_stays' })
    expect(await toDo()).toEqual(['client_absent'])
  })

  it('can return only to its previous state, by a call that changes nothing else', async () => {
    const { sav, actor, id, back } = await missedVisit('planifie')
    expect(await refusal(back('confirme'))).toBeInstanceOf(ConflictError)
    const moved = { statut: 'planifie', debut: '2026-03-17T09:00:00+01:00' } as const
    expect(await refusal(sav.planning.change(actor, id, moved))).toMatchObject({ code: 'rdv_over' })
    expect(await back()).toMatchObject({ statut: 'planifie' })
  })

  it('cannot return once its time has been taken, or its case closed', async () => {
    const { sav, actor, booking, back, sav_id } = await missedVisit()
    const other = await sav.planning.book(actor, booking)
    const error = await refusal(back())
    expect(error).toBeInstanceOf(SlotTakenError)
    expect(error).toMatchObject({ conflit: { id: other.id }, alternatives: [{}, {}, {}] })
    await sav.planning.change(actor, other.id, { statut: 'annule', motif_annulation: 'Erreur de saisie.' })
    await sav.cases.close(actor, sav_id, { resolution: 'Réglé par téléphone avec la cliente.' })
    expect(await refusal(back())).toMatchObject({ code: 'case_closed_for_booking' })
  })
})
