import { useEffect, useRef, useState } from 'preact/hooks'
import { words } from '../words/words.js'
import { Icon } from './icons.js'

/** Focuses the search field. @returns false if the page has none */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main .searching input')
  field?.focus()
  return field !== null
}

interface SearchProps {
  readonly value: string
  /** What is searched. */
  readonly hint: string
  readonly onSearch: (text: string | undefined) => void
}

/** Searches while the user types; `/` focuses the field (`focusSearch`). */
export function Search({ value, hint, onSearch }: SearchProps) {
  const [typed, setTyped] = useState(value)
  const latest = useRef(onSearch)
  latest.current = onSearch
  const asked = useRef(value)
  useEffect(() => {
    // A value that was not typed here comes from a link, or from going back. It replaces the typed text.
    if (value !== asked.current) setTyped(value)
    asked.current = value
  }, [value])
  useEffect(() => {
    if (typed.trim() === asked.current) return
    const timer = setTimeout(() => {
      asked.current = typed.trim()
      latest.current(asked.current || undefined)
    }, 150)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <search class="searching">
      <Icon name="search" size={17} />
      <input
        type="search"
        aria-label={words.value.search}
        placeholder={hint}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </search>
  )
}
