import { expect, it } from 'vitest'
import { closedAt, toldOnSite } from './told-on-site.js'

const date_cloture = '2026-03-16T18:00:00.000Z'

it('a case that was not closed on site counts as closed when the close arrived', () => {
  expect(toldOnSite({ date_cloture })).toBeNull()
  expect(closedAt({ date_cloture })).toBe(date_cloture)
})

it.each([
  ['2026-02-14T17:59:59.999Z', false],
  ['2026-03-16T18:10:00.000Z', true],
])('a case closed on site at %s has that time if it is plausible: %s', (survenu_a, cru) => {
  expect(toldOnSite({ date_cloture, survenu_a, decalage_ms: 5 })).toEqual({ survenu_a, cru, decalage_ms: 5 })
  expect(closedAt({ date_cloture, survenu_a })).toBe(cru ? survenu_a : date_cloture)
})
