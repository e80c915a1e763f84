import { useState } from 'preact/hooks'
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
import { PlanningCalendar, type Spot } from './calendar.js'
import { DateSteps } from './date-steps.js'
import { offOn } from './hours.js'
import { type Conflict, move } from './moving.js'
import { placeOf, shownDays, slotsFor, type View, visitsOf, worktimesOf } from './questions.js'
import { conflictAt, hintFor } from './spot-hint.js'
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
  return (
    <Page
      title={view === 'week' ? t.weekOf(weekName(du)) : dayName(du)}
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
                onOpen={({ id }) => route(addressOf({ rdv: id }))}
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
  readonly onOpen: (visit: Rdv) => void
}

function Board({ view, date, people, visits, onOpen }: BoardProps) {
  const shown = people.filter(
    ({ id, actif }) => actif || visits.some(({ poseur, equipiers }) => [poseur, ...equipiers].some((p) => p.id === id)),
  )
  const { value: worktimes = [] } = useRead(
    worktimesOf,
    shown.filter(({ actif }) => actif).map(({ id }) => id),
  )
  const [held, setHeld] = useState<Rdv | null>(null)
  const [spot, setSpot] = useState<Spot | null>(null)
  const [taken, setTaken] = useState<{ readonly visit: Rdv; readonly by: Conflict } | null>(null)
  const last = view === 'week' ? daysAfter(date, 6) : date
  const slots = useRead(
    slotsFor,
    held && last >= today()
      ? { ...placeOf(held), duree: held.duree_minutes, du: date < today() ? today() : date, au: last }
      : null,
  )
  const t = words.value.planning
  if (shown.length === 0)
    return (
      <Empty title={t.nobody} text={t.nobodyText}>
        <a class="button" href={to('/poseurs')}>
          {words.value.poseur.title}
        </a>
      </Empty>
    )
  const away = worktimes.flatMap(({ poseur, absences }) => absences.map((each) => ({ poseur, ...each })))
  const dates = view === 'week' ? Array.from({ length: 7 }, (_, day) => daysAfter(date, day)) : [date]
  const off = worktimes.flatMap(({ poseur, hours }) => dates.flatMap((day) => offOn(poseur, hours, day)))
  const drop = async (at: Spot, revert: () => void) => {
    setSpot(null)
    const { visit, from, to: towards } = at
    const isLead = from === visit.poseur.id
    const refused = await move(visit, {
      debut: instantOf(at.wall),
      ...(from !== towards && isLead && { poseur_id: towards }),
      ...(from !== towards && !isLead && { equipiers: visit.equipiers.map(({ id }) => (id === from ? towards : id)) }),
    })
    if (refused === null) return
    revert()
    if (refused !== 'left') setTaken({ visit, by: refused })
  }
  return (
    <>
      <p class="hint spot-hint" role="status">
        {spot === null
          ? may('planning:write') && t.dragHint
          : hintFor(spot, { visits, people, away, off, slots: slots.value })}
      </p>
      <PlanningCalendar
        view={view}
        date={date}
        poseurs={shown}
        visits={visits}
        away={away}
        off={off}
        canMove={may('planning:write')}
        onOpen={onOpen}
        onPick={setHeld}
        onHover={setSpot}
        conflictAt={(at) => conflictAt(at, { visits, away, off })}
        onLetGo={() => setHeld(null)}
        onDrop={drop}
      />
      <div class="planning-list">
        {[...Map.groupBy(visits, ({ debut }) => dateOf(debut))].map(([day, ofDay]) => (
          <section key={day} class="card">
            {view === 'week' && <h2>{dayName(day)}</h2>}
            <VisitList visits={ofDay} empty="" ofDay />
          </section>
        ))}
        {visits.length === 0 && <Empty title={t.emptyTitle} text={t.emptyText} />}
      </div>
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
