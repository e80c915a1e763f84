import {
  type Calendar,
  createCalendar,
  destroyCalendar,
  Interaction,
  ResourceTimeGrid,
  ResourceTimeline,
} from '@event-calendar/core'
import '@event-calendar/core/index.css'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Poseur, Rdv } from '../api/client.js'
import { colourOf } from '../directory/poseur-form.js'
import { daysAfter, instantOf, timeOf, wallOf } from '../session/zone.js'
import { isolated, personName } from '../words/formats.js'
import { locale, words } from '../words/words.js'
import type { Off } from './hours.js'

/** A time at which somebody is not there. */
export interface Away {
  readonly poseur: number
  readonly debut: string
  readonly fin: string
  readonly motif: string | null
}

/** Where a visit is held, or was let go: by the wall clock of the shop. */
export interface Spot {
  readonly visit: Rdv
  readonly wall: string
  readonly minutes: number
  /** Who was to do it, and who is to do it now. */
  readonly from: number
  readonly to: number
}

interface CalendarProps {
  readonly view: 'week' | 'day'
  /** The first day that is shown. */
  readonly date: string
  readonly poseurs: readonly Poseur[]
  readonly visits: readonly Rdv[]
  readonly away: readonly Away[]
  readonly off: readonly Off[]
  readonly canMove: boolean
  readonly onOpen: (visit: Rdv) => void
  readonly onPick: (visit: Rdv) => void
  /** While a visit is held over a time. */
  readonly onHover: (spot: Spot) => void
  /** What is in the way there; null: nothing. */
  readonly conflictAt: (spot: Spot) => string | null
  readonly onLetGo: () => void
  /** @param revert puts it back where it was */
  readonly onDrop: (spot: Spot, revert: () => void) => void
}

/** What stays where it is: an end has no way back. */
const isOver = ({ statut }: Rdv) => statut === 'realise' || statut === 'absent' || statut === 'annule'

/** The week, a row for each installer, or the day, a column for each. */
export function PlanningCalendar(props: CalendarProps) {
  const target = useRef<HTMLDivElement>(null)
  const shown = useRef<Calendar>(null)
  const latest = useRef(props)
  const round = useRef(0)
  latest.current = props
  const options = { locale: locale.value, ...optionsOf(props) }
  const now = changing.map((name) => JSON.stringify(options[name]))
  const drawn = useRef(now)

  // Before the page is drawn: what stands around the calendar need not be laid out twice.
  useLayoutEffect(() => {
    if (target.current === null) return undefined
    const made = createCalendar(target.current, [ResourceTimeline, ResourceTimeGrid, Interaction], {
      ...options,
      ...handlers(() => latest.current),
    })
    shown.current = made
    const { current } = target
    // A visit that has the focus keeps it when it is drawn again.
    let focused: string | undefined
    const focusing = () => {
      focused = idOf(document.activeElement)
    }
    document.addEventListener('focusin', focusing)
    document.addEventListener('pointerdown', focusing)
    const observer = new MutationObserver(() => {
      withoutRoles(current)
      const isLost = focused !== undefined && document.activeElement === document.body
      if (isLost) current.querySelector<HTMLElement>(`.${focused}`)?.focus()
    })
    observer.observe(current, { childList: true, subtree: true, attributeFilter: ['role', ...ofTables] })
    withoutRoles(current)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', focusing)
      document.removeEventListener('pointerdown', focusing)
      shown.current = null
      void destroyCalendar(made)
    }
  }, [])

  useLayoutEffect(() => {
    const { current } = shown
    const isOtherLanguage = now[0] !== drawn.current[0]
    const changed = changing.filter((_, at) => isOtherLanguage || now[at] !== drawn.current[at])
    if (current === null || changed.length === 0) return undefined
    for (const name of changed) current.setOption(name, options[name])
    drawn.current = now
    // Drawn by the next turn. What came in place of other events was measured before it had a height: another gap, be it
    // by a hundredth of a pixel, has the calendar measure again.
    const timer = setTimeout(() => {
      round.current += 1
      current.setOption('eventGap', 3 + (round.current % 2) / 100)
    })
    return () => clearTimeout(timer)
  }, now)

  return <div class={`planning planning-${props.view}`} ref={target} />
}

