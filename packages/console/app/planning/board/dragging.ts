import { useState } from 'preact/hooks'
import type { CaseSummary, Rdv } from '../../api/client.js'
import { dateOf, timeOf } from '../../session/zone.js'
import { type AskedSlots, placeOf } from '../questions.js'
import { clockOf, minutesOf } from './clock.js'

/** What is dragged: a visit, or a case without one. */
export interface Held {
  readonly visit: Rdv | null
  readonly dossier: Pick<CaseSummary, 'id' | 'client'> | null
  readonly client: Rdv['client']
  readonly minutes: number
  /** The installer from whom it is dragged. */
  readonly from: number | null
  /** The location of the visit or case, for a search for free times. */
  readonly asked: Partial<AskedSlots>
}

/** The installer and the local time under the pointer. */
export interface Place {
  readonly poseur: number
  readonly wall: string
}

export const heldVisit = (visit: Rdv, from: number): Held => ({
  ...{ visit, from, dossier: null, client: visit.client },
  ...{ minutes: visit.duree_minutes, asked: placeOf(visit) },
})

export const usualMinutes = 90

export const heldCase = (dossier: CaseSummary): Held => ({
  ...{ visit: null, from: null, dossier, client: dossier.client },
  ...{ minutes: usualMinutes, asked: { sav_id: dossier.id } },
})

const snap = 15
/** A press that moves further than this, in pixels, is a drag. */
const stillPress = 5

/**
 * The place below the pointer. In the week, a visit keeps its time. In the day, the position in the column gives the
 * time.
 */
function placeAt({ visit }: Held, { clientX, clientY }: PointerEvent, grabbedY: number): Place | null {
  const target = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-poseur]')
  const { poseur, date = '', free, from, until } = target?.dataset ?? {}
  if (!target || poseur === undefined) return null
  const at = (time: string): Place => ({ poseur: Number(poseur), wall: `${date}T${time}` })
  if (free !== undefined) return at(visit === null ? free : timeOf(visit.debut))
  const box = target.getBoundingClientRect()
  const first = Number(from)
  const ofPixel = (Number(until) - first) / box.height
  const moved = (clientY - grabbedY) * ofPixel
  const minutes =
    visit !== null && dateOf(visit.debut) === date
      ? minutesOf(timeOf(visit.debut)) + Math.round(moved / snap) * snap
      : first + Math.floor(((clientY - box.top) * ofPixel) / snap) * snap
  return at(clockOf(Math.max(0, Math.min(minutes, 24 * 60 - snap))))
}

interface Dragging {
  readonly held: Held | null
  readonly place: Place | null
  /** On `pointerdown`: a press that moves begins to drag. Fingers scroll instead. */
  readonly begin: (event: PointerEvent, what: Held) => void
}

/** @param onDrop called with the place of the drop; the visit stays there until this resolves */
export function useDragging(onDrop: (held: Held, place: Place) => Promise<void>): Dragging {
  const [held, setHeld] = useState<Held | null>(null)
  const [place, setPlace] = useState<Place | null>(null)
  const begin = (event: PointerEvent, what: Held) => {
    if (event.button !== 0 || event.pointerType === 'touch') return
    const { clientX, clientY } = event
    const listening = new AbortController()
    const { signal } = listening
    let isMoving = false
    let now: Place | null = null
    const letGo = () => {
      setHeld(null)
      setPlace(null)
    }
    const move = (moved: PointerEvent) => {
      isMoving ||= Math.hypot(moved.clientX - clientX, moved.clientY - clientY) > stillPress
      if (!isMoving) return
      moved.preventDefault()
      setHeld(what)
      const next = placeAt(what, moved, clientY)
      if (next?.poseur === now?.poseur && next?.wall === now?.wall) return
      now = next
      setPlace(next)
    }
    const end = async () => {
      listening.abort()
      if (!isMoving) return
      swallowClick()
      if (now !== null) await onDrop(what, now)
      letGo()
    }
    const leave = () => {
      listening.abort()
      if (!isMoving) return
      letGo()
      // The mouse button is still pressed: its release must not click anything.
      addEventListener('pointerup', swallowClick, { once: true })
    }
    addEventListener('pointermove', move, { signal })
    addEventListener('pointerup', end, { signal })
    addEventListener('pointercancel', leave, { signal })
    addEventListener('keydown', ({ key }) => key === 'Escape' && leave(), { signal })
  }
  return { held, place, begin }
}

/** The end of a drag must not click the element below. */
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(removeEventListener, 0, 'click', swallow, { capture: true })
}
