import { signal } from '@preact/signals'
import type { CaseSummary } from '../../api/client.js'
import { useRead } from '../../api/read.js'
import { Priority } from '../../cases/marks.js'
import { someCases } from '../../cases/questions.js'
import { to, withQuery } from '../../session/address.js'
import { may } from '../../session/session.js'
import { Answered } from '../../system/answered.js'
import { isolated, number, personName } from '../../words/formats.js'
import { words } from '../../words/words.js'
import { type Held, heldCase } from './dragging.js'

const filter = { statut: 'ouvert', poseur_id: 'aucun', tri: '-priorite' } as const

export const seesCases = (): boolean => may('planning:write') && may('sav:read')

const kept = 'sav-cases-to-plan'

/** Whether the list is beside the planning: at first if there is room for both. This browser keeps it. */
export const showsCases = signal(
  localStorage.getItem(kept) === '1' || (localStorage.getItem(kept) === null && innerWidth > 1280),
)

export function toggleCases(): void {
  showsCases.value = !showsCases.value
  localStorage.setItem(kept, showsCases.value ? '1' : '0')
}

/** Cases that nobody goes to yet, the most urgent first: each is dragged to a day, or planned by a press. */
export function ToPlan({ onHold }: { readonly onHold: (event: PointerEvent, held: Held) => void }) {
  const reading = useRead(someCases, { ...filter, limite: 30 })
  const t = words.value.planning
  const total = reading.value?.pagination.total ?? 0
  return (
    <aside class="to-plan" aria-label={t.toPlan}>
      <h2>
        {t.toPlan}{' '}
        <a class="small" href={withQuery('/dossiers', filter)}>
          {number(total)}
        </a>
      </h2>
      <Answered reading={reading}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="muted small">{t.nothingToPlan}</p>
          ) : (
            <ul>
              {data.map((each) => (
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
  const { id, reference, client, ville, description, priorite } = dossier
  return (
    <li onPointerDown={(event) => onHold(event, heldCase(dossier))} title={`${reference}\n${description}`}>
      <a class="plain-link" href={to(`/dossiers/${id}`)} draggable={false}>
        <strong>{personName(client)}</strong>
      </a>
      {priorite !== 'normale' && priorite !== 'basse' && <Priority of={priorite} />}
      <span class="small muted">
        {[ville, description]
          .filter((text) => text !== null)
          .map(isolated)
          .join(' · ')}
      </span>
    </li>
  )
}
