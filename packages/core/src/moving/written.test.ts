import { expect, it } from 'vitest'
import { businessCalendar } from '../time/time.js'
import { isDateAlone, writtenInstant, writtenPriorite, writtenStatut, writtenTypeProbleme } from './written.js'

const paris = businessCalendar('Europe/Paris')

it.each([
  ['03/04/2024', '2024-04-02T22:00:00.000Z'],
  ['3/4/24', '2024-04-02T22:00:00.000Z'],
  ['03-04-2024 14:30', '2024-04-03T12:30:00.000Z'],
  ['03.04.2024 14h30', '2024-04-03T12:30:00.000Z'],
  ['03/04/2024 à 14:30:05', '2024-04-03T12:30:05.000Z'],
  ['2024-04-03', '2024-04-02T22:00:00.000Z'],
  ['2024-01-03 09:05:00', '2024-01-03T08:05:00.000Z'],
  ['2024-01-03T09:05:00+02:00', '2024-01-03T07:05:00.000Z'],
  ['29/02/2024', '2024-02-28T23:00:00.000Z'],
])('%s is the instant %s', (text, instant) => {
  expect(writtenInstant(text, paris)).toBe(instant)
})

it.each([
  ['03/04/2024', true],
  ['2024-04-03', true],
  ['2024-04-03 00:00:00', true],
  ['03/04/2024 0h', true],
  ['03/04/2024 00:01', false],
  ['2024-04-03 00:00:01', false],
  ['2024-04-03T00:00:00Z', false],
  ['hier', false],
])('%s is a date alone: %s', (text, isAlone) => {
  expect(isDateAlone(text)).toBe(isAlone)
  const [early, late] = [0, 480].map((beginning) => writtenInstant(text, paris, beginning))
  expect(early === late).toBe(!isAlone)
})

it.each(['', 'hier', '31/02/2024', '29/02/2023', '2024-13-01', '03/04/2024 24:00', '03/04/2024 12:60', '45123'])(
  '%s is no date',
  (text) => {
    expect(writtenInstant(text, paris)).toBeNull()
  },
)

it('reads words as people and Dolibarr write them', () => {
  expect(['Nouveau', 'En cours', 'Fermé', '8', 'peut-être'].map(writtenStatut)).toEqual([
    'ouvert',
    'en_cours',
    'clos',
    'clos',
    null,
  ])
  expect(['Élevée', 'LOW', '?'].map(writtenPriorite)).toEqual(['haute', 'basse', null])
  expect(['Plan_travail', 'plan travail', 'vis'].map(writtenTypeProbleme)).toEqual([
    'plan_travail',
    'plan_travail',
    null,
  ])
})
