import { base, to } from './address.js'

/** Where somebody was when the session ended; null: by whom it was asked for is not known. */
interface WayBack {
  readonly person: string | null
  readonly address: string
  readonly at: number
}

const kept = 'sav-way-back'
const keptForMs = 86_400_000

const isAtBegin = () => [base, to('/'), to('/connexion')].includes(location.pathname)

/**
 * Keeps in this browser which screen is open, for a sign-in by a link or a page that leads to the first screen. What was
 * searched for there is kept in this tab only: others may use the browser.
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

/** Back to that screen, once; where somebody has gone to another one already, they stay there. */
export function goBack(person: string): void {
  const way: WayBack | null = JSON.parse(sessionStorage.getItem(kept) ?? localStorage.getItem(kept) ?? 'null')
  if (way === null) return
  forgetWayBack()
  const isMeant = (way.person ?? person) === person && Date.now() - way.at < keptForMs
  if (isMeant && isAtBegin() && way.address.startsWith(`${base}/`)) history.replaceState(null, '', way.address)
}
