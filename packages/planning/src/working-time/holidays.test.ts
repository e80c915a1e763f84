import Holidays from 'date-holidays'
import { describe, expect, it } from 'vitest'
import { type ZoneFeries, zonesFeries } from '../../../core/src/values/vocabulary.js'
import { isPublicHoliday, publicHolidays } from './holidays.js'

const years = Array.from({ length: 21 }, (_, index) => 2020 + index)

/** An unknown region silently means the mainland there: each zone is asked for by the name that it knows. */
const oracleOf = (zone: ZoneFeries) => (zone === 'FR-57' ? new Holidays('FR', '57') : new Holidays(zone))

/** The only difference: the law of May 2025 made 20 November a holiday of that year already; the other table begins in 2026. */
const corrected = (zone: ZoneFeries, dates: readonly string[]) =>
  zone === 'PF' ? dates.map((date) => (date === '2025-06-29' ? '2025-11-20' : date)) : dates

describe('public holidays', () => {
  it.each(zonesFeries)('of %s are those of an independent table, from 2020 to 2040', (zone) => {
    const oracle = oracleOf(zone)
    for (const year of years) {
      const theirs = oracle
        .getHolidays(year)
        .filter(({ type }) => type === 'public')
        .map(({ date }) => date.slice(0, 10))
      expect([...publicHolidays(zone, year)].sort()).toEqual([...new Set(corrected(zone, theirs))].sort())
    }
  })

  it('of each zone but Saint-Pierre-et-Miquelon differ from the mainland: none is forgotten', () => {
    const mainland = [...publicHolidays('FR', 2027)].sort()
    const same = zonesFeries.filter((zone) => `${[...publicHolidays(zone, 2027)].sort()}` === `${mainland}`)
    expect(same).toEqual(['FR', 'PM'])
  })

  // The earliest and the latest that there are, those that the rule sets back by a week, and others of other centuries.
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
  ])('know Easter Monday in other centuries: %s', (date) => {
    expect(isPublicHoliday('FR', date)).toBe(true)
  })

  it.each([
    ['Easter Monday', 'FR', '2027-03-29', true],
    ['the day after', 'FR', '2027-03-30', false],
    ['Easter Sunday, which is a Sunday like others', 'FR', '2027-03-28', false],
    ['the latest Easter Monday', 'FR', '2038-04-26', true],
    ['Good Friday in Paris', 'FR', '2027-03-26', false],
    ['Good Friday in Strasbourg', 'FR-57', '2027-03-26', true],
    ['the day after Christmas in Metz', 'FR-57', '2027-12-26', true],
    ['the day after Christmas in Lyon', 'FR', '2027-12-26', false],
    ['the abolition in Saint-Denis', 'RE', '2027-12-20', true],
    ['the day of autonomy in Papeete, the last time', 'PF', '2024-06-29', true],
    ['the day of autonomy in Papeete, no longer', 'PF', '2025-06-29', false],
    ["Matari'i in Papeete, the first time", 'PF', '2025-11-20', true],
    ["Matari'i in Papeete, not yet", 'PF', '2024-11-20', false],
  ] as const)('%s (%s, %s): %s', (_, zone, date, holiday) => {
    expect(isPublicHoliday(zone, date)).toBe(holiday)
  })
})
