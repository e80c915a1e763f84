import type { Statistics } from '../api/client.js'

/** The days of a month that belong to a period. */
export function monthWithin(mois: string, { du, au }: Pick<Statistics, 'du' | 'au'>): Pick<Statistics, 'du' | 'au'> {
  const [year, month] = mois.split('-').map(Number)
  const [first, last] = [`${mois}-01`, new Date(Date.UTC(year ?? 0, month ?? 0, 0)).toISOString().slice(0, 10)]
  return { du: du > first ? du : first, au: au < last ? au : last }
}
