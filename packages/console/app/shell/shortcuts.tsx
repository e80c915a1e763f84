import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { to } from '../session/address.js'
import { has, may } from '../session/session.js'
import { isBare } from '../system/bare-key.js'
import { focusSearch } from '../system/search.js'
import { preload } from './screens.js'

type What = 'finder' | 'keys'

/**
 * The dialog that is open over the screen. Each opening has its own id, so that a late `close` event of an earlier
 * dialog does not close the current one.
 */
const over = signal<{ readonly what: What; readonly id: number } | null>(null)
let last = 0

function openOver(what: What): void {
  last += 1
  over.value = { what, id: last }
}

export function openFinder(): void {
  // A finder that is already open keeps its typed text.
  if (document.querySelector('dialog[open] .finder') === null) openOver('finder')
}

/** The form that the key `n` opens on each screen. */
const newOf = [
  { screen: '/planning', begins: '/planning/nouveau', permission: 'planning:write' },
  { screen: '/clients', begins: '/clients/nouveau', permission: 'directory:write' },
  { screen: '', begins: '/dossiers/nouveau', permission: 'sav:write' },
]

/** The keys that do the same on every screen: Ctrl-K, `/`, `n` and `?`. */
export function Shortcuts() {
  const { path, route } = useLocation()
  useEffect(() => {
    // Loads the search and the planning in advance, in case the network fails later. The planning takes longest to
    // load, and phones do not show it.
    const isWide = matchMedia('(min-width: 1021px)').matches
    const timer = setTimeout(async () => {
      await load().catch(() => null)
      if (isWide && may('planning:read')) await preload(to('/planning')).catch(() => null)
    }, preloadMs)
    return () => clearTimeout(timer)
  }, [])
  // Attached before the screen is painted, so that a key pressed at that moment already applies to this screen.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const pressed = keyOf(event)
      if (pressed === null) return
      const begun = newOf.find(({ screen }) => path.startsWith(to(screen)))
      if (pressed === '?') openOver('keys')
      else if (pressed === 'n' && begun !== undefined && may(begun.permission)) route(to(begun.begins))
      else if (pressed === '/' && focusSearch()) over.value = null
      else if (pressed !== 'n' && may('sav:read') && has('insight')) openFinder()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [path, route])
  const opened = over.value
  if (opened === null) return null
  const close = () => {
    if (over.peek() === opened) over.value = null
  }
  return <Over key={opened.id} what={opened.what} onClose={close} />
}

function keyOf(event: KeyboardEvent): 'find' | '/' | 'n' | '?' | null {
  const { key, ctrlKey, metaKey, altKey } = event
  if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey) return 'find'
  if (!isBare(event)) return null
  return key === '/' || key === 'n' || key === '?' ? key : null
}

const preloadMs = 1000
type FinderModule = typeof import('./finder.js')
let loaded: FinderModule | null = null

/**
 * The code of the search. It is loaded shortly after the first screen, so that Ctrl-K opens the search at once and no
 * typed text is lost.
 */
const load = async (): Promise<FinderModule> => {
  loaded ??= await import('./finder.js')
  return loaded
}

function Over({ what, onClose }: { readonly what: What; readonly onClose: () => void }) {
  const [finder, setFinder] = useState(loaded)
  useEffect(() => void load().then(setFinder, onClose), [])
  if (finder === null) return null
  return what === 'finder' ? <finder.Finder onClose={onClose} /> : <finder.Keys onClose={onClose} />
}
