import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { Poseur, Rdv } from '../api/client.js'
import { useRead } from '../api/read.js'
import { allPoseurs } from '../directory/questions.js'
import { to, withQuery } from '../session/address.js'
import { may } from '../session/session.js'
import { dateOf, dayName, daysAfter, instantOf, today, weekName } from '../session/zone.js'
import { Answered } from '../system/answered.js'
import { Labelled } from '../system/bits.js'
import { Icon } from '../system/icons.js'
import { Empty, Page } from '../system/page.js'
import { words } from '../words/words.js'
import { visitsWith } from './board/board.js'
import { Day } from './board/day.js'
import { type Place, useDragging } from './board/dragging.js'
import { conflictAt, hintFor } from './board/spot-hint.js'
import { seesCases, showsCases, ToPlan, toggleCases } from './board/to-plan.js'
import { Week } from './board/week.js'
import { DateSteps } from './date-steps.js'
import { offOn } from './hours.js'
import { LateVisits } from './late-visits.js'
import { type Conflict, move } from './moving.js'
import { NewAbsence } from './new-absence.js'
import { shownDays, slotsFor, type View, visitsOf, worktimesOf } from './questions.js'
import { TakenTime } from './taken.js'
import { Visit } from './visit.js'
import { VisitList } from './visit-list.js'

/** The week and the day, by installer. */
export function Planning() {
  const { query, route } = useLocation()
  const { view, du, au } = shownDays(query)
  const reading = useRead(visitsOf, { du, au })
  const poseurs = useRead(allPoseurs, 'all')
  const t = words.value.planning
  const addressOf = (change: { date?: string; vue?: 'jour' | undefined; rdv?: number | undefined }) =>
    withQuery('/planning', { date: du, vue: view === 'day' ? 'jour' : undefined, ...change })
  const open = Number(query['rdv']) || null
  const [hint, setHint] = useState('')
  return (
    <Page
      title={view === 'week' ? t.weekOf(weekName(du)) : dayName(du)}
      wide
      actions={
        <>
          <a class="button" href={withQuery('/planning/tournees', { date: view === 'day' ? du : today() })}>
            <Labelled icon="route">{t.rounds}</Labelled>
          </a>
          {may('planning:write') && (
            <a class="button primary" href={to('/planning/nouveau')}>
              <Icon name="plus" />
              {t.new}
            </a>
          )}
        </>
      }
    >
      <div class="toolbar">
        <nav class="choice" aria-label={t.view}>
          <a href={addressOf({ vue: undefined })} aria-current={view === 'week' ? 'true' : undefined}>
            {t.week}
          </a>
          <a
            href={addressOf({ vue: 'jour', date: du <= today() && today() <= au ? today() : du })}
            aria-current={view === 'day' ? 'true' : undefined}
          >
            {t.day}
          </a>
        </nav>
        <DateSteps date={du} days={view === 'week' ? 7 : 1} addressOf={(date) => addressOf({ date })} />
        <p class={hint === t.dragHint ? 'hint spot-hint hint-idle' : 'hint spot-hint'} role="status">
          {hint}
        </p>
        <LateVisits inToolbar />
        {seesCases() && (
          <button
            type="button"
            class="button small to-plan-toggle"
            aria-pressed={showsCases.value}
            onClick={toggleCases}
          >
            <Icon name="cases" size={16} />
            {t.toPlan}
          </button>
        )}
      </div>
      <Answered reading={poseurs}>
        {(people) => (
          <Answered reading={reading}>
            {(visits) => (
              <Board
                view={view}
                date={du}
                people={people}
                visits={visits}
                hrefOf={({ id }) => addressOf({ rdv: id })}
                onHint={setHint}
              />
            )}
          </Answered>
        )}
      </Answered>
      {open !== null && <Visit key={open} id={open} onClose={() => route(addressOf({ rdv: undefined }))} />}
    </Page>
  )
}

interface BoardProps {
  readonly view: View
  readonly date: string
  readonly people: readonly Poseur[]
  readonly visits: readonly Rdv[]
  readonly hrefOf: (visit: Rdv) => string
  /** Reports what the user should know about the place of a drag. */
  readonly onHint: (text: string) => void
}

