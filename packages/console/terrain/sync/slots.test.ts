import { expect, it } from 'vitest'
import { onePerHalfDay } from './slots.js'

const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Pacific/Noumea', dateStyle: 'short', timeStyle: 'short' })
const inNoumea = (instant: string) => clock.format(new Date(instant))

it('the first time of each half-day is offered, in the time zone of the shop', () => {
  const slots = [
    '2026-11-26T21:00:00.000Z', // Friday, 08:00
    '2026-11-26T21:15:00.000Z',
    '2026-11-27T00:59:00.000Z', // 11:59
    '2026-11-27T01:00:00.000Z', // 12:00
    '2026-11-25T22:00:00.000Z', // Thursday, 09:00
    '2026-11-27T04:00:00.000Z',
  ].map((debut) => ({ debut }))
  expect(onePerHalfDay(slots, inNoumea)).toEqual([slots[0], slots[3], slots[4]])
})
