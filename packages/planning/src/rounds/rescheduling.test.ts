import { describe, expect, it } from 'vitest'
import { ConflictError, SlotTakenError } from '../../../core/src/errors.js'
import { seededRandom } from '../../../core/src/testing/index.js'
import { toInstant } from '../../../core/src/time/time.js'
import { idMaker } from '../../../core/src/values/ids.js'
import { openPlanning, refusal } from '../../test/planning.js'
import { noSlots } from '../appointments/advice.js'
import { createCustomerLetters, noChannels } from '../appointments/customer-letters.js'
import { type RoundVisit, reschedule } from './rescheduling.js'

async function twoVisits() {
  const opened = await openPlanning()
  const { sav, actor, booking, storage, clock, helper } = opened
  const first = await sav.planning.book(actor, booking)
  const second = await sav.planning.book(actor, {
    ...booking,
    debut: '2026-03-16T13:00:00+01:00',
    poseur_id: helper.id,
  })
  const newId = idMaker(clock, seededRandom(5))
  const letters = createCustomerLetters({ newId, channels: noChannels, delayMs: 0 })
  const deps = { newId, advice: noSlots, letters }
  const apply = (...visits: RoundVisit[]) =>
    storage.transaction((tx) => reschedule(tx, { actor, visits, at: toInstant(clock.now()), prevenir: true }, deps))
  const round = { trajet_avant_minutes: 14, tournee: { date: '2026-03-16', ordre: 1 } }
  const swapped: [RoundVisit, RoundVisit] = [
    { ...round, id: first.id, version: 1, poseur_id: helper.id, debut: second.debut, fin: second.fin },
    { ...round, id: second.id, version: 1, poseur_id: booking.poseur_id, debut: first.debut, fin: first.fin },
  ]
  return { ...opened, first, second, apply, swapped }
}

describe('a round', () => {
  it('may let two visits exchange their times and persons, with both events', async () => {
    const { sav, apply, swapped, kinds } = await twoVisits()
    await kinds()
    await apply(...swapped)
    for (const { id, version: _, poseur_id, ...visit } of swapped)
      expect(await sav.planning.get('default', id)).toMatchObject({ ...visit, poseur: { id: poseur_id }, version: 2 })
    expect(await kinds()).toEqual(['rdv.rescheduled', 'rdv.rescheduled'])
  })

  it('is refused as a whole when one of them has changed, or something else is in the way', async () => {
    const { sav, actor, booking, apply, swapped, first, second } = await twoVisits()
    const other = await sav.planning.book(actor, { ...booking, debut: '2026-03-16T15:00:00+01:00' })
    const [a, b] = swapped
    const taken = { ...b, debut: '2026-03-16T14:30:00.000Z', fin: '2026-03-16T15:30:00.000Z' }
    expect(await refusal(apply(a, taken))).toBeInstanceOf(SlotTakenError)
    await sav.planning.change(actor, second.id, { notes: 'Portail vert' })
    expect(await refusal(apply(a, b))).toBeInstanceOf(ConflictError)
    expect(await sav.planning.get('default', first.id)).toMatchObject({ debut: first.debut, version: 1 })
    expect(await refusal(apply(a, { ...b, version: 2 }))).not.toBeInstanceOf(Error)
    expect((await sav.planning.get('default', other.id)).version).toBe(1)
  })
})
