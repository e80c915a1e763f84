import { signal } from '@preact/signals'
import { type CaseSummary, sav } from '../../api/client.js'
import { question, useRead } from '../../api/read.js'
import { isPressing, Priority } from '../../cases/marks.js'
import { to, withQuery } from '../../session/address.js'
import { may } from '../../session/session.js'
import { daysAfter, today } from '../../session/zone.js'
import { Answered } from '../../system/answered.js'
import { isolated, personName } from '../../words/formats.js'
import { words } from '../../words/words.js'
import { visitsOf } from '../questions.js'
import { type Held, heldCase } from './dragging.js'

const filter = { statut: 'ouvert', tri: '-priorite' } as const
const shownAtMost = 30
/** The longest period for which the API lists appointments in one call. Later visits are not considered. */
const daysAhead = 91

/**
 * Open cases without a future visit, the most urgent first. Reading stops once there is one case more than the screen
 * shows.
 */
const casesToPlan = question(async (date: string, signal) => {
  const visits = await visitsOf.ask({ du: date, au: daysAfter(date, daysAhead) }, signal)
  const planned = new Set(visits.filter(({ statut }) => statut !== 'absent').map((visit) => visit.sav?.id))
  const found: CaseSummary[] = []
  for await (const dossier of sav.each('/api/v1/sav', { query: { ...filter, limite: 100 }, signal })) {
    if (!planned.has(dossier.id)) found.push(dossier)
    if (found.length > shownAtMost) break
  }
  return found
})

export const seesCases = (): boolean => may('planning:write') && may('sav:read')

const kept = 'sav-cases-to-plan'

/** Whether the list is shown beside the planning: by default, if there is room for both. Stored in this browser. */
export const showsCases = signal(
  localStorage.getItem(kept) === '1' || (localStorage.getItem(kept) === null && innerWidth > 1280),
)

export function toggleCases(): void {
  showsCases.value = !showsCases.value
  localStorage.setItem(kept, showsCases.value ? '1' : '0')
}

/** Cases without a visit: each can be dragged to a day, or planned with a button. */
export function ToPlan({ onHold }: { readonly onHold: (event: PointerEvent, held: Held) => void }) {
  const reading = useRead(casesToPlan, today())
  const t = words.value.planning
  const found = reading.value?.length ?? 0
  return (
    <aside class="to-plan" aria-label={t.toPlan}>
      <h2>
        {t.toPlan}{' '}
        <a class="small" href={withQuery('/dossiers', filter)}>
          {found > shownAtMost ? `${shownAtMost}+` : found}
        </a>
      </h2>
      <Answered reading={reading}>
        {(cases) =>
          cases.length === 0 ? (
            <p class="muted small">{t.nothingToPlan}</p>
          ) : (
            <ul>
              {cases.slice(0, shownAtMost).map((each) => (
                <CaseToPlan key={each.id} dossier={each} onHold={onHold} />
              ))}
            </ul>
          )
        }
      </Answered>
    </aside>
  )
}

interface CaseToPlanProps {
  readonly dossier: CaseSummary
  readonly onHold: (event: PointerEvent, held: Held) => void
}

function CaseToPlan({ dossier, onHold }: CaseToPlanProps) {
  const { id, reference, client, ville, description, priorite, poseur_assigne } = dossier
  const problem = words.value.stored(description)
  return (
    <li onPointerDown={(event) => onHold(event, heldCase(dossier))} title={`${reference}\n${problem}`}>
      <a class="plain-link" href={to(`/dossiers/${id}`)} draggable={false}>
        <strong>{personName(client)}</strong>
      </a>
      <span class="small muted">
        {isPressing(priorite) && <Priority of={priorite} />}
        {[ville, problem, poseur_assigne?.nom ?? null]
          .filter((text) => text !== null)
          .map(isolated)
          .join(' · ')}
      </span>
    </li>
  )
}
