import { expect, it } from 'vitest'
import { type FreeTime, waysFor } from './replacing.js'

const free = (poseur: number, day: string, from: string, until: string, added: number): FreeTime => ({
  debut: `2032-06-${day}T${from}:00.000Z`,
  fin: `2032-06-${day}T${until}:00.000Z`,
  poseur: { id: poseur, nom: '' },
  trajet_ajoute_minutes: added,
})
const dayOf = (instant: string) => instant.slice(0, 10)
const visit = { debut: '2032-06-08T08:00:00.000Z', fin: '2032-06-08T09:00:00.000Z' }

it('the best time of each installer on each day is proposed, by least travel and then by the nearest hour', () => {
  const near = free(1, '08', '09:00', '10:00', 5)
  const late = free(1, '08', '15:00', '16:00', 5)
  const way = free(1, '08', '08:00', '09:00', 6)
  const next = free(1, '09', '08:00', '09:00', 0)
  const other = free(2, '08', '08:00', '09:00', 9)
  expect(waysFor(visit, [next, late, near, way, other], { others: [], dayOf })).toEqual([near, other, next])
})

it('visits given to one installer are proposed half an hour apart; those of other installers do not count', () => {
  const given = free(1, '08', '10:00', '11:00', 0)
  const fits = free(1, '08', '11:30', '12:30', 3)
  const tight = free(1, '08', '11:29', '12:29', 0)
  const tightBefore = free(1, '08', '08:31', '09:31', 0)
  const other = free(2, '08', '10:00', '11:00', 4)
  expect(waysFor(visit, [tight, tightBefore, fits, other], { others: [given], dayOf })).toEqual([fits, other])
})
