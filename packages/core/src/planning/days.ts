import { ValidationError } from '../errors.js'

/** Local dates, `YYYY-MM-DD`, both inclusive. */
export interface AskedDays {
  readonly du: string
  readonly au: string
}

/** A quarter, so that no answer has to read years. */
export const maxDays = 92

const dayMs = 86_400_000
const msOf = (date: string) => Date.parse(`${date}T00:00:00Z`)
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Days after `date`; before it, where `days` is negative. */
export const daysAfter = (date: string, days: number) => dateOf(msOf(date) + days * dayMs)

/**
 * The days that are asked for: without any, the week of `today`, from Monday to Sunday; with one of both, a week from or
 * until it.
 * @throws ValidationError where they are in the wrong order, or more than `maxDays`
 */
export function askedDays(
  { du, au }: { readonly du: string | undefined; readonly au: string | undefined },
  today: string,
): AskedDays {
  const monday = daysAfter(today, -((new Date(msOf(today)).getUTCDay() + 6) % 7))
  const first = du ?? (au === undefined ? monday : daysAfter(au, -6))
  const last = au ?? daysAfter(first, 6)
  if (last < first) throw new ValidationError([{ field: 'au', message: 'must not be before du' }])
  if ((msOf(last) - msOf(first)) / dayMs >= maxDays)
    throw new ValidationError([{ field: 'au', message: `must be within ${maxDays} days of du` }])
  return { du: first, au: last }
}
