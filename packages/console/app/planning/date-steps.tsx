import { useLocation } from 'preact-iso'
import { daysAfter, isDate, today } from '../session/zone.js'
import { TextField } from '../system/form.js'
import { Icon } from '../system/icons.js'
import { words } from '../words/words.js'

interface DateStepsProps {
  /** The first shown day. */
  readonly date: string
  /** The number of shown days. */
  readonly days: number
  readonly addressOf: (date: string) => string
}

/** Links to the days before and after, to today, and to any other day. */
export function DateSteps({ date, days, addressOf }: DateStepsProps) {
  const { route } = useLocation()
  const t = words.value.planning
  return (
    <>
      <div class="row">
        <a class="button small" href={addressOf(daysAfter(date, -days))} aria-label={t.before}>
          <Icon name="back" size={16} />
        </a>
        <a class="button small" href={addressOf(today())}>
          {t.today}
        </a>
        <a class="button small" href={addressOf(daysAfter(date, days))} aria-label={t.after}>
          <Icon name="next" size={16} />
        </a>
      </div>
      <div class="toolbar-date">
        <TextField
          key={date}
          name="date"
          label={t.date}
          type="date"
          value={date}
          onChange={(day) => isDate(day) && route(addressOf(day), true)}
        />
      </div>
    </>
  )
}
