import type { Rdv } from '../api/client.js'
import { personName } from '../cases/marks.js'
import { to } from '../shell/address.js'
import { Badge, Time, type Tone } from '../system/bits.js'
import { day, time } from '../words/formats.js'
import { words } from '../words/words.js'

const tones = {
  propose: 'plain',
  planifie: 'plain',
  confirme: 'good',
  en_cours: 'busy',
  realise: 'good',
  annule: 'bad',
  absent: 'bad',
} as const satisfies Record<Rdv['statut'], Tone>

interface VisitListProps {
  readonly visits: readonly Rdv[]
  readonly empty: string
  /** Of one day: the hour is enough, and who is visited matters. */
  readonly ofDay?: boolean
}

export function VisitList({ visits, empty, ofDay = false }: VisitListProps) {
  const t = words.value.rdv
  if (visits.length === 0) return <p class="muted">{empty}</p>
  return (
    <ul class="lines">
      {visits.map(({ id, debut, fin, statut, type, poseur, client, sav, lieu }) => (
        <li key={id} class="row-apart">
          <div>
            <strong>
              <Time at={debut}>{ofDay ? `${time(debut)} – ${time(fin)}` : `${day(debut)}, ${time(debut)}`}</Time>
            </strong>{' '}
            {t.type[type]}
            <p class="small muted">
              {poseur.nom}
              {ofDay && (
                <>
                  {' · '}
                  <a href={to(`/clients/${client.id}`)}>{personName(client)}</a>
                  {lieu?.ville && `, ${lieu.ville}`}
                </>
              )}
              {sav && (
                <>
                  {' · '}
                  <a href={to(`/dossiers/${sav.id}`)}>{sav.reference}</a>
                </>
              )}
            </p>
          </div>
          <Badge tone={tones[statut]}>{t.statut[statut]}</Badge>
        </li>
      ))}
    </ul>
  )
}
