import { ValidationError } from '@sav/core'
import { dayMs } from '@sav/core/feature'
import { fieldProblem } from '../refusals.js'

/** Local dates, `YYYY-MM-DD`, both inclusive. */
export interface AskedDays {
  readonly du: string
  readonly au: string
}

interface DaysInput {
  readonly du?: string | undefined
  readonly au?: string | undefined
}

/** About three months. This limits how much one answer reads. */
const maxDays = 92

/** The longest appointment, in minutes: a search for overlaps looks no further back. */
export const maxRdvMinutes = 720

const msOf = (date: string) => Date.parse(`${date}T00:00:00Z`)
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

const lastDate = '9999-12-31'

/** The date `days` after `date` (before it if negative), limited to the year 9999. */
export const daysAfter = (date: string, days: number) => dateOf(Math.min(msOf(date) + days * dayMs, msOf(lastDate)))

/**
 * The requested days. Default: the week of `today`, from Monday to Sunday. With only one bound: a week from or until
 * it.
 * @throws ValidationError if they are in the wrong order, or more than `maxDays`
 */
export function askedDays({ du, au }: DaysInput, today: string): AskedDays {
  const monday = daysAfter(today, -((new Date(msOf(today)).getUTCDay() + 6) % 7))
  const first = du ?? (au === undefined ? monday : daysAfter(au, -6))
  return boundedDays(first, au ?? daysAfter(first, 6))
}

/**
 * The requested future days, like `askedDays`. Default: two weeks from `today`. With only `au`: from today until it.
 */
export function comingDays({ du, au }: DaysInput, today: string): AskedDays {
  const first = du ?? today
  return boundedDays(first, au ?? daysAfter(first, 13))
}

/** @throws ValidationError if the days are in the wrong order, or more than `max` */
export function boundedDays(du: string, au: string, max = maxDays): AskedDays {
  if (au < du) throw new ValidationError([fieldProblem('au', 'days_before_start', { du })])
  if ((msOf(au) - msOf(du)) / dayMs >= max)
    throw new ValidationError([fieldProblem('au', 'too_many_days', { max, du })])
  return { du, au }
}
