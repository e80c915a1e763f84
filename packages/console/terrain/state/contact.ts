import { signal } from '@preact/signals'
import { type DeviceBody, liveKinds, type SessionView } from '../api.js'
import { askForDay } from '../send/asked-day.js'
import { bodyOf, call, type Line } from '../send/calls.js'
import { contacted, wipe } from '../store/profiles.js'
import { saysEnded } from '../sync/answers.js'
import { unsentCount } from '../sync/item.js'
import { words } from '../words/words.js'
import { sayTrouble } from './notices.js'
import { changeDay, clock, close, day, type Own, outbox, own } from './own.js'

/** Whether reports from this phone reach the service as the user who has unlocked it. */
export type Reach = 'unknown' | 'offline' | 'ready' | 'signed-out' | 'other-person' | 'not-field'
export const reach = signal<Reach>('unknown')
/** When the day was last received, in milliseconds since the epoch. */
export const updatedAt = signal<number | null>(null)

export const line: Line = { fetch: (path, init) => fetch(path, init), now: () => Date.now() }

/** The key for the user of the last session: the service does not name the user of an ended session. */
const lastPerson = 'sav-terrain-person'

/**
 * Asks for the signed-in user. Null: none; undefined: the service does not answer. If the office has signed this phone
 * out, the profile of its last user is wiped.
 */
export async function whoIsThere(): Promise<SessionView | null | undefined> {
  try {
    const response = await call(line, clock, '/api/v1/session')
    if (response.status === 401) {
      if (saysEnded(await bodyOf(response))) await ended(localStorage.getItem(lastPerson))
      return null
    }
    if (!response.ok) return undefined
    const { data }: { data: SessionView } = await response.json()
    if (data.utilisateur === null) return null
    localStorage.setItem(lastPerson, data.utilisateur.id)
    await contacted(data.utilisateur.id, Date.now(), clock.aheadMs)
    return data
  } catch {
    return undefined
  }
}

/** Deletes everything of a user whose phone the office has signed out. */
export async function ended(person: string | null): Promise<void> {
  if (person === null) return
  await wipe(person)
  // Removed only after the wipe: if the app ends during it, the next start must know whose data to wipe.
  localStorage.removeItem(lastPerson)
  navigator.serviceWorker?.controller?.postMessage({ is: 'forget', profile: person })
  if (own.peek()?.profile.id === person || own.peek() === null) close()
  sayTrouble(words.value.line.ended)
}

export const isField = ({ permissions }: SessionView): boolean =>
  permissions.some((held) => held === 'terrain' || held === 'admin')

let asking: { readonly here: Own; readonly done: Promise<void> } | undefined

/**
 * Requests the day; calls during a request share it. If the phone is locked meanwhile, the answer is not shown to the
 * next user.
 */
export async function refresh(): Promise<void> {
  const here = own.peek()
  if (here === null) return
  if (asking?.here !== here) {
    const done = ask(here).finally(() => {
      if (asking?.here === here) asking = undefined
    })
    asking = { here, done }
  }
  await asking.done
}

async function ask(here: Own): Promise<void> {
  const who = await whoIsThere()
  // The phone may have been locked, or unlocked by another user, meanwhile.
  if (own.peek() !== here) return
  reach.value = reachOf(who, here.profile.id)
  if (reach.peek() !== 'ready') return
  try {
    if (!(await tellDevice(here))) return
    const { status, become } = await askForDay(line, clock, day.peek())
    if (become !== null) {
      await changeDay(here, become)
      updatedAt.value = Date.now()
    }
    if (status === 403) reach.value = 'not-field'
  } catch {
    reach.value = 'offline'
  }
}

const renewAfterMs = 3_600_000
let deviceTold = { person: '', en_attente: -1, at: 0 }

/**
 * Reports the phone and its number of unsent reports to the office, which extends the session by 30 days. Resolves to
 * false if the service does not know it as a phone. Then the phone must store nothing, because the office could not
 * have it wiped.
 */
async function tellDevice({ profile }: Own): Promise<boolean> {
  const en_attente = unsentCount(outbox.peek())
  const { person, at } = deviceTold
  if (person === profile.id && deviceTold.en_attente === en_attente && Date.now() - at < renewAfterMs) return true
  const [kind = 'Web'] = /iPhone|iPad|Android/.exec(navigator.userAgent) ?? []
  const body: DeviceBody = { nom: `${kind} · ${profile.nom}`.slice(0, 60), en_attente }
  const init = { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  const response = await call(line, clock, '/api/v1/terrain/appareil', init)
  if (response.ok) deviceTold = { person: profile.id, en_attente, at: Date.now() }
  return response.ok || person === profile.id
}

function reachOf(who: SessionView | null | undefined, person: string): Reach {
  if (who === undefined) return 'offline'
  if (who === null) return 'signed-out'
  if (who.utilisateur?.id !== person) return 'other-person'
  return isField(who) ? 'ready' : 'not-field'
}

const pollMs = 120_000
const burstMs = 500

/** Requests the day on an event of the service, when the user comes back to the page, and periodically. */
export function keepUpToDate(): void {
  let events: EventSource | undefined
  let burst: ReturnType<typeof setTimeout> | undefined
  const soon = () => {
    clearTimeout(burst)
    burst = setTimeout(() => void refresh(), burstMs)
  }
  const listen = () => {
    events?.close()
    events = undefined
    if (own.peek() === null || document.visibilityState !== 'visible' || reach.peek() !== 'ready') return
    events = new EventSource('/api/v1/evenements')
    for (const kind of liveKinds) events.addEventListener(kind, soon)
    events.addEventListener('replaced', () => events?.close())
    // The service has closed the stream, and refuses a new one: the office may have signed this phone out.
    events.addEventListener('error', () => {
      if (events?.readyState === EventSource.CLOSED) soon()
    })
  }
  const comeBack = () => {
    if (document.visibilityState === 'visible') void refresh()
    else listen()
  }
  document.addEventListener('visibilitychange', comeBack)
  addEventListener('online', comeBack)
  addEventListener('offline', () => {
    if (own.peek() !== null) reach.value = 'offline'
  })
  reach.subscribe(listen)
  own.subscribe((here) => {
    reach.value = 'unknown'
    updatedAt.value = null
    if (here !== null) void refresh()
  })
  setInterval(comeBack, pollMs)
}
