import { type Hours, sav } from '../api/client.js'
import { question } from '../api/read.js'
import { daysAfter } from '../session/zone.js'
import { words } from '../words/words.js'

export const hoursOf = question(
  async (id: number, signal) => (await sav.get('/v1/planning/poseurs/{id}/horaires', { params: { id }, signal })).data,
)

export type Week = Hours['periodes'][number]['semaine']
export type Day = keyof Week & string
type Span = NonNullable<Week[Day]>[number]

const isDay = (name: string): name is Day => name in words.peek().worktime.days
/** The days of a week, from Monday on. */
export const days = () => Object.keys(words.peek().worktime.days satisfies Record<Day, string>).filter(isDay)

/** Somebody's hours on a date. Public holidays are ignored, because only the service knows them. */
function spansOn({ periodes, exceptions }: Hours, date: string): readonly Span[] {
  const exception = exceptions.find((each) => each.date === date)
  if (exception) return exception.plages
  const period = periodes.findLast(({ du, au }) => (du === null || du <= date) && (au === null || date <= au))
  const day = days()[(new Date(`${date}T00:00Z`).getUTCDay() + 6) % 7]
  return (day && period?.semaine[day]) ?? []
}

/** Hours in which somebody does not work, in local time. */
export interface Off {
  readonly poseur: number
  readonly debut: string
  readonly fin: string
}

/** The times before, between and after the hours of a date. */
export function offOn(poseur: number, hours: Hours, date: string): readonly Off[] {
  const spans = spansOn(hours, date)
  const ends = ['00:00', ...spans.map(({ fin }) => fin)]
  const begins = [...spans.map(({ debut }) => debut), '24:00']
  return ends.flatMap((debut, at) => {
    const fin = begins[at] ?? '24:00'
    if (debut >= fin) return []
    return [
      { poseur, debut: `${date}T${debut}`, fin: fin === '24:00' ? `${daysAfter(date, 1)}T00:00` : `${date}T${fin}` },
    ]
  })
}
