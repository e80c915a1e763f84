import { type Poseur, type Rdv, serverNow } from '../../api/client.js'
import { isStanding } from '../../cases/visit-choice.js'
import { colourOf } from '../../directory/poseur-form.js'
import { instantOf, timeOf, wallOf } from '../../session/zone.js'
import { Icon } from '../../system/icons.js'
import { erasedName } from '../../words/erased-name.js'
import { isolated, personName } from '../../words/formats.js'
import { words } from '../../words/words.js'
import type { Held, Place } from './dragging.js'

/** Whether the visit has a final status and cannot be moved. */
export const isOver = ({ statut }: Rdv): boolean => statut === 'realise' || statut === 'absent' || statut === 'annule'

/** Whether the visit is past but was never given a result. */
export const isLate = (visit: Rdv): boolean => isStanding(visit) && Date.parse(visit.fin) < serverNow()

interface VisitCardProps {
  readonly visit: Rdv
  readonly poseur: Poseur | undefined
  readonly href: string
  /** How much of the visit is shown: in a `day`, everything; as a `name`, only the client. */
  readonly parts: 'line' | 'two-lines' | 'name' | 'day'
  readonly isHeld: boolean
  readonly onPointerDown?: ((event: PointerEvent) => void) | undefined
  readonly style?: Readonly<Record<string, string>>
}

/** A visit in the week or the day: details without room are in its tooltip. */
export function VisitCard({ visit, poseur, href, parts, isHeld, onPointerDown, style = {} }: VisitCardProps) {
  const { debut, fin, client, lieu, type, statut } = visit
  const { rdv: t, stored } = words.value
  const state = (
    <span class={`state-dot state-${statut}`} title={t.statut[statut]}>
      {statut === 'realise' && <Icon name="check" size={10} />}
      <span class="hidden">{t.statut[statut]}</span>
    </span>
  )
  const name = (
    <span class="visit-names">
      <strong class="visit-name">{stored(client.nom)}</strong>{' '}
      {client.nom !== erasedName && <span class="visit-first">{client.prenom}</span>}
    </span>
  )
  const classes = [`visit-card visit-${statut} card-${parts}`, isHeld && 'visit-held', isLate(visit) && 'visit-late']
  return (
    <a
      class={classes.filter(Boolean).join(' ')}
      href={href}
      title={titleOf(visit)}
      draggable={false}
      style={{ '--visit': colourOf(poseur) ?? 'var(--accent)', ...style }}
      onPointerDown={onPointerDown}
    >
      {parts === 'day' || parts === 'name' ? (
        <>
          <span class="visit-line">{name}</span>
          {parts === 'day' && (
            <>
              <span class="visit-line">
                {state}
                <span class="visit-time">{`${timeOf(debut)} – ${timeOf(fin)}`}</span>
              </span>
              <span class="visit-more">
                {[lieu?.ville && isolated(lieu.ville), t.type[type]].filter(Boolean).join(' · ')}
              </span>
            </>
          )}
        </>
      ) : (
        <>
          <span class="visit-line">
            {state}
            <span class="visit-time">{timeOf(debut)}</span>
            {name}
          </span>
          {parts === 'two-lines' && <span class="visit-more">{lieu?.ville ?? t.type[type]}</span>}
        </>
      )}
    </a>
  )
}

function titleOf(visit: Rdv): string {
  const { debut, fin, client, lieu, type, sav, statut } = visit
  const t = words.value
  const state = isLate(visit) ? `${t.rdv.statut[statut]}, ${t.planning.notEnded}` : t.rdv.statut[statut]
  return [
    `${timeOf(debut)} – ${timeOf(fin)} ${isolated(personName(client))}`,
    [t.rdv.type[type], lieu?.ville && isolated(lieu.ville), sav?.reference].filter(Boolean).join(' · '),
    state,
  ].join('\n')
}

interface GhostProps {
  readonly held: Held
  readonly place: Place
  /** The conflict there; null: none. */
  readonly conflict: string | null
  readonly style?: Readonly<Record<string, string>>
}

/** Shows where something would be if it were dropped now: its time, and the conflict. */
export function Ghost({ held: { client, minutes }, place: { wall }, conflict, style = {} }: GhostProps) {
  const until = wallOf(Date.parse(instantOf(wall)) + minutes * 60_000)
  return (
    <div class={conflict === null ? 'visit-card visit-ghost' : 'visit-card visit-ghost ghost-clash'} style={style}>
      <span class="visit-line">
        <strong class="visit-name">{words.value.stored(client.nom)}</strong>
      </span>
      <span class="visit-time">{`${wall.slice(11)} – ${until.slice(11)}`}</span>
      {conflict !== null && <span class="visit-clash">{conflict}</span>}
    </div>
  )
}
