import { type BusinessCalendar, dayMs, toMs, type ZoneFeries } from '@sav/core/feature'
import { isPublicHoliday } from './holidays.js'
import { type Absence, type Horaires, type Jour, jours, minutesOf, type Plage } from './hours.js'

/** `[debut, fin)` in milliseconds of UTC. */
export interface Interval {
  readonly debut: number
  readonly fin: number
}

/** The hours of a person on one local day. */
export interface WorkingDay {
  /** Local date, `YYYY-MM-DD`. */
  readonly date: string
  /** The local day itself, from its first moment to the next day's: 23 to 25 hours. */
  readonly day: Interval
  /**
   * Sorted, not empty, with a break between each and the next. A visit lies within one of them. An empty list: a free
   * day.
   */
  readonly intervals: readonly Interval[]
}

export interface WorkingTime {
  readonly horaires: Horaires
  readonly absences: readonly Absence[]
}

/** Local dates, both inclusive, in an account's calendar and zone of public holidays. */
export interface Days {
  readonly du: string
  readonly au: string
  readonly calendar: BusinessCalendar
  readonly zoneFeries: ZoneFeries
}

/** A local day, computed once for all installers. */
export interface LocalDay {
  readonly date: string
  /** The local day, from its first moment to the first moment of the next day. */
  readonly day: Interval
  readonly jour: Jour
  readonly ferie: boolean
  /** When the local time is first at or after that time (`HH:MM`). */
  at(time: string): number
}

/** Each local day from `du` to `au`. */
export function localDays({ du, au, calendar, zoneFeries }: Days): readonly LocalDay[] {
  return datesBetween(du, au).map((date) => {
    const known = new Map<string, number>()
    return {
      date,
      day: { debut: calendar.startOfDay(date), fin: calendar.timeOfDay(date, 1440) },
      jour: jours[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7] ?? 'lundi',
      ferie: isPublicHoliday(zoneFeries, date),
      at(time) {
        const before = known.get(time)
        if (before !== undefined) return before
        const instant = calendar.timeOfDay(date, minutesOf(time))
        known.set(time, instant)
        return instant
      },
    }
  })
}

/**
 * The hours of a person on each of these days, in local time. On a day of 23 hours, the times that the clock skips are
 * lost. On a day of 25 hours, a time that occurs twice means the first one, so hours that begin before the change and
 * end after it are an hour longer.
 */
export function workingDays({ horaires, absences }: WorkingTime, days: readonly LocalDay[]): readonly WorkingDay[] {
  const exceptions = new Map(horaires.exceptions.map(({ date, plages }) => [date, plages]))
  const away = absences.map(({ debut, fin }) => ({ debut: toMs(debut), fin: toMs(fin) }))
  return days.map((localDay) => {
    const { date, day } = localDay
    const hours = exceptions.get(date) ?? (localDay.ferie ? [] : usualHours(horaires, localDay))
    const intervals = hours.map(({ debut, fin }) => ({ debut: localDay.at(debut), fin: localDay.at(fin) }))
    return { date, day, intervals: without(joined(intervals), away) }
  })
}

/** `YYYY-MM-DD`, both inclusive; empty if `au` is before `du`. */
export function datesBetween(du: string, au: string): readonly string[] {
  const from = Date.parse(`${du}T00:00:00Z`)
  const count = Math.max(0, (Date.parse(`${au}T00:00:00Z`) - from) / dayMs + 1)
  return Array.from({ length: count }, (_, index) => new Date(from + index * dayMs).toISOString().slice(0, 10))
}

/** The hours of the weekday, by the last period in the list that applies to the date. */
function usualHours({ periodes }: Horaires, { date, jour }: LocalDay): readonly Plage[] {
  const holds = periodes.findLast(({ du, au }) => (du === null || du <= date) && (au === null || date <= au))
  return holds?.semaine[jour] ?? []
}

/** The intervals sorted, without empty ones; two that touch are joined. */
function joined(intervals: readonly Interval[]): readonly Interval[] {
  const result: Interval[] = []
  for (const interval of intervals.toSorted((a, b) => a.debut - b.debut)) {
    if (interval.debut >= interval.fin) continue
    const last = result.at(-1)
    if (last === undefined || last.fin < interval.debut) result.push(interval)
    else result[result.length - 1] = { debut: last.debut, fin: Math.max(last.fin, interval.fin) }
  }
  return result
}

/** The parts of `intervals`, which are sorted and disjoint, that lie outside of `away`. */
export function without(intervals: readonly Interval[], away: readonly Interval[]): readonly Interval[] {
  return away.reduce<readonly Interval[]>(
    (left, absence) =>
      left.flatMap((interval) => {
        if (absence.fin <= interval.debut || interval.fin <= absence.debut) return [interval]
        const before = { debut: interval.debut, fin: absence.debut }
        const after = { debut: absence.fin, fin: interval.fin }
        return [before, after].filter(({ debut, fin }) => debut < fin)
      }),
    intervals,
  )
}
