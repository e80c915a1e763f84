import Holidays from 'date-holidays'
import { describe, expect, it } from 'vitest'
import { type ZoneFeries, zonesFeries } from '../../../core/src/values/vocabulary.js'
import { isPublicHoliday, publicHolidays } from './holidays.js'

const years = Array.from({ length: 21 }, (_, index) => 2020 + index)

const oracleOf = (zone: ZoneFeries) => new Holidays(zone)

/**
 * The only difference from the library is in French Polynesia. By the law of May 2025, 20 November is a holiday from
 * 2025 on; in the library it is one from 2026 on.
 */
const corrected = (zone: ZoneFeries, dates: readonly string[]) =>
  zone === 'PF' ? dates.map((date) => (date === '2025-06-29' ? '2025-11-20' : date)) : dates

describe('public holidays', () => {
  it.each(zonesFeries)('of %s are those of an independent library, from 2020 to 2040', (zone) => {
    const oracle = oracleOf(zone)
    for (const year of years) {
      const theirs = oracle
        .getHolidays(year)
        .filter(({ type }) => type === 'public')
        .map(({ date }) => date.slice(0, 10))
      expect([...publicHolidays(zone, year)].sort()).toEqual([...new Set(corrected(zone, theirs))].sort())
    }
  })

  it('of each other zone except Saint-Pierre-et-Miquelon differ from those of the mainland', () => {
    const mainland = [...publicHolidays('FR', 2027)].sort()
    const same = zonesFeries.filter((zone) => `${[...publicHolidays(zone, 2027)].sort()}` === `${mainland}`)
    expect(same).toEqual(['FR', 'PM'])
  })

  // The earliest and latest possible dates, the exceptions of the rule, and other centuries.
  it.each([
    '1666-04-26',
    '1734-04-26',
    '1818-03-23',
    '1943-04-26',
    '1954-04-19',
    '1981-04-20',
    '2049-04-19',
    '2076-04-20',
    '2100-03-29',
    '2285-03-23',
  ])('include Easter Monday %s', (date) => {
    expect(isPublicHoliday('FR', date)).toBe(true)
  })
})
