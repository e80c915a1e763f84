import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { onChange } from './changes.js'

/** A question to the API, with previous answers, so that a revisited screen shows something at once. */
export interface Question<Query, T> {
  /** Asks the API. The answer must be JSON data, since two answers are compared by their JSON. */
  readonly ask: (asked: Query, signal: AbortSignal) => Promise<T>
  readonly seen: Map<string, T>
  /** Calls made in advance, before their screen exists. */
  readonly ahead: Map<string, Promise<T>>
}

const questions = new Set<Pick<Map<string, unknown>, 'clear'>>()
/** How long a call made in advance is kept for its screen: an older answer would be outdated. */
const aheadMs = 10_000

export function question<Query, T>(ask: (asked: Query, signal: AbortSignal) => Promise<T>): Question<Query, T> {
  const seen = new Map<string, T>()
  const ahead = new Map<string, Promise<T>>()
  questions.add(seen).add(ahead)
  return { ask, seen, ahead }
}

/**
 * Asks for what a screen will need, while its script is still loading. The screen then uses this call instead of its
 * own.
 */
export function askAhead<Query, T>({ ask, seen, ahead }: Question<Query, T>, asked: Query): void {
  const key = JSON.stringify(asked)
  if (ahead.has(key)) return
  const asking = ask(asked, new AbortController().signal)
  ahead.set(key, asking)
  const forget = () => ahead.get(key) === asking && ahead.delete(key)
  setTimeout(forget, aheadMs)
  // A failure is reported by the screen that uses this call.
  asking.then((answered) => ahead.get(key) === asking && seen.set(key, answered), forget)
}

/** Forgets all answers, so that the next user sees nothing of the previous one. */
export function forgetAnswers(): void {
  for (const seen of questions) seen.clear()
}

/** The state of a question. */
export interface ReadState<T> {
  /** The last answer; undefined until there is one. It stays the same object if a new answer is equal. */
  readonly value: T | undefined
  /** Why the last try failed; the value is kept. */
  readonly error: unknown
  /** True while the value answers the previous question. */
  readonly isStale: boolean
  readonly reload: () => void
}

/**
 * Asks the API, and asks again when something has changed. Until a new answer arrives, the previous one stays.
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

  // Asks before the browser paints the screen, so that the call is already under way while it paints.
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
        // If the answer is the one that is already shown, nothing is rendered again.
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
