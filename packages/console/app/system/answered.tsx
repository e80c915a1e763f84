import type { ComponentChildren } from 'preact'
import { refusalOf } from '../api/client.js'
import type { ReadState } from '../api/read.js'
import { inOurWords } from '../words/service-words.js'
import { words } from '../words/words.js'
import { Icon } from './icons.js'
import { Loading } from './page.js'

/** The API's answer, in words that the reader can act on. */
export function saidOf(error: unknown): string {
  const t = words.value.failures
  const refusal = refusalOf(error)
  if (refusal === null) return t.unreachable
  const { status, code, params, error: sentence, body, details } = refusal
  const message = typeof body['detail'] === 'string' ? body['detail'] : sentence
  const said = inOurWords({ code, params, message })
  if (status === 422) return [said, ...details.map((each) => `${each.field} : ${inOurWords(each)}`)].join(' ')
  // The general sentence for the status would hide the reason of a conflict.
  if (status === 409) return said
  return t.statuses[status] ?? (said || t.other)
}

interface AnsweredProps<T> {
  readonly reading: ReadState<T>
  readonly children: (value: T) => ComponentChildren
}

/**
 * Shows an answer as soon as it arrives. While a new one is loading, the older one stays. An error is shown above it.
 */
export function Answered<T>({ reading: { value, error, isStale, reload }, children }: AnsweredProps<T>) {
  if (value === undefined) return error === null ? <Loading /> : <Failure error={error} retry={reload} />
  return (
    <>
      {error !== null && <Failure error={error} retry={reload} />}
      <div class={isStale ? 'stale' : undefined} aria-busy={isStale}>
        {children(value)}
      </div>
    </>
  )
}

export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const id = refusalOf(error)?.requestId
  return (
    <div class="failure" role="alert">
      <Icon name="warning" />
      <div>
        <p>{saidOf(error)}</p>
        {id && <p class="small muted">{`${words.value.failures.requestId} ${id}`}</p>}
      </div>
      {retry && (
        <button type="button" class="button small" onClick={retry}>
          {words.value.retry}
        </button>
      )}
    </div>
  )
}
