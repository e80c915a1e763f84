import { base, to } from './address.js'

/** Where the user was when the session ended; null: the user is unknown. */
interface WayBack {
  readonly person: string | null
  readonly address: string
  readonly at: number
}

const kept = 'sav-way-back'
const keptForMs = 86_400_000

const isAtBegin = () => [base, to('/'), to('/connexion')].includes(location.pathname)

/**
 * Stores in this browser which screen is open. A sign-in by a link, or on a page of the provider or the host, may
 * return to the first screen; `goBack` then opens the stored one. Search texts are stored only in this tab, since
 * others may use the browser.
 */
export function keepWayBack(person: string | null): void {
  if (isAtBegin()) return
  const way: WayBack = { person, address: location.pathname, at: Date.now() }
  localStorage.setItem(kept, JSON.stringify(way))
  sessionStorage.setItem(kept, JSON.stringify({ ...way, address: location.pathname + location.search }))
}

export function forgetWayBack(): void {
  localStorage.removeItem(kept)
  sessionStorage.removeItem(kept)
}

/** Returns to the stored screen, once. Does nothing if the user has already gone to another screen. */
export function goBack(person: string): void {
  const way: WayBack | null = JSON.parse(sessionStorage.getItem(kept) ?? localStorage.getItem(kept) ?? 'null')
  if (way === null) return
  forgetWayBack()
  const isMeant = (way.person ?? person) === person && Date.now() - way.at < keptForMs
  if (isMeant && isAtBegin() && way.address.startsWith(`${base}/`)) history.replaceState(null, '', way.address)
}
