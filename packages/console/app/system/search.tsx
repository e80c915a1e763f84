import { useEffect, useRef, useState } from 'preact/hooks'
import { words } from '../words/words.js'
import { Icon } from './icons.js'

/** Whoever types into a field means the field. */
export const isBare = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  !ctrlKey && !metaKey && !altKey && !(target instanceof HTMLElement && target.matches('input, textarea, select'))

interface SearchProps {
  readonly value: string
  /** What is searched. */
  readonly hint: string
  readonly onSearch: (text: string | undefined) => void
}

/** Searches while somebody types; `/` leads to it. */
export function Search({ value, hint, onSearch }: SearchProps) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value)
  const latest = useRef(onSearch)
  latest.current = onSearch
  useEffect(() => {
    if (document.activeElement !== input.current) setTyped(value)
  }, [value])
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => latest.current(typed.trim() || undefined), 150)
    return () => clearTimeout(timer)
  }, [typed, value])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || !isBare(event)) return
      event.preventDefault()
      input.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <search class="searching">
      <Icon name="search" size={17} />
      <input
        ref={input}
        type="search"
        aria-label={words.value.search}
        placeholder={hint}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </search>
  )
}
