import type { DeliveryDetail, Endpoint } from '../api/client.js'
import { CopyButton } from '../system/bits.js'
import { Card } from '../system/page.js'
import { words } from '../words/words.js'
import { asCurl } from './as-curl.js'
import { Verification } from './verification.js'

interface RequestProps {
  readonly delivery: DeliveryDetail
  /** Undefined: it was removed, or is not loaded yet. */
  readonly endpoint: Endpoint | undefined
}

/** What was, or will be, sent to a receiver, and how the receiver verifies the sender. */
export function Request({ delivery, endpoint }: RequestProps) {
  const { body, event, event_id } = delivery
  const t = words.value.deliveries.request
  return (
    <Card
      title={t.title}
      actions={
        body !== null &&
        endpoint && <CopyButton text={asCurl({ ...endpoint, event, event_id, body })} name={t.curl} label={t.curl} />
      }
    >
      <div class="stack">
        {endpoint && (
          <p>
            <code>{`POST ${endpoint.url}`}</code>
          </p>
        )}
        <dl class="facts facts-small">
          {headersOf(delivery, endpoint).map(([name, value]) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {body === null ? (
          <p class="muted">{t.hidden}</p>
        ) : (
          <>
            <div class="row-apart">
              <h3>{t.body}</h3>
              <CopyButton text={body} name={t.copyBody} label={words.value.copy} />
            </div>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
            <pre tabIndex={0}>{indented(body)}</pre>
          </>
        )}
        <details>
          <summary>{t.signatures}</summary>
          <div class="stack-small">
            <ul class="small stack-small">
              <li>
                <code>webhook-signature</code> {t.standard}
              </li>
              <li>
                <code>X-Webhook-Signature</code> {t.specification}
              </li>
            </ul>
            <p class="small">{t.untold}</p>
            <Verification />
          </div>
        </details>
      </div>
    </Card>
  )
}

/**
 * The headers of the last attempt. Secrets are not shown: the signatures, and the values of the endpoint's own headers.
 */
function headersOf({ event, event_id, attempts }: DeliveryDetail, endpoint: Endpoint | undefined): [string, string][] {
  const t = words.value.deliveries.request
  const last = attempts.at(-1)
  const time = last ? String(Math.floor(Date.parse(last.started_at) / 1000)) : t.later
  return [
    ['Content-Type', 'application/json'],
    ['X-Webhook-Event', event],
    ['X-Webhook-Timestamp', time],
    ['X-Webhook-Signature', 'sha256=…'],
    ['webhook-id', event_id],
    ['webhook-timestamp', time],
    ['webhook-signature', 'v1,…'],
    ...(endpoint?.headers ?? []).map((name): [string, string] => [name, '…']),
  ]
}

/** The body as it is shown, with indentation. The button for copying copies the bytes as they were sent. */
const indented = (body: string) => JSON.stringify(JSON.parse(body), null, 2)
