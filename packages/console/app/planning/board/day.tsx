import { useEffect, useReducer } from 'preact/hooks'
import { type Poseur, type Rdv, serverNow } from '../../api/client.js'
import { dateOf, instantOf, timeOf, wallOf } from '../../session/zone.js'
import { words } from '../../words/words.js'
import { type BoardView, visitsWith } from './board.js'
import { clockOf, minutesOf } from './clock.js'
import { heldVisit } from './dragging.js'
import { PoseurHead } from './poseur-head.js'
import { Ghost, isOver, VisitCard } from './visit-card.js'

/** Minutes since midnight. */
interface Span {
  readonly from: number
  readonly until: number
}

const lastMinute = 24 * 60

/** The part of a visit that falls on a day. All times are local. */
function onDay(debut: string, fin: string, day: string): Span {
  return {
    from: debut.slice(0, 10) < day ? 0 : minutesOf(debut.slice(11)),
    until: fin.slice(0, 10) > day ? lastMinute : minutesOf(fin.slice(11)),
  }
}

/** The hours shown: the usual ones, extended to include all visits. */
function hoursOf(visits: readonly Rdv[], day: string): Span {
  const spans = visits.map(({ debut, fin }) => onDay(wallOf(debut), wallOf(fin), day))
  return {
    from: Math.min(7 * 60, ...spans.map(({ from }) => Math.floor(from / 60) * 60)),
    until: Math.max(19 * 60, ...spans.map(({ until }) => Math.ceil(until / 60) * 60)),
  }
}

/** The day: one column for each installer, with a height for each shown hour. */
export function Day(props: BoardView) {
  const { date, poseurs, visits } = props
  const hours = hoursOf(visits, date)
  const count = (hours.until - hours.from) / 60
  return (
    <div class="planning day" style={{ '--hours': String(count) }}>
      <div class="day-heads">
        {poseurs.map((poseur) => (
          <PoseurHead key={poseur.id} {...props} poseur={poseur} />
        ))}
      </div>
      <div class="day-body">
        <div class="day-hours" aria-hidden="true">
          {Array.from({ length: count }, (_, at) => (
            <span key={at}>{clockOf(hours.from + at * 60)}</span>
          ))}
        </div>
        {poseurs.map((poseur) => (
          <Column key={poseur.id} {...props} poseur={poseur} hours={hours} ofDay={visitsWith(visits, poseur.id)} />
        ))}
        <Now date={date} hours={hours} />
      </div>
    </div>
  )
}

/** The position of a span in its column. */
const placed = ({ from, until }: Span, hours: Span) => ({
  '--from': String((Math.max(from, hours.from) - hours.from) / 60),
  '--long': String((Math.min(until, hours.until) - Math.max(from, hours.from)) / 60),
})

/** How many earlier visits overlap each one: later ones are shown a little to the right. */
function depths(ofDay: readonly Rdv[]): readonly number[] {
  return ofDay.map((visit, at) => ofDay.slice(0, at).filter(({ fin }) => fin > visit.debut).length)
}

interface ColumnProps extends BoardView {
  readonly poseur: Poseur
  readonly hours: Span
  readonly ofDay: readonly Rdv[]
}

/** A visit of at least this many minutes has room to show its time. */
const roomForTime = 30

function Column({ date, poseur, hours, ofDay, away, off, ...board }: ColumnProps) {
  const { hrefOf, onHold, onEmpty, held, place, conflict } = board
  const { id } = poseur
  const depth = depths(ofDay)
  const here = held !== null && place?.poseur === id && dateOf(instantOf(place.wall)) === date ? place : null
  const begin = (event: MouseEvent) => {
    const { currentTarget, target, clientY } = event
    if (target !== currentTarget || !(currentTarget instanceof Element)) return
    const { top, height } = currentTarget.getBoundingClientRect()
    const half = Math.floor((((clientY - top) / height) * (hours.until - hours.from)) / 30) * 30
    onEmpty?.({ poseur: id, wall: `${date}T${clockOf(hours.from + half)}` })
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a button above begins a visit as well
    // biome-ignore lint/a11y/noStaticElementInteractions: the empty hours of a column
    <div
      class="day-column"
      data-poseur={id}
      data-date={date}
      data-from={hours.from}
      data-until={hours.until}
      onClick={begin}
    >
      {off
        .filter((each) => each.poseur === id)
        .map((each) => (
          <div key={each.debut} class="day-off" style={placed(onDay(each.debut, each.fin, date), hours)} />
        ))}
      {away
        .filter((each) => each.poseur === id && dateOf(each.debut) <= date && wallOf(each.fin) > `${date}T00:00`)
        .map((each) => (
          <p key={each.debut} class="day-away" style={placed(onDay(wallOf(each.debut), wallOf(each.fin), date), hours)}>
            {each.motif || words.value.planning.away}
          </p>
        ))}
      {ofDay.map((visit, at) => (
        <VisitCard
          key={visit.id}
          visit={visit}
          poseur={poseur}
          href={hrefOf(visit)}
          parts={visit.duree_minutes < roomForTime ? 'name' : 'day'}
          isHeld={held?.visit?.id === visit.id}
          onPointerDown={onHold && !isOver(visit) ? (event) => onHold(event, heldVisit(visit, id)) : undefined}
          style={{
            ...placed(onDay(wallOf(visit.debut), wallOf(visit.fin), date), hours),
            '--depth': String(depth[at]),
          }}
        />
      ))}
      {held && here && (
        <Ghost held={held} place={here} conflict={conflict} style={placed(spanAt(here.wall, held.minutes), hours)} />
      )}
    </div>
  )
}

const spanAt = (wall: string, minutes: number): Span => {
  const from = minutesOf(wall.slice(11))
  return { from, until: Math.min(lastMinute, from + minutes) }
}

/** A line at the current minute. */
function Now({ date, hours }: { readonly date: string; readonly hours: Span }) {
  const [, draw] = useReducer((n: number, _: undefined) => n + 1, 0)
  useEffect(() => {
    const timer = setInterval(draw, 60_000, undefined)
    return () => clearInterval(timer)
  }, [])
  const now = new Date(serverNow()).toISOString()
  const minutes = minutesOf(timeOf(now))
  if (dateOf(now) !== date || minutes < hours.from || minutes > hours.until) return null
  return <div class="day-now" style={placed({ from: minutes, until: minutes }, hours)} />
}
