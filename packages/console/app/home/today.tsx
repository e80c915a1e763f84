import type { Rdv } from '../api/client.js'
import { useRead } from '../api/read.js'
import { VisitState } from '../directory/visit-state.js'
import { LateVisits } from '../planning/late-visits.js'
import { someRdv } from '../planning/questions.js'
import { withQuery } from '../session/address.js'
import { timeOf, today } from '../session/zone.js'
import { Answered } from '../system/answered.js'
import { Card } from '../system/page.js'
import { number, personName } from '../words/formats.js'
import { words } from '../words/words.js'

const shownAtMost = 12

/** Today's visits. Those that have ended are only counted, so that there is room for the others. */
export function Today() {
  const date = today()
  const reading = useRead(someRdv, { du: date, au: date, limite: 200 })
  const t = words.value.home
  return (
    <Card
      title={t.visits}
      actions={
        <a class="small" href={withQuery('/planning', { vue: 'jour', date })}>
          {words.value.planning.title}
        </a>
      }
    >
      <LateVisits />
      <Answered reading={reading}>{(visits) => <Lines visits={visits.filter(isMeant)} date={date} />}</Answered>
    </Card>
  )
}

const isMeant = ({ statut }: Rdv) => statut !== 'annule'
const isDone = ({ statut }: Rdv) => statut === 'realise' || statut === 'absent'

function Lines({ visits, date }: { readonly visits: readonly Rdv[]; readonly date: string }) {
  const t = words.value.home
  const [done, coming] = [visits.filter(isDone), visits.filter((visit) => !isDone(visit))]
  if (visits.length === 0) return <p class="muted">{t.noVisits}</p>
  const more = coming.length - shownAtMost
  return (
    <>
      <ul class="visit-rows">
        {coming.slice(0, shownAtMost).map((visit) => (
          <Row key={visit.id} visit={visit} />
        ))}
      </ul>
      <p class="small muted">
        {[more > 0 && t.moreVisits(number(more)), done.length > 0 && t.doneVisits(number(done.length))]
          .filter(Boolean)
          .join(' · ')}{' '}
        {more > 0 && <a href={withQuery('/planning', { vue: 'jour', date })}>{t.see}</a>}
      </p>
    </>
  )
}

function Row({ visit: { id, debut, fin, client, lieu, poseur, statut } }: { readonly visit: Rdv }) {
  return (
    <li>
      <a
        class="number"
        href={withQuery('/planning', { date: today(), rdv: id })}
      >{`${timeOf(debut)} – ${timeOf(fin)}`}</a>
      <span class="cut">
        <strong>{personName(client)}</strong> <span class="muted">{lieu?.ville}</span>
      </span>
      <span class="cut muted">{poseur.nom}</span>
      <VisitState of={statut} />
    </li>
  )
}
