import type { DeliveryDetail } from '../api/client.js'
import { Badge, Time } from '../system/bits.js'
import { exact, milliseconds, moment } from '../words/formats.js'
import { words } from '../words/words.js'
import { hintFor, plainError } from './plain-error.js'

type Attempt = DeliveryDetail['attempts'][number]

/** The attempts of a delivery, the latest first, with what to do about failed ones. */
export function Attempts({ delivery: { attempts, next_attempt_at } }: { readonly delivery: DeliveryDetail }) {
  const t = words.value.deliveries
  if (attempts.length === 0 && next_attempt_at === null) return <p class="muted">{t.noAttempts}</p>
  return (
    <ol class="timeline">
      {next_attempt_at !== null && (
        <li>
          <p class="muted">
            {t.nextAttempt} : <Time at={next_attempt_at}>{moment(next_attempt_at)}</Time>
          </p>
        </li>
      )}
      {attempts.toReversed().map((attempt, at) => (
        <AttemptLine key={attempt.n} attempt={attempt} isLast={at === 0} />
      ))}
    </ol>
  )
}

interface LineProps {
  readonly attempt: Attempt
  /** Whether this is the last attempt, the only one with advice on what to do. */
  readonly isLast: boolean
}

function AttemptLine({ attempt, isLast }: LineProps) {
  const { n, started_at, duration_ms, status, error, error_code, response, response_headers } = attempt
  const t = words.value.deliveries
  const isGood = error === null
  const failed = error === null ? null : { statut: status, code: error_code, erreur: error }
  const hint = isLast && failed ? hintFor(failed) : null
  return (
    <li class={isGood ? 'good' : 'bad'}>
      <div class="row">
        <strong>{t.attempt(n)}</strong>
        <Badge tone={isGood ? 'good' : 'bad'}>{status ?? t.noAnswer}</Badge>
        <span class="muted small">
          <Time at={started_at}>{exact(started_at)}</Time> {t.took(milliseconds(duration_ms))}
        </span>
      </div>
      {failed && <p>{plainError(failed)}</p>}
      {hint && <p class="hint-box small">{hint}</p>}
      {response && (
        <details>
          <summary>{t.response}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
          <pre tabIndex={0}>{response}</pre>
        </details>
      )}
      {response_headers && Object.keys(response_headers).length > 0 && (
        <details>
          <summary>{t.responseHeaders}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
          <pre tabIndex={0}>
            {Object.entries(response_headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
          </pre>
        </details>
      )}
    </li>
  )
}
