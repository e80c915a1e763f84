import { useState } from 'preact/hooks'
import { changed } from '../api/changes.js'
import { type Absence, type Rdv, sav } from '../api/client.js'
import { question, useRead } from '../api/read.js'
import { allPoseurs } from '../directory/questions.js'
import { dateOf, dayName, daysAfter, shortDayName, timeOf } from '../session/zone.js'
import { Answered, saidOf } from '../system/answered.js'
import { Dialog } from '../system/dialog.js'
import { SelectField } from '../system/form.js'
import { say, sayFailed } from '../system/notices.js'
import { personName } from '../words/formats.js'
import { words } from '../words/words.js'
import { conflictIn } from './moving.js'
import { askNotifying, lettersFor } from './notifying.js'
import { placeOf, slotsFor } from './questions.js'
import { type FreeTime, waysFor } from './replacing.js'
import { takeBack } from './taking-back.js'

/** A visit of somebody who is away. */
export interface HitVisit {
  readonly visit: Rdv
  /**
   * If the person who is away is only a teammate: that teammate, and the first date on which they are back. Null: the
   * person is in charge of the visit.
   */
  readonly along: { readonly poseur: Rdv['poseur']; readonly back: string } | null
}

interface Way extends FreeTime {
  /** The teammate who will not come along. */
  readonly sans?: Rdv['poseur']
}

const asItStands = ({ debut, fin }: Rdv) => ({ debut, fin, trajet_ajoute_minutes: 0 })

/** Asks for each person's absences only once. */
function absencesAsked(signal: AbortSignal) {
  const asked = new Map<number, Promise<readonly Absence[]>>()
  return (id: number) => {
    const known = asked.get(id) ?? absencesOf(id, signal)
    asked.set(id, known)
    return known
  }
}

async function absencesOf(id: number, signal: AbortSignal): Promise<readonly Absence[]> {
  return (await sav.get('/v1/planning/poseurs/{id}/absences', { params: { id }, signal })).data.absences
}

/** The teammates who are present: each can take the visit over without a change of time. */
async function teamOf(visit: Rdv, absences: ReturnType<typeof absencesAsked>): Promise<Way[]> {
  const ofEach = await Promise.all(visit.equipiers.map(({ id }) => absences(id)))
  return visit.equipiers
    .filter((_, index) => !ofEach[index]?.some(({ debut, fin }) => debut < visit.fin && visit.debut < fin))
    .map((poseur) => ({ ...asItStands(visit), poseur }))
}

/**
 * The free times for each visit: on its own day, and in the following week. If only a teammate is away: free times of
 * the installer in charge, once both are present.
 */
const freeFor = question(async (visits: readonly HitVisit[], signal) => {
  const absences = absencesAsked(signal)
  return Promise.all(
    visits.map(async ({ visit, along }) => {
      const date = dateOf(visit.debut)
      const asked = { ...placeOf(visit), duree: visit.duree_minutes }
      if (along !== null) {
        const days = { du: along.back, au: daysAfter(along.back, 7) }
        return { visit, along, free: await slotsFor.ask({ ...asked, ...days, poseur_id: visit.poseur.id }, signal) }
      }
      const found = await Promise.all([
        teamOf(visit, absences),
        slotsFor.ask({ ...asked, du: date, au: date }, signal),
        slotsFor.ask({ ...asked, du: daysAfter(date, 1), au: daysAfter(date, 7) }, signal),
      ])
      return { visit, along, free: found.flat() }
    }),
  )
})

interface VisitDecision extends HitVisit {
  readonly ways: readonly Way[]
  /** The chosen proposal; null: the visit is not moved. */
  readonly way: Way | null
}

const nameOf = ({ debut, poseur, sans }: Way) => [debut, poseur.id, sans?.id].join(' ')
const stays = 'stays'

/**
 * The text of a proposal. What distinguishes it from the others comes first, because a phone shows only some thirty
 * letters.
 */
function wayText({ debut, poseur, sans, trajet_ajoute_minutes }: Way): string {
  const t = words.value.planning
  const spot = t.spot(shortDayName(dateOf(debut)), timeOf(debut), poseur.nom)
  return sans ? `${t.goesWithout(sans.nom)} · ${spot}` : `${spot} · ${t.added(trajet_ajoute_minutes)}`
}

