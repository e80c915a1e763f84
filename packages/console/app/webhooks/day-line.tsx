import { sav } from '../api/client.js'
import { question, useRead } from '../api/read.js'
import { number } from '../words/formats.js'
import { words } from '../words/words.js'

export const activityOf = question(
  async (endpoint: string, signal) =>
    (await sav.get('/api/v1/webhooks/{endpoint}/activite', { params: { endpoint }, signal })).data,
)

const height = 24
const step = 5

/** A receiver's last 24 hours, one bar per hour: failures in red, above deliveries. */
export function DayLine({ endpoint }: { readonly endpoint: string }) {
  const { value } = useRead(activityOf, endpoint)
  if (value === undefined) return <svg class="day-line" width={24 * step} height={height} aria-hidden="true" />
  const { heures } = value
  const most = Math.max(1, ...heures.map(({ livrees, echecs, en_attente }) => livrees + echecs + en_attente))
  const sum = (part: 'livrees' | 'echecs') => number(heures.reduce((all, hour) => all + hour[part], 0))
  const t = words.value.webhooks.activityOf(sum('livrees'), sum('echecs'))
  return (
    <svg
      class="day-line"
      viewBox={`0 0 ${24 * step} ${height}`}
      width={24 * step}
      height={height}
      role="img"
      aria-label={t}
    >
      <title>{t}</title>
      {heures.map(({ debut, livrees, echecs, en_attente }, index) => {
        const scaled = (n: number) => (n * (height - 2)) / most
        const x = index * step
        const good = scaled(livrees)
        const waiting = scaled(en_attente)
        const bad = echecs === 0 ? 0 : Math.max(2, scaled(echecs))
        return (
          <g key={debut}>
            <rect class="day-none" x={x} y={height - 1} width={step - 1} height="1" />
            <rect class="day-good" x={x} y={height - good} width={step - 1} height={good} />
            <rect class="day-waiting" x={x} y={height - good - waiting} width={step - 1} height={waiting} />
            <rect class="day-bad" x={x} y={height - good - waiting - bad} width={step - 1} height={bad} />
          </g>
        )
      })}
    </svg>
  )
}
