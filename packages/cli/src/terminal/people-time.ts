import { type BusinessCalendar, businessCalendar } from '@sav/core'
import type { Context } from '../invocation/context.js'

/** Instants as people of the business time zone read them. */
export interface PeopleTime {
  /** IANA name: to be said once where times are shown. */
  readonly timeZone: string
  /** `2026-01-15 11:30:05`; null stays. */
  at(instant: string | null): string | null
  /** `2026-01-15`. */
  dayOf(instant: string): string
  /** `3 min ago`, `in 2 h`, and the time of day or the day where that says more; null stays. */
  fromNow(instant: string | null): string | null
  /** What `at` shows, as an instant again; anything else as it is. */
  instantOf(typed: string | undefined): string | undefined
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

export function peopleTime({ settings: { timeZone } }: Pick<Context, 'settings'>): PeopleTime {
  const calendar: BusinessCalendar = businessCalendar(timeZone)
  const at = (instant: string) => {
    const ms = Date.parse(instant)
    return new Date(ms + calendar.offsetAt(ms)).toISOString().slice(0, 19).replace('T', ' ')
  }
  return {
    timeZone,
    at: (instant) => instant && at(instant),
    dayOf: (instant) => at(instant).slice(0, 10),
    fromNow(instant) {
      if (instant === null) return null
      const ms = Date.parse(instant) - Date.now()
      const far = Math.abs(ms)
      if (far >= 24 * hourMs) return at(instant).slice(0, 16)
      const amount =
        far < minuteMs
          ? `${Math.round(far / 1000)} s`
          : far < hourMs
            ? `${Math.round(far / minuteMs)} min`
            : `${Math.round(far / hourMs)} h`
      return ms > 0 ? `in ${amount}` : `${amount} ago`
    },
    instantOf(typed) {
      const [, date = '', hour = '', minute = '', second = '0'] = shown.exec(typed ?? '') ?? []
      if (date === '' || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return typed
      const ms = calendar.timeOfDay(date, Number(hour) * 60 + Number(minute)) + Number(second) * 1000
      return new Date(ms).toISOString()
    },
  }
}

const shown = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}):(\d{2})(?::(\d{2}))?$/
