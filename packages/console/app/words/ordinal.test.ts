import { expect, it } from 'vitest'
import { withOrdinal } from './ordinal.js'

it.each([
  ['mardi 1 décembre', 'fr-FR', 'mardi 1er décembre'],
  ['1 mai 2026, 09:30', 'fr-FR', '1er mai 2026, 09:30'],
  ['21 nov. 2026', 'fr-FR', '21 nov. 2026'],
  ['il y a 1 h', 'fr-FR', 'il y a 1 h'],
  ['Tuesday 1 December', 'en-GB', 'Tuesday 1 December'],
])('%j in %s is written %j', (shown, locale, said) => {
  expect(withOrdinal(shown, locale)).toBe(said)
})
