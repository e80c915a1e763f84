import { expect, it } from 'vitest'
import { impossibleIn, tooShort } from './impossible.js'

const stop = (from: string, until: string, trajet_avant_minutes: number) => ({
  debut: `2032-06-08T${from}:00.000Z`,
  fin: `2032-06-08T${until}:00.000Z`,
  trajet_avant_minutes,
})

it('a trip is impossible if it takes longer than the time between the two visits', () => {
  const round = [
    stop('08:00', '09:00', 300),
    stop('09:49', '15:00', 49),
    stop('15:48', '16:00', 49),
    stop('16:00', '17:00', 0),
    stop('17:00', '18:00', 49),
  ]
  expect(round.map((_, at) => tooShort(round, at))).toEqual([null, null, 48, null, 0])
  expect(impossibleIn([{ visites: round }, { visites: [] }])).toBe(2)
})