/** The class that names the visit of an event, also when it is drawn again. */
const idClass = (id: number) => `visit-${id}`
const idOf = (element: Element | null) => [...(element?.classList ?? [])].find((name) => /^visit-\d+$/.test(name))

/**
 * What the calendar calls a table has no cells where its columns are days of people, and what it calls a button is an
 * article: readers are told of articles, which Enter opens.
 */
function withoutRoles(calendar: HTMLElement): void {
  const parts = 'table rowgroup row rowheader columnheader cell button'.split(' ').map((role) => `[role=${role}]`)
  for (const part of calendar.querySelectorAll(parts.join())) part.removeAttribute('role')
  for (const name of ofTables) {
    for (const part of calendar.querySelectorAll(`[${name}]`)) part.removeAttribute(name)
  }
}

const ofTables = ['aria-colindex', 'aria-colspan']

/** What the calendar is told again where it is another. */
const changing = ['locale', 'date', 'view', 'resources', 'events', 'slotMinTime', 'slotMaxTime'] as const

const views = { week: 'resourceTimelineWeek', day: 'resourceTimeGridDay' } as const

function optionsOf({ view, date, poseurs, visits, away, off, canMove }: CalendarProps) {
  const hours = visits.flatMap(({ debut, fin }) => [
    Number(timeOf(debut).slice(0, 2)),
    Number(timeOf(fin).slice(0, 2)) + 1,
  ])
  const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`
  return {
    view: views[view],
    date,
    resources: poseurs.map(({ id, nom }) => ({ id: String(id), title: nom })),
    events: [
      ...visits.map((visit) => eventOf(visit, poseurs, canMove)),
      ...away.map((each) => awayEvent(each, view)),
      ...off.flatMap((each) => offEvent(each, view)),
    ],
    slotMinTime: clock(Math.min(7, ...hours)),
    slotMaxTime: clock(Math.max(19, ...hours)),
  }
}

function eventOf(visit: Rdv, poseurs: readonly Poseur[], canMove: boolean): Calendar.EventInput {
  const { id, debut, fin, poseur, equipiers, statut } = visit
  return {
    id: String(id),
    start: wallOf(debut),
    end: wallOf(fin),
    resourceIds: [poseur.id, ...equipiers.map((each) => each.id)].map(String),
    title: personName(visit.client),
    startEditable: canMove && !isOver(visit),
    styles: [`--visit: ${colourOf(poseurs.find((each) => each.id === poseur.id)) ?? 'var(--accent)'}`],
    classNames: [`visit-${statut}`, idClass(id)],
    extendedProps: { visit },
  }
}

/** A week shows whole days alone. */
const awayEvent = ({ poseur, debut, fin, motif }: Away, view: CalendarProps['view']): Calendar.EventInput => ({
  allDay: view === 'week',
  start: wallOf(debut),
  end: wallOf(fin),
  resourceIds: [String(poseur)],
  display: 'background',
  title: motif ?? words.value.planning.away,
  classNames: ['away'],
})

/** A week shows whole days alone. */
function offEvent({ poseur, debut, fin }: Off, view: CalendarProps['view']): Calendar.EventInput[] {
  const isWholeDay = fin === `${daysAfter(debut.slice(0, 10), 1)}T00:00` && debut.endsWith('T00:00')
  if (view === 'week' && !isWholeDay) return []
  return [
    {
      allDay: view === 'week',
      start: debut,
      end: fin,
      resourceIds: [String(poseur)],
      display: 'background',
      title: '',
      classNames: ['off'],
    },
  ]
}

/** What is asked of the props as they are when it happens. */
function handlers(now: () => CalendarProps): Calendar.Options {
  const visitOf = (event: Calendar.Event) => now().visits.find(({ id }) => String(id) === event.id)
  const spotOf = (
    event: Calendar.Event,
    from: string | number | undefined,
    to: string | number | undefined,
  ): Spot | null => {
    const visit = visitOf(event)
    if (visit === undefined) return null
    return {
      visit,
      wall: wallOfLocal(event.start),
      minutes: visit.duree_minutes,
      from: Number(from ?? visit.poseur.id),
      to: Number(to ?? from ?? visit.poseur.id),
    }
  }
  /** Where an event is dragged to, also from another installer. */
  const heldAt = (event: Calendar.Event): Spot | null => {
    const visit = visitOf(event)
    if (visit === undefined) return null
    const before = [visit.poseur, ...visit.equipiers].map(({ id }) => String(id))
    const after = event.resourceIds.map(String)
    return spotOf(
      event,
      before.find((id) => !after.includes(id)),
      after.find((id) => !before.includes(id)),
    )
  }
  return {
    headerToolbar: { start: '', center: '', end: '' },
    allDaySlot: false,
    firstDay: 1,
    eventDurationEditable: false,
    nowIndicator: true,
    height: 'auto',
    views: {
      resourceTimelineWeek: { slotDuration: { days: 1 }, slotWidth: 150 },
      resourceTimeGridDay: { slotDuration: '00:30', snapDuration: '00:15', slotHeight: 26 },
    },
    dayHeaderFormat: { weekday: 'short', day: 'numeric', month: 'short' },
    eventContent: ({ event }) => {
      const visit = visitOf(event)
      if (visit === undefined) return awayContent(event)
      if (event.display !== 'preview') return { domNodes: visitContent(visit) }
      const spot = heldAt(event)
      return { domNodes: spot === null ? [] : heldContent(spot, now().conflictAt(spot)) }
    },
    eventClick: ({ event }) => {
      const visit = visitOf(event)
      if (visit !== undefined) now().onOpen(visit)
    },
    eventDragStart: ({ event }) => {
      const visit = visitOf(event)
      if (visit !== undefined) now().onPick(visit)
    },
    eventDragStop: () => now().onLetGo(),
    dragConstraint: ({ event }) => {
      const spot = heldAt(event)
      if (spot !== null) now().onHover(spot)
      return true
    },
    eventDrop: ({ event, oldResource, newResource, revert }) => {
      const spot = spotOf(event, oldResource?.id, newResource?.id)
      if (spot === null) revert()
      else now().onDrop(spot, revert)
    },
  }
}

/** The calendar counts wall clocks in dates of this browser's own zone. */
function wallOfLocal(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

const awayContent = (event: Calendar.Event) => ({ domNodes: [element('span', 'away-reason', String(event.title))] })

function visitContent(visit: Rdv): Node[] {
  const t = words.value.rdv
  const { debut, fin, type, statut, client, lieu, sav } = visit
  return [
    element('span', 'visit-time', `${timeOf(debut)} – ${timeOf(fin)}`),
    element('strong', 'visit-name', personName(client)),
    element(
      'span',
      'visit-more',
      [t.type[type], lieu?.ville && isolated(lieu.ville), sav?.reference].filter(Boolean).join(' · '),
    ),
    element('span', 'visit-state', t.statut[statut]),
  ]
}

/** The content of the copy that follows the mouse: the time at which it would be, and what is in the way. */
function heldContent({ visit, wall, minutes }: Spot, conflict: string | null): Node[] {
  const until = wallOf(Date.parse(instantOf(wall)) + minutes * 60_000)
  return [
    element('span', 'visit-time', `${wall.slice(11)} – ${until.slice(11)}`),
    element('strong', 'visit-name', personName(visit.client)),
    ...(conflict === null ? [] : [element('span', 'visit-clash', conflict)]),
  ]
}

function element(name: 'span' | 'strong', className: string, text: string): HTMLElement {
  const made = document.createElement(name)
  made.className = className
  made.textContent = text
  return made
}
