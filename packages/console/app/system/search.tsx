import { useEffect, useRef, useState } from 'preact/hooks'
import { words } from '../words/words.js'
import { Icon } from './icons.js'

/** @returns false where the page has no such field */
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

/** Searches while somebody types; `/` leads to the field (`focusSearch`). */
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
