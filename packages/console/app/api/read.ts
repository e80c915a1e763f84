import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { onChange } from './changes.js'

/** Something to ask of the API, with the answers that were had: what was seen is there at once when somebody comes back. */
export interface Question<Query, T> {
  /** The answer as JSON: two answers are compared by it. */
  readonly ask: (asked: Query, signal: AbortSignal) => Promise<T>
  readonly seen: Map<string, T>
  /** What was asked before the screen was there that shows it. */
  readonly ahead: Map<string, Promise<T>>
}

const questions = new Set<Pick<Map<string, unknown>, 'clear'>>()
/** So long an answer waits for its screen: an older one would show what was. */
const aheadMs = 10_000

export function question<Query, T>(ask: (asked: Query, signal: AbortSignal) => Promise<T>): Question<Query, T> {
  const seen = new Map<string, T>()
  const ahead = new Map<string, Promise<T>>()
  questions.add(seen).add(ahead)
  return { ask, seen, ahead }
}

/** Asks what a screen is about to, while its script is loaded or it is made: it takes over this call. */
export function askAhead<Query, T>({ ask, seen, ahead }: Question<Query, T>, asked: Query): void {
  const key = JSON.stringify(asked)
  if (ahead.has(key)) return
  const asking = ask(asked, new AbortController().signal)
  ahead.set(key, asking)
  const forget = () => ahead.get(key) === asking && ahead.delete(key)
  setTimeout(forget, aheadMs)
  // Who takes it over tells why it failed.
  asking.then((answered) => ahead.get(key) === asking && seen.set(key, answered), forget)
}

/** When somebody else signs in, nothing of before is there. */
export function forgetAnswers(): void {
  for (const seen of questions) seen.clear()
}

/** What is known of something that was asked for. */
export interface ReadState<T> {
  /** The last answer; undefined until there is one. One that says the same as before is the same object. */
  readonly value: T | undefined
  /** Why the last try failed; the value before it stays. */
  readonly error: unknown
  /** True while the value answers what was asked before. */
  readonly isStale: boolean
  readonly reload: () => void
}

/**
 * Asks, and asks again when something changed. While another thing is asked for, the answer to the one before stays.
 * @param asked null asks nothing
 */
export function useRead<Query, T>({ ask, seen, ahead }: Question<Query, T>, asked: Query | null): ReadState<T> {
  const key = asked === null ? null : JSON.stringify(asked)
  const [round, setRound] = useState(0)
  const [answer, setAnswer] = useState<{ key: string | null; value: T | undefined; error: unknown }>({
    key,
    value: seen.get(key ?? ''),
    error: null,
  })
  const reload = () => setRound((n) => n + 1)

  // Before the screen is drawn: what is asked for is on its way meanwhile.
  useLayoutEffect(() => {
    if (asked === null || key === null) return
    const abort = new AbortController()
    const asking = ahead.get(key) ?? ask(asked, abort.signal)
    ahead.delete(key)
    asking.then(
      (answered) => {
        const before = seen.get(key)
        const value = before !== undefined && JSON.stringify(before) === JSON.stringify(answered) ? before : answered
        seen.set(key, value)
        const now = { key, value, error: null }
        // An answer that is shown already draws nothing again.
        const isShown = (was: typeof answer) => was.key === key && was.value === value && was.error === null
        if (!abort.signal.aborted) setAnswer((was) => (isShown(was) ? was : now))
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setAnswer((before) => ({ ...before, key, error }))
      },
    )
    return () => abort.abort()
  }, [key, round])
  useEffect(() => onChange(reload), [])

  const isStale = answer.key !== key
  return { value: isStale ? (seen.get(key ?? '') ?? answer.value) : answer.value, error: answer.error, isStale, reload }
}
