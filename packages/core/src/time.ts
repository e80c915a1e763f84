let latest = { ms: Number.NaN, instant: '' }

/** An instant as stored and sent: fixed-width UTC ISO 8601 with milliseconds. */
export function toInstant(ms: number): string {
  // A creation asks four times, mostly for the same millisecond: formatting alone was 3 % of it.
  if (ms !== latest.ms) latest = { ms, instant: new Date(ms).toISOString() }
  return latest.instant
}

export function toMs(instant: string): number {
  return Date.parse(instant)
}

/** The calendar of the business: an IANA time zone decides years and midnights. */
export interface BusinessCalendar {
  readonly timeZone: string
  /** The local year at `ms`. */
  yearAt(ms: number): number
  /** When the local day `YYYY-MM-DD` begins, in milliseconds: its first moment, where midnight does not exist. */
  startOfDay(date: string): number
  /** The instant that `YYYY-MM-DD` (its first moment) or an ISO 8601 instant with its offset stands for. */
  instantOf(dateOrInstant: string): string
}

/** @throws RangeError for a time zone that the platform does not know. */
export function businessCalendar(timeZone: string): BusinessCalendar {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })

  /** The local wall clock at `ms`, read as if it were UTC. */
  const wallClock = (ms: number): number => {
    const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
    // Date.UTC takes the years 0 to 99 for 1900 to 1999.
    return new Date(new Date(0).setUTCFullYear(year, month - 1, day)).setUTCHours(hour, minute, second)
  }

  let cachedYear = { from: 0, until: 0, year: 0 }

  const startOfDay = (date: string): number => {
    const midnight = Date.parse(`${date}T00:00:00Z`)
    const offsetAt = (ms: number) => wallClock(ms) - Math.floor(ms / 1000) * 1000
    const guesses = [midnight - offsetAt(midnight - 86_400_000), midnight - offsetAt(midnight + 86_400_000)]
    const exact = guesses.filter((ms) => wallClock(ms) === midnight)
    return exact.length > 0 ? Math.min(...exact) : Math.min(...guesses.filter((ms) => wallClock(ms) > midnight))
  }

  return {
    timeZone,
    startOfDay,
    instantOf: (text) => toInstant(text.includes('T') ? Date.parse(text) : startOfDay(text)),
    yearAt(ms) {
      // Formatting costs 2 µs, a tenth of a durable create: one answer holds for its quarter of an hour, since zones
      // change years on a multiple of fifteen minutes.
      const quarter = 900_000
      if (ms < cachedYear.from || ms >= cachedYear.until) {
        const from = Math.floor(ms / quarter) * quarter
        cachedYear = { from, until: from + quarter, year: new Date(wallClock(ms)).getUTCFullYear() }
      }
      return cachedYear.year
    },
  }
}
