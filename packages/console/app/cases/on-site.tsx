import type { CaseDetail } from '../api/client.js'
import { useRead } from '../api/read.js'
import { clientById } from '../directory/questions.js'
import { VisitState } from '../directory/visit-state.js'
import { WayThere } from '../directory/way-there.js'
import { withQuery } from '../session/address.js'
import { may } from '../session/session.js'
import { dateOf, dayName, timeOf } from '../session/zone.js'
import { Fact, Time } from '../system/bits.js'
import { Card } from '../system/page.js'
import { words } from '../words/words.js'
import { visitsOfCase } from './questions.js'
import { nextOf } from './visit-choice.js'

/** The next visit, and what the installer needs for it. */
export function OnSite({ found }: { readonly found: CaseDetail }) {
  const { value: visits } = useRead(visitsOfCase, may('planning:read') ? found.id : null)
  const { value: client } = useRead(clientById, may('directory:read') ? found.client.id : null)
  const t = words.value.oneCase
  const next = nextOf(visits ?? [], new Date().toISOString())
  return (
    <Card title={t.onSite}>
      <dl class="facts">
        {visits && (
          <Fact name={t.nextVisit}>
            {next === null ? (
              <span class="muted">{t.noNext}</span>
            ) : (
              <span class="row">
                <a href={withQuery('/planning', { date: dateOf(next.debut), rdv: next.id })}>
                  <Time at={next.debut}>{`${dayName(dateOf(next.debut))}, ${timeOf(next.debut)}`}</Time>
                </a>
                <VisitState of={next.statut} />
                <span class="small muted">{next.poseur.nom}</span>
              </span>
            )}
          </Fact>
        )}
        <WayThere lieu={next?.lieu ?? client?.lieu ?? null} adresse={client?.adresse} telephone={client?.telephone} />
      </dl>
    </Card>
  )
}
