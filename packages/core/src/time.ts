/** Of as many milliseconds at once, each in the place of its last digits. */
const places = 256
const writtenMs = new Float64Array(places).fill(Number.NaN)
const written: string[] = Array.from({ length: places }, () => '')

/** An instant as stored and sent: fixed-width UTC ISO 8601 with milliseconds. */
export function toInstant(ms: number): string {
  // A creation asks five times, for when its call came, and for the present, which all beside it have in common: formatting
  // alone was 3 % of it.
  const place = ms % places
  const known = written[place]
  if (known !== undefined && writtenMs[place] === ms) return known
  const instant = new Date(ms).toISOString()
  if (known !== undefined) {
    written[place] = instant
    writtenMs[place] = ms
  }
  return instant
}

export function toMs(instant: string): number {
  return Date.parse(instant)
}

/** Whether the platform knows an IANA time zone by that name; an offset (`+02:00`) is none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const quarterMs = 900_000
const dayMs = 86_400_000

/** The calendar of the business: an IANA time zone decides years and midnights. */
export interface BusinessCalendar {
  readonly timeZone: string
  /** The local year at `ms`. */
  yearAt(ms: number): number
  /** The local day at `ms`, `YYYY-MM-DD`. */
  dateAt(ms: number): string
  /** What the wall clock is ahead of UTC at `ms`, in milliseconds. */
  offsetAt(ms: number): number
  /** When the local day `YYYY-MM-DD` begins, in milliseconds: its first moment, where midnight does not exist. */
  startOfDay(date: string): number
  /**
   * When the wall clock of a local day first shows `minutes` (0 to 1440) after midnight, or later: a time that comes
   * twice means the first one, a time that does not exist the end of the gap, and 1440 the start of the next day.
   */
  timeOfDay(date: string, minutes: number): number
  /** The instant that `YYYY-MM-DD` (its first moment) or an ISO 8601 instant with its offset stands for. */
  instantOf(dateOrInstant: string): string
  /** The instant at which `YYYY-MM-DD` is over, or that an ISO 8601 instant with its offset stands for. */
  endOf(dateOrInstant: string): string
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

  const exactOffset = (ms: number) => wallClock(ms) - Math.floor(ms / 1000) * 1000

  // Formatting costs 2 µs and a planning asks thousands of times: an offset holds for its UTC day, where the day ends with
  // the same, and else for its quarter of an hour, since zones change on a multiple of fifteen minutes.
  const days = remembered((day) =>
    exactOffset(day * dayMs) === exactOffset((day + 1) * dayMs) ? exactOffset(day * dayMs) : null,
  )
  const quarters = remembered((quarter) => exactOffset(quarter * quarterMs))
  const offsetAt = (ms: number): number => days(Math.floor(ms / dayMs)) ?? quarters(Math.floor(ms / quarterMs))

  /** The first moment when the wall clock shows `wall` (read as if it were UTC) or later. */
  const firstAt = (wall: number): number => {
    const before = wall - offsetAt(wall - dayMs)
    const after = wall - offsetAt(wall + dayMs)
    const exact = [before, after].filter((ms) => ms + offsetAt(ms) === wall)
    if (exact.length > 0) return Math.min(...exact)
    // In a gap: after the change the guesses lie on its two sides, less than a day apart.
    let late = Math.floor(Math.max(before, after) / quarterMs) * quarterMs
    // No gap is longer than a day, where an island changed the side of the date line. Before the year 1 nothing is right.
    for (let step = 0; step < dayMs / quarterMs && late - quarterMs + offsetAt(late - quarterMs) >= wall; step += 1)
      late -= quarterMs
    return late
  }

  let cachedYear = { from: 0, until: 0, year: 0 }

  const timeOfDay = (date: string, minutes: number): number =>
    firstAt(Date.parse(`${date}T00:00:00Z`) + minutes * 60_000)

  const startOfDay = (date: string): number => timeOfDay(date, 0)

  return {
    timeZone,
    offsetAt,
    startOfDay,
    dateAt: (ms) => toInstant(ms + offsetAt(ms)).slice(0, 10),
    timeOfDay,
    instantOf: (text) => toInstant(text.includes('T') ? Date.parse(text) : startOfDay(text)),
    endOf: (text) => toInstant(text.includes('T') ? Date.parse(text) : timeOfDay(text, 1440)),
    yearAt(ms) {
      // Formatting costs 2 µs, a tenth of a durable create: one answer holds for its quarter of an hour, since zones
      // change years on a multiple of fifteen minutes.
      if (ms < cachedYear.from || ms >= cachedYear.until) {
        const from = Math.floor(ms / quarterMs) * quarterMs
        cachedYear = { from, until: from + quarterMs, year: new Date(wallClock(ms)).getUTCFullYear() }
      }
      return cachedYear.year
    },
  }
}

/** Keeps the last answers of `find`, at most ten thousand: years of days, or a century of days that change. */
function remembered<T>(find: (key: number) => T): (key: number) => T {
  const known = new Map<number, T>()
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const answer = find(key)
    if (known.size >= 10_000) known.clear()
    known.set(key, answer)
    return answer
  }
}

/** The calendar of a zone, which is a name that `isTimeZone` knows; null: the service's own. */
export type CalendarOf = (timeZone: string | null) => BusinessCalendar

/** Makes each calendar once. @param own of the service */
export function calendars(own: BusinessCalendar): CalendarOf {
  const made = new Map([[own.timeZone, own]])
  return (timeZone) => {
    if (timeZone === null) return own
    const calendar = made.get(timeZone) ?? businessCalendar(timeZone)
    made.set(timeZone, calendar)
    return calendar
  }
}
