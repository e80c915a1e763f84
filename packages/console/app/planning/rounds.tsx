import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { changed } from '../api/changes.js'
import { type OptimisedRounds, type Poseur, type Rdv, sav } from '../api/client.js'
import { question, useRead } from '../api/read.js'
import { colourOf, Swatch } from '../directory/poseur-form.js'
import { allPoseurs } from '../directory/questions.js'
import { to, withQuery } from '../session/address.js'
import { may } from '../session/session.js'
import { dayName, isDate, timeOf, today } from '../session/zone.js'
import { Answered, saidOf } from '../system/answered.js'
import { Icon } from '../system/icons.js'
import { say, sayFailed } from '../system/notices.js'
import { Card, Empty, Page } from '../system/page.js'
import { number, personName } from '../words/formats.js'
import { words } from '../words/words.js'
import { adviceIn } from './advice.js'
import { DateSteps } from './date-steps.js'
import { impossibleIn, tooShort } from './impossible.js'
import { askNotifying } from './notifying.js'
import { visitsOf } from './questions.js'
import { RoundMap, type Tour } from './round-map.js'
import { takeBack } from './taking-back.js'

const roundsOf = question(
  async (date: string, signal) => (await sav.get('/v1/planning/tournees', { query: { date }, signal })).data,
)

/** The current rounds of a day, and those with the least travel: first shown, then applied at once. */
export function Rounds() {
  const { query } = useLocation()
  const date = isDate(query['date']) ? query['date'] : today()
  const t = words.value.planning
  return (
    <Page
      title={t.roundsOf(dayName(date))}
      lead={t.roundsLead}
      up={{ screen: `/planning?vue=jour&date=${date}`, name: t.title }}
    >
      <div class="toolbar">
        <DateSteps date={date} days={1} addressOf={(day) => withQuery('/planning/tournees', { date: day })} />
      </div>
      <Day key={date} date={date} />
    </Page>
  )
}

function Day({ date }: { readonly date: string }) {
  const rounds = useRead(roundsOf, date)
  const { value: poseurs = [] } = useRead(allPoseurs, 'all')
  const { value: visits = [] } = useRead(visitsOf, { du: date, au: date })
  const [plan, setPlan] = useState<OptimisedRounds | null>(null)
  const [isBusy, setBusy] = useState(false)
  const t = words.value.planning

  const guarded = async (work: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    try {
      await work()
    } catch (error) {
      sayFailed(saidOf(error))
    }
    setBusy(false)
  }
  const look = () =>
    guarded(async () => {
      const { data } = await sav.post('/v1/planning/tournees/optimiser', { body: { date, mode: 'apercu' } })
      setPlan(data)
    })
  const apply = ({ version, lettres, deplacements }: OptimisedRounds) =>
    guarded(async () => {
      const prevenir = await askNotifying(lettres)
      if (prevenir === null) return
      const body = { date, mode: 'appliquer', version, prevenir } as const
      const { data } = await sav.post('/v1/planning/tournees/optimiser', { body })
      setPlan(null)
      changed()
      const offer = () => say(t.applied(deplacements.length), () => takeBack(data.version, lettres, offer))
      offer()
    })

  return (
    <Answered reading={rounds}>
      {(now) => {
        const isEmpty = now.tournees.every(({ visites }) => visites.length === 0)
        if (isEmpty)
          return (
            <Empty title={t.noRounds} text={t.noRoundsText}>
              {may('planning:write') && (
                <a class="button" href={to('/planning/nouveau')}>
                  {t.new}
                </a>
              )}
            </Empty>
          )
        return (
          <div class="stack">
            <div class="columns">
              <Card title={t.asItStands}>
                <Travel minutes={now.minutes} kilometres={now.kilometres} impossible={impossibleIn(now.tournees)} />
                <RoundMap tours={toursOf(now.tournees, poseurs)} />
              </Card>
              {plan && (
                <Card title={t.asProposed}>
                  <Travel
                    minutes={plan.minutes_apres}
                    kilometres={plan.kilometres_apres}
                    saved={plan.minutes_avant - plan.minutes_apres}
                    impossible={impossibleIn(plan.tournees)}
                  />
                  <RoundMap tours={toursOf(plan.tournees, poseurs)} />
                </Card>
              )}
            </div>
            {adviceIn(plan?.avertissements ?? now.avertissements, visits).map((note) => (
              <p key={note} class="hint-box">
                <Icon name="warning" />
                {note}
              </p>
            ))}
            {plan && <Moves plan={plan} visits={visits} poseurs={poseurs} />}
            {may('planning:write') && (
              <div class="form-actions">
                {plan === null ? (
                  <button type="button" class="button primary" aria-disabled={isBusy} onClick={look}>
                    {isBusy ? t.looking : t.look}
                  </button>
                ) : (
                  <>
                    <button type="button" class="button" onClick={() => setPlan(null)}>
                      {t.leaveIt}
                    </button>
                    {plan.deplacements.length > 0 && (
                      <button type="button" class="button primary" aria-disabled={isBusy} onClick={() => apply(plan)}>
                        {t.apply}
                      </button>
                    )}
                  </>
                )}
              </div>
            )}
            {!plan && <Orders tours={now.tournees} visits={visits} poseurs={poseurs} />}
          </div>
        )
      }}
    </Answered>
  )
}

