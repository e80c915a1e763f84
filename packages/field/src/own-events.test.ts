import { describe, expect, it } from 'vitest'
import { openPlanning } from '../../planning/test/planning.js'
import { ownEvents } from './own-events.js'

describe('an event', () => {
  it('concerns an installer if it is about their current or former visit, or its case', async () => {
    const { sav, actor, booking, addCase, emitted, helper, poseur } = await openPlanning()
    const [mine, other] = [await addCase(), await addCase()]
    const { id } = await sav.planning.book(actor, { ...booking, sav_id: mine })
    await sav.planning.book(actor, {
      ...booking,
      sav_id: other,
      poseur_id: helper.id,
      debut: '2026-03-18T09:00:00+01:00',
    })
    const along = { debut: '2026-03-17T09:00:00+01:00', poseur_id: helper.id, equipiers: [poseur.id] }
    await sav.planning.book(actor, { ...booking, ...along })
    await sav.planning.change(actor, id, { poseur_id: helper.id })
    await sav.planning.change(actor, id, { statut: 'annule', motif_annulation: 'La cliente est en voyage.' })
    const told = (await emitted()).map(({ event, data }) => ({ event, data, body: JSON.stringify({ data }) }))
    const his = ownEvents(poseur.id, new Set())(told)
    expect(his.map(({ event }) => event).toSorted()).toEqual([
      'rdv.created',
      'rdv.created',
      'rdv.rescheduled',
      'sav.assigned',
    ])
    expect(his.filter(({ event, data }) => event.startsWith('sav.') && data['id'] === other)).toEqual([])
    expect(told.map(({ event }) => event)).toContain('rdv.cancelled')
  })
})
