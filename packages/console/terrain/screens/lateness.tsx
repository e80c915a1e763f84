import { tell } from '../state/facts.js'
import { say, sayFailed } from '../state/notices.js'
import { words } from '../words/words.js'
import { Sheet } from './frame.js'

const steps = [15, 30, 60]

/** Reports a delay with one tap. */
export function LatenessSheet({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const t = words.value.lateness
  const late = (minutes: number) => {
    onClose()
    tell(id, { operation: 'retard', body: { minutes } }).then(() => say(t.told(minutes)), sayFailed)
  }
  return (
    <Sheet title={t.title} onClose={onClose}>
      <p class="muted">{t.hint}</p>
      <div class="quick">
        {steps.map((minutes) => (
          <button key={minutes} type="button" class="button large" onClick={() => late(minutes)}>
            {t.by(minutes)}
          </button>
        ))}
      </div>
    </Sheet>
  )
}
