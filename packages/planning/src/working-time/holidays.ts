import { dayMs, type ZoneFeries } from '@sav/core/feature'

/** A day of the year (`MM-DD`), or a number of days after Easter Sunday. */
type Rule = string | number

const goodFriday = -2

/** Code du travail, article L3133-1: Easter Monday, Ascension and Whit Monday are the movable ones. */
const everywhere: readonly Rule[] = ['01-01', 1, '05-01', '05-08', 39, 50, '07-14', '08-15', '11-01', '11-11', '12-25']

/**
 * Abolition of slavery: décret 83-1003. Alsace-Moselle: L3134-13. Good Friday in the Antilles is a custom that shops
 * observe.
 */
function ownDays(zone: ZoneFeries, year: number): readonly Rule[] {
  switch (zone) {
    case 'FR':
    case 'PM':
      return []
    case 'FR-57':
      return [goodFriday, '12-26']
    case 'GP':
      return [goodFriday, '05-27']
    case 'MQ':
      return [goodFriday, '05-22']
    case 'GF':
      return ['06-10']
    case 'RE':
      return ['12-20']
    case 'YT':
      return ['04-27']
    case 'BL':
      return ['10-09']
    case 'MF':
      return ['05-27']
    case 'NC':
      return ['09-24']
    case 'PF':
      // Matari'i replaced the day of autonomy by a law of May 2025.
      return ['03-05', goodFriday, year < 2025 ? '06-29' : '11-20']
    case 'WF':
      return ['04-28', '06-29', '07-29']
  }
}

/** Whether a local date (`YYYY-MM-DD`) is a public holiday in a zone; Sundays as such do not count. */
export function isPublicHoliday(zone: ZoneFeries, date: string): boolean {
  return publicHolidays(zone, Number(date.slice(0, 4))).has(date)
}

/** The public holidays of a year from 1583 (the Gregorian calendar's first), as local dates. */
export function publicHolidays(zone: ZoneFeries, year: number): ReadonlySet<string> {
  const dates = known.get(`${zone} ${year}`)
  if (dates !== undefined) return dates
  const easterMs = easterSunday(year)
  const found = new Set(
    [...everywhere, ...ownDays(zone, year)].map((rule) =>
      typeof rule === 'string'
        ? `${String(year).padStart(4, '0')}-${rule}`
        : new Date(easterMs + rule * dayMs).toISOString().slice(0, 10),
    ),
  )
  if (known.size >= 200) known.clear()
  known.set(`${zone} ${year}`, found)
  return found
}

const known = new Map<string, ReadonlySet<string>>()

/** Midnight UTC of Easter Sunday: the anonymous Gregorian algorithm (Meeus, Astronomical Algorithms, chapter 8). */
function easterSunday(year: number): number {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const ofCentury = year % 100
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const days = epact + weekday - 7 * late + 114
  return Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1)
}
