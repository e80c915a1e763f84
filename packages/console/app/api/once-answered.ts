import { useEffect, useState } from 'preact/hooks'

/**
 * Enter in a field that searches: what is meant by it waits for the answer to all that is typed.
 * @param typed without spaces around it
 * @param isAnswered whether what is found is the answer to just that
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