const toursOf = (tours: OptimisedRounds['tournees'], poseurs: readonly Poseur[]): Tour[] =>
  tours.map(({ poseur_id, depart, visites }) => {
    const poseur = poseurs.find(({ id }) => id === poseur_id)
    return {
      id: poseur_id,
      name: poseur?.nom ?? '',
      colour: colourOf(poseur),
      depart,
      points: visites.map(({ point }) => point),
    }
  })

interface TravelProps {
  readonly minutes: number
  readonly kilometres: number
  readonly saved?: number
  readonly impossible: number
}

function Travel({ minutes, kilometres, saved = 0, impossible }: TravelProps) {
  const t = words.value.planning
  return (
    <p class="row-apart">
      <span>
        <strong>{t.minutes(minutes)}</strong> · {number(kilometres)} km
      </span>
      {saved > 0 && <strong class="good-text">{t.saved(saved)}</strong>}
      {impossible > 0 && (
        <strong class="labelled warned">
          <Icon name="warning" size={16} />
          {t.impossible(impossible)}
        </strong>
      )}
    </p>
  )
}

interface MovesProps {
  readonly plan: OptimisedRounds
  readonly visits: readonly Rdv[]
  readonly poseurs: readonly Poseur[]
}

function Moves({ plan: { deplacements }, visits, poseurs }: MovesProps) {
  const t = words.value.planning
  if (deplacements.length === 0) return <p class="muted">{t.nothingMoves}</p>
  const nameOf = (id: number) => poseurs.find((each) => each.id === id)?.nom ?? ''
  return (
    <Card title={t.moves(deplacements.length)}>
      <ul class="lines">
        {deplacements.map(({ rdv_id, debut, poseur_id, ancien_debut, ancien_poseur_id }) => {
          const visit = visits.find(({ id }) => id === rdv_id)
          return (
            <li key={rdv_id} class="row-apart">
              <span>{visit ? personName(visit.client) : t.visit}</span>
              <span>
                <span class="muted">{`${timeOf(ancien_debut)} ${nameOf(ancien_poseur_id)} → `}</span>
                <strong>{timeOf(debut)}</strong> {nameOf(poseur_id)}
              </span>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

interface OrdersProps {
  readonly tours: OptimisedRounds['tournees']
  readonly visits: readonly Rdv[]
  readonly poseurs: readonly Poseur[]
}

function Orders({ tours, visits, poseurs }: OrdersProps) {
  const t = words.value.planning
  return (
    <div class="columns">
      {tours
        .filter(({ visites }) => visites.length > 0)
        .map(({ poseur_id, visites }) => {
          const poseur = poseurs.find(({ id }) => id === poseur_id)
          return (
            <Card
              key={poseur_id}
              title={
                <span class="labelled">
                  <Swatch poseur={poseur} />
                  {poseur?.nom}
                </span>
              }
            >
              <ol class="lines">
                {visites.map(({ rdv_id, debut, fin, trajet_avant_minutes }, index) => {
                  const visit = visits.find(({ id }) => id === rdv_id)
                  const left = tooShort(visites, index)
                  return (
                    <li key={rdv_id}>
                      <p class={left === null ? 'muted small' : 'warned small'}>
                        {left === null ? t.way(trajet_avant_minutes) : t.noWay(trajet_avant_minutes, left)}
                      </p>
                      <strong>{`${index + 1}. ${timeOf(debut)} – ${timeOf(fin)}`}</strong>{' '}
                      <a href={withQuery('/planning', { vue: 'jour', date: debut.slice(0, 10), rdv: rdv_id })}>
                        {visit ? personName(visit.client) : t.visit}
                      </a>{' '}
                      {visit?.lieu?.ville}
                    </li>
                  )
                })}
              </ol>
            </Card>
          )
        })}
    </div>
  )
}
