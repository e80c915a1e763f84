import { useEffect, useState } from 'preact/hooks'

/**
 * Makes Enter in a search field wait for the answer to the whole typed text before it acts.
 * @param typed the trimmed text
 * @param isAnswered whether the results are the answer to exactly that text
 */
export function useOnceAnswered(typed: string, isAnswered: boolean, act: () => void) {
  const [awaited, setAwaited] = useState<string | null>(null)
  useEffect(() => {
    if (!isAnswered || awaited !== typed) return
    setAwaited(null)
    act()
  }, [isAnswered, awaited, typed])
  return { enter: () => setAwaited(typed), forget: () => setAwaited(null) }
}
