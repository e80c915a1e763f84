import { type Context, typedInstant, typedParts, usageError, wallAt } from '@sav/command/feature'
import { businessCalendar } from '@sav/core/feature'
import type { SavClient } from '@sav/http-node/client'

/** Instants and days as people in one time zone write them. */
export interface LocalTime {
  /** IANA name. */
  readonly timeZone: string
  /** The local day of an instant, `YYYY-MM-DD`. */
  dateOf(instant: string): string
  /** `08:30`. */
  timeOf(instant: string): string
  /** The hours of an interval, such as `08:30–10:00`, without the day of its end. */
  hoursOf(interval: { readonly debut: string; readonly fin: string }): string
  /** A day without its year, such as `lun. 16/03`. */
  dayOf(instant: string): string
  /** `lun. 16/03/2026`. */
  dayOfYear(instant: string): string
  /**
   * A typed time: `2026-03-16T09:00` is local; the core checks anything else.
   * @throws CommandError for a time that the clock skips.
   */
  instantOf(typed: string): string
}

/**
 * Local times in the account's time zone. Over the network they are in the zone of SAV_TIME_ZONE, since a service does
 * not show the account's zone to every key.
 */
export async function localTimeOf({ remote, settings }: Context, api: SavClient): Promise<LocalTime> {
  const fuseau = remote === null ? (await api.get('/api/v1/compte')).data.fuseau : null
  return localTime(fuseau ?? settings.timeZone)
}

function localTime(timeZone: string): LocalTime {
  const calendar = businessCalendar(timeZone)
  const wall = (instant: string) => wallAt(calendar, instant)
  const timeOf = (instant: string) => wall(instant).slice(11, 16)
  return {
    timeZone,
    dateOf: (instant) => wall(instant).slice(0, 10),
    timeOf,
    hoursOf: ({ debut, fin }) => `${timeOf(debut)}–${timeOf(fin)}`,
    dayOf: (instant) => dayName(wall(instant).slice(0, 10)),
    dayOfYear: (instant) => `${dayName(wall(instant).slice(0, 10))}/${wall(instant).slice(0, 4)}`,
    instantOf(typed) {
      const instant = typedInstant(calendar, typed)
      const { date, time, offset } = typedParts(typed) ?? {}
      // A time that the clock skips is refused, because we cannot guess which one was meant. Midnight is accepted, as
      // the beginning of the day.
      if (time !== undefined && offset === undefined && time !== '00:00' && timeOf(instant) !== time)
        throw usageError(
          `There is no ${time} on ${date} in ${timeZone}, where the clock is put forward: give ${timeOf(instant)} or another time.`,
        )
      return instant
    },
  }
}

const weekdays = ['dim.', 'lun.', 'mar.', 'mer.', 'jeu.', 'ven.', 'sam.']

/** `2026-03-16` as `lun. 16/03`. */
export function dayName(date: string): string {
  return `${weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()]} ${date.slice(8)}/${date.slice(5, 7)}`
}
