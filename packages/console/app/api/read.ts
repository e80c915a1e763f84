import { useEffect, useState } from 'preact/hooks'
import { onChange } from './changes.js'

/** Something to ask of the API, with the answers that were had: what was seen is there at once when somebody comes back. */
export interface Question<Asked, T> {
  /** The answer is JSON: by that it is told whether it is another. */
  readonly ask: (asked: Asked, signal: AbortSignal) => Promise<T>
  readonly seen: Map<string, T>
}

const questions = new Set<Pick<Map<string, unknown>, 'clear'>>()

export function question<Asked, T>(ask: (asked: Asked, signal: AbortSignal) => Promise<T>): Question<Asked, T> {
  const seen = new Map<string, T>()
  questions.add(seen)
  return { ask, seen }
}

/** When somebody else signs in, nothing of before is there. */
export function forgetAnswers(): void {
  for (const seen of questions) seen.clear()
}

/** What is known of something that was asked for. */
export interface Reading<T> {
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
export function useRead<Asked, T>({ ask, seen }: Question<Asked, T>, asked: Asked | null): Reading<T> {
  const key = asked === null ? null : JSON.stringify(asked)
  const [round, setRound] = useState(0)
  const [answer, setAnswer] = useState<{ key: string | null; value: T | undefined; error: unknown }>({
    key,
    value: seen.get(key ?? ''),
    error: null,
  })
  const reload = () => setRound((n) => n + 1)

  useEffect(() => {
    if (asked === null || key === null) return
    const abort = new AbortController()
    ask(asked, abort.signal).then(
      (answered) => {
        const before = seen.get(key)
        const value = before !== undefined && JSON.stringify(before) === JSON.stringify(answered) ? before : answered
        seen.set(key, value)
        if (!abort.signal.aborted) setAnswer({ key, value, error: null })
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
