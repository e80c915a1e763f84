import { dayMs, toInstant, toMs } from './time.js'

const maxAgeMs = 30 * dayMs
const maxAheadMs = 10 * 60_000

/** The time at which something happened, by a phone. */
export interface PhoneTime {
  /** By the phone's own clock. */
  readonly survenu_a: string
  /** By how much the phone's clock is ahead of the service's, in milliseconds. */
  readonly decalage_ms: number
}

/** The API has years of four digits, whatever a phone's clock says. */
const latestMs = Date.UTC(9999, 11, 31)

/** The time by the service's clock, as far as the phone knows the difference. */
export const corrected = ({ survenu_a, decalage_ms }: PhoneTime): string =>
  toInstant(Math.min(Math.max(toMs(survenu_a) - decalage_ms, 0), latestMs))

/**
 * Whether the time is plausible: at most 30 days before it arrived, and at most 10 minutes after. An implausible time
 * is not refused: the time of arrival is used instead.
 * @param survenu_a corrected
 * @param date of its arrival
 */
export function isBelieved(survenu_a: string, date: string): boolean {
  const age = toMs(date) - toMs(survenu_a)
  return age <= maxAgeMs && age >= -maxAheadMs
}

/** When it happened if that is plausible, else when it arrived. */
export const happenedAt = (survenu_a: string, date: string): string => (isBelieved(survenu_a, date) ? survenu_a : date)