function decided(
  found: readonly (HitVisit & { readonly free: readonly FreeTime[] })[],
  picked: ReadonlyMap<number, string>,
): VisitDecision[] {
  const all: VisitDecision[] = []
  for (const { visit, along, free } of found) {
    const others = all.flatMap(({ way }) => way ?? [])
    const another = waysFor(visit, free, { others, dayOf: dateOf })
    // Going without the teammate is offered last: one person may not be enough.
    const without = along === null ? [] : [{ ...asItStands(visit), poseur: visit.poseur, sans: along.poseur }]
    const ways: readonly Way[] = [...another, ...without]
    const pick = picked.get(visit.id)
    const way = pick === stays ? null : (ways.find((each) => nameOf(each) === pick) ?? ways[0] ?? null)
    all.push({ visit, along, ways, way })
  }
  return all
}

interface ReplacingProps {
  /** The visits of somebody who is away. */
  readonly visits: readonly HitVisit[]
  readonly onClose: () => void
}

/** Proposes another person or day for each visit, and moves all of them at once, or none. */
export function ReplacingVisits({ visits, onClose }: ReplacingProps) {
  const reading = useRead(freeFor, visits)
  const { value: poseurs = [] } = useRead(allPoseurs, 'all')
  const [picked, setPicked] = useState<ReadonlyMap<number, string>>(new Map())
  const [isBusy, setBusy] = useState(false)
  const t = words.value.planning

  const apply = async (moves: readonly { readonly visit: Rdv; readonly way: Way }[]) => {
    if (isBusy) return
    setBusy(true)
    try {
      const counts = moves.map(({ visit, way }) => (way.debut === visit.debut ? 0 : lettersFor(visit)))
      const letters = (await Promise.all(counts)).reduce((sum, each) => sum + each, 0)
      const prevenir = await askNotifying(letters)
      if (prevenir !== null) {
        const deplacements = moves.map(({ visit, way }) => ({
          rdv_id: visit.id,
          debut: way.debut,
          poseur_id: way.poseur.id,
          ...(way.sans && { sans: [way.sans.id] }),
        }))
        const { data } = await sav.post('/v1/planning/replacer', { body: { deplacements, prevenir } })
        onClose()
        const offer = () => say(t.applied(moves.length), () => takeBack(data.version, letters, offer))
        offer()
        changed()
      }
    } catch (error) {
      const taken = conflictIn(error)?.conflit
      const name = poseurs.find(({ id }) => id === taken?.poseur.id)?.nom ?? ''
      sayFailed(
        taken ? t.takenText(name, dayName(dateOf(taken.debut)), timeOf(taken.debut), timeOf(taken.fin)) : saidOf(error),
      )
      changed()
    }
    setBusy(false)
  }

  return (
    <Dialog title={t.replaceTitle} onClose={onClose}>
      <Answered reading={reading}>
        {(found) => {
          const all = decided(found, picked)
          const moves = all.flatMap(({ visit, way }) => (way === null ? [] : [{ visit, way }]))
          return (
            <div class="stack">
              {all.map(({ visit, along, ways, way }) => (
                <SelectField
                  key={visit.id}
                  name={`way_${visit.id}`}
                  label={[
                    personName(visit.client),
                    `${dayName(dateOf(visit.debut))}, ${timeOf(visit.debut)}`,
                    ...(along === null ? [] : [t.goesAlong(visit.poseur.nom)]),
                  ].join(' · ')}
                  value={way === null ? stays : nameOf(way)}
                  options={[
                    ...ways.map((each) => [nameOf(each), wayText(each)] as const),
                    [stays, t.replaceLater] as const,
                  ]}
                  onChange={(value) => setPicked(new Map([...picked, [visit.id, value]]))}
                />
              ))}
              <div class="form-actions">
                <button type="button" class="button" onClick={onClose}>
                  {t.leaveIt}
                </button>
                {moves.length > 0 && (
                  <button type="button" class="button primary" aria-disabled={isBusy} onClick={() => apply(moves)}>
                    {t.replaceAll(moves.length)}
                  </button>
                )}
              </div>
            </div>
          )
        }}
      </Answered>
    </Dialog>
  )
}