function Board({ view, date, people, visits, hrefOf, onHint }: BoardProps) {
  const { route } = useLocation()
  const shown = people.filter(({ id, actif }) => actif || visitsWith(visits, id).length > 0)
  const { value: worktimes = [] } = useRead(
    worktimesOf,
    shown.filter(({ actif }) => actif).map(({ id }) => id),
  )
  const [taken, setTaken] = useState<{ readonly visit: Rdv; readonly by: Conflict } | null>(null)
  const [leaving, setLeaving] = useState<{ readonly poseur: Poseur; readonly from: string } | null>(null)
  const begin = ({ poseur, wall }: Place, sav_id?: number) =>
    route(withQuery('/planning/nouveau', { sav_id, poseur_id: poseur, date: wall.slice(0, 10), heure: wall.slice(11) }))
  const { held, place, ...dragging } = useDragging(async ({ visit, from, dossier }, at) => {
    if (visit === null) return begin(at, dossier?.id)
    const refused = await moveTo(visit, from ?? visit.poseur.id, at)
    if (refused !== null && refused !== 'left') setTaken({ visit, by: refused })
  })
  const last = view === 'week' ? daysAfter(date, 6) : date
  const slots = useRead(
    slotsFor,
    held && last >= today()
      ? { ...held.asked, duree: held.minutes, du: date < today() ? today() : date, au: last }
      : null,
  )
  const t = words.value.planning
  const away = worktimes.flatMap(({ poseur, absences }) => absences.map((each) => ({ poseur, ...each })))
  const dates = view === 'week' ? Array.from({ length: 7 }, (_, day) => daysAfter(date, day)) : [date]
  const off = worktimes.flatMap(({ poseur, hours }) => dates.flatMap((day) => offOn(poseur, hours, day)))
  const known = { visits, people, away, off, slots: slots.value }
  const conflict = held && place && conflictAt(held, place, known)
  const onHold = may('planning:write') ? dragging.begin : undefined
  const hint = place !== null ? hintFor(place, conflict, known) : onHold ? t.dragHint : ''
  useEffect(() => onHint(hint), [hint])
  if (shown.length === 0)
    return (
      <Empty title={t.nobody} text={t.nobodyText}>
        <a class="button" href={to('/poseurs')}>
          {words.value.poseur.title}
        </a>
      </Empty>
    )
  const Days = view === 'week' ? Week : Day
  return (
    <>
      <div class="planning-board">
        <Days
          {...{ date, visits, away, off, hrefOf, onHold, held, place, conflict }}
          onAway={onHold && ((poseur, from) => setLeaving({ poseur, from }))}
          poseurs={shown}
          onEmpty={onHold && begin}
        />
        {onHold && seesCases() && showsCases.value && <ToPlan onHold={onHold} />}
      </div>
      <div class="planning-list">
        {[...Map.groupBy(visits, ({ debut }) => dateOf(debut))].map(([day, ofDay]) => (
          <section key={day} class="card">
            {view === 'week' && <h2>{dayName(day)}</h2>}
            <VisitList visits={ofDay} empty="" ofDay />
          </section>
        ))}
        {visits.length === 0 && <Empty title={t.emptyTitle} text={t.emptyText} />}
      </div>
      {leaving && (
        <NewAbsence
          id={leaving.poseur.id}
          name={leaving.poseur.nom}
          date={leaving.from}
          onClose={() => setLeaving(null)}
        />
      )}
      {taken && (
        <TakenTime
          taken={taken.by}
          onClose={() => setTaken(null)}
          onPick={async ({ debut, poseur }) => {
            const again = await move(taken.visit, { debut, poseur_id: poseur.id })
            if (again !== 'left') setTaken(again && { visit: taken.visit, by: again })
          }}
        />
      )}
    </>
  )
}

/**
 * Moves a visit to where it was dropped. The installer of that place replaces `from`, who is in charge or a teammate.
 */
async function moveTo(visit: Rdv, from: number, { poseur, wall }: Place): ReturnType<typeof move> {
  const debut = instantOf(wall)
  if (debut === visit.debut && from === poseur) return null
  const isLead = from === visit.poseur.id
  return move(visit, {
    debut,
    ...(from !== poseur && isLead && { poseur_id: poseur }),
    ...(from !== poseur && !isLead && { equipiers: visit.equipiers.map(({ id }) => (id === from ? poseur : id)) }),
  })
}
