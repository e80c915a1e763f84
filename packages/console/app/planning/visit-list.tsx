import type { Rdv } from '../api/client.js'
import { lieuLine } from '../directory/lieu-fields.js'
import { VisitState } from '../directory/visit-state.js'
import { to, withQuery } from '../session/address.js'
import { dateOf, timeOf } from '../session/zone.js'
import { Time } from '../system/bits.js'
import { day, isolated, personName } from '../words/formats.js'
import { words } from '../words/words.js'

interface VisitListProps {
  readonly visits: readonly Rdv[]
  readonly empty: string
  /** True if all visits are on one day: the list then shows only their times. */
  readonly ofDay?: boolean
  /** True if all visits are of one installer: then each shows its client. */
  readonly ofPoseur?: boolean
}

export function VisitList({ visits, empty, ofDay = false, ofPoseur = false }: VisitListProps) {
  const t = words.value.rdv
  const ofOneClient = !ofDay && !ofPoseur
  if (visits.length === 0) return <p class="muted">{empty}</p>
  return (
    <ul class="lines">
      {visits.map(({ id, debut, fin, statut, type, poseur, client, sav, lieu }) => (
        <li key={id} class="row-apart">
          <div>
            <a class="plain-link" href={withQuery('/planning', { date: dateOf(debut), rdv: id })}>
              <strong>
                <Time at={debut}>
                  {ofDay ? `${timeOf(debut)} – ${timeOf(fin)}` : `${day(debut)}, ${timeOf(debut)}`}
                </Time>
              </strong>
            </a>{' '}
            {ofOneClient ? (
              t.type[type]
            ) : (
              <a href={to(`/clients/${client.id}`)}>
                <strong>{personName(client)}</strong>
              </a>
            )}
            <p class="small muted">
              {[!ofOneClient && t.type[type], !ofPoseur && poseur.nom, !ofOneClient && (lieuLine(lieu) || null)]
                .filter((part) => typeof part === 'string')
                .map(isolated)
                .join(' · ')}
              {sav && (
                <>
                  {' · '}
                  <a class="nowrap" href={to(`/dossiers/${sav.id}`)}>
                    {sav.reference}
                  </a>
                </>
              )}
            </p>
          </div>
          <VisitState of={statut} />
        </li>
      ))}
    </ul>
  )
}
