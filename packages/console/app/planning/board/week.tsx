import type { Poseur, Rdv } from '../../api/client.js'
import { dateOf, dayName, daysAfter, instantOf, shortDayName, timeOf, today } from '../../session/zone.js'
import { words } from '../../words/words.js'
import type { Off } from '../hours.js'
import { type Away, type BoardView, freeFrom, visitsWith } from './board.js'
import { heldVisit } from './dragging.js'
import { PoseurHead } from './poseur-head.js'
import { Ghost, isOver, VisitCard } from './visit-card.js'

/** A row for each installer, a column for each day, all on one screen. */
export function Week(props: BoardView) {
  const { date, poseurs, visits, off } = props
  const dates = Array.from({ length: 7 }, (_, day) => daysAfter(date, day))
  const byDay = new Map(dates.map((day) => [day, visits.filter(({ debut }) => dateOf(debut) === day)]))
  /** A weekend day without visits. */
  const isNarrow = (day: string, at: number) =>
    at > 4 && byDay.get(day)?.length === 0 && poseurs.every(({ id }) => off.some((each) => isWhole(each, id, day)))
  return (
    <table class="planning week">
      <colgroup>
        <col class="week-names" />
        {dates.map((day, at) => (
          <col key={day} class={isNarrow(day, at) ? 'week-narrow' : undefined} />
        ))}
      </colgroup>
      <thead>
        <tr>
          <td />
          {dates.map((day, at) => (
            <th key={day} scope="col" class={day === today() ? 'week-today' : undefined} title={dayName(day)}>
              {isNarrow(day, at) ? shortDayName(day).split(' ', 2).join(' ') : shortDayName(day)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {poseurs.map((poseur) => (
          <tr key={poseur.id}>
            <th scope="row">
              <PoseurHead
                {...props}
                poseur={poseur}
                date={today() > date && today() < daysAfter(date, 7) ? today() : date}
              />
            </th>
            {dates.map((day) => (
              <Cell
                key={day}
                {...props}
                day={day}
                poseur={poseur}
                ofDay={visitsWith(byDay.get(day) ?? [], poseur.id)}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const isWhole = ({ poseur, debut, fin }: Off, id: number, day: string) =>
  poseur === id && debut === `${day}T00:00` && fin === `${daysAfter(day, 1)}T00:00`

/** Days with more visits than this show each visit on one line. */
const fewVisits = 2

interface CellProps extends BoardView {
  readonly day: string
  readonly poseur: Poseur
  readonly ofDay: readonly Rdv[]
}

function Cell({ day, poseur, ofDay, away, off, hrefOf, onHold, onEmpty, held, place, conflict }: CellProps) {
  const { id } = poseur
  const free = freeFrom(
    ofDay,
    off.filter((each) => each.poseur === id),
    day,
  )
  const isOff = off.some((each) => isWhole(each, id, day))
  const here = held !== null && place?.poseur === id && place.wall.startsWith(day) ? place : null
  const absences = away.filter((each) => each.poseur === id && isOn(each, day))
  const classes = [isOff && 'week-off', absences.length > 0 && 'week-away', day === today() && 'week-today']
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a button above begins a visit as well
    <td
      class={classes.filter(Boolean).join(' ') || undefined}
      data-poseur={id}
      data-date={day}
      data-free={free}
      onClick={({ target, currentTarget }) =>
        target === currentTarget && onEmpty?.({ poseur: id, wall: `${day}T${free}` })
      }
    >
      {absences.map((each) => (
        <p key={each.debut} class="away-band">
          {wordOf(each, day)}
        </p>
      ))}
      {ofDay.map((visit) => (
        <VisitCard
          key={visit.id}
          visit={visit}
          poseur={poseur}
          href={hrefOf(visit)}
          parts={ofDay.length > fewVisits ? 'line' : 'two-lines'}
          isHeld={held?.visit?.id === visit.id}
          onPointerDown={onHold && !isOver(visit) ? (event) => onHold(event, heldVisit(visit, id)) : undefined}
        />
      ))}
      {held && here && <Ghost held={held} place={here} conflict={conflict} />}
    </td>
  )
}

const isOn = ({ debut, fin }: Away, day: string) =>
  debut < instantOf(`${daysAfter(day, 1)}T00:00`) && fin > instantOf(`${day}T00:00`)

/** The reason for the absence, with its hours if it is not for the whole day. */
function wordOf({ debut, fin, motif }: Away, day: string): string {
  const from = dateOf(debut) === day ? timeOf(debut) : '00:00'
  const until = dateOf(fin) === day ? timeOf(fin) : '00:00'
  const name = motif || words.value.planning.away
  return from === '00:00' && until === '00:00' ? name : `${name} ${from} – ${until}`
}
