import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import type { CaseDetail } from '../api/client.js'
import { useRead } from '../api/read.js'
import { to, withQuery } from '../session/address.js'
import { may } from '../session/session.js'
import { Answered } from '../system/answered.js'
import { Time } from '../system/bits.js'
import { Card, Page } from '../system/page.js'
import { moment, personName } from '../words/formats.js'
import { words } from '../words/words.js'
import { AddPhotos } from './add-photos.js'
import { Addenda, Closed } from './closing/closed.js'
import { ProofCard } from './closing/proof-card.js'
import { Reopening } from './closing/reopening.js'
import { ReportCard } from './closing/report-card.js'
import { Comments } from './comments.js'
import { EarlierVisits } from './earlier-visits.js'
import { FollowUp } from './follow-up.js'
import { History } from './history.js'
import { Priority, Status } from './marks.js'
import { Notes } from './notes.js'
import { OnSite } from './on-site.js'
import { Photos } from './photos.js'
import { caseById } from './questions.js'

export function OneCase() {
  const { params } = useRoute()
  const id = Number(params['id'])
  // The key gives each case its own screen, so that nothing of the previous case stays visible.
  return <CaseScreen key={id} id={id} />
}

function CaseScreen({ id }: { readonly id: number }) {
  const reading = useRead(caseById, id)
  const t = words.value
  const found = reading.value?.found
  return (
    <Page
      title={found?.reference ?? t.cases.title}
      up={{ screen: '/dossiers', name: t.cases.title }}
      {...(found && {
        beside: (
          <>
            <Status of={found.statut} />
            <Priority of={found.priorite} />
          </>
        ),
        lead: <Lead found={found} />,
        actions: <Actions found={found} />,
      })}
    >
      <Answered reading={reading}>
        {({ found, etag }) => (
          <div class="split case-split">
            <div class="stack">
              {found.statut === 'clos' && <Closed found={found} />}
              {found.addenda.length > 0 && <Addenda found={found} />}
              <Card
                title={t.oneCase.description}
                actions={(may('sav:write') || may('sav:close')) && <AddPhotos id={found.id} />}
              >
                <p class="prose">{words.value.stored(found.description)}</p>
                <Photos photos={found.photos} />
              </Card>
              <Card title={t.comments.title} class="case-later">
                <div class="stack">
                  <Notes found={found} etag={etag} />
                  <Comments id={found.id} />
                </div>
              </Card>
              {found.interventions.length > 0 && (
                <Card title={t.oneCase.visits} class="case-later">
                  <EarlierVisits found={found} />
                </Card>
              )}
              <History rows={found.historique} />
            </div>
            <div class="stack">
              <OnSite found={found} />
              <FollowUp found={found} etag={etag} />
              {found.pv && <ReportCard found={found} />}
              {found.preuve.length > 0 && <ProofCard found={found} />}
            </div>
          </div>
        )}
      </Answered>
    </Page>
  )
}

function Lead({ found }: { readonly found: CaseDetail }) {
  return (
    <>
      <a href={to(`/clients/${found.client.id}`)}>{personName(found.client)}</a>
      {' · '}
      {words.value.type_probleme[found.type_probleme]}
      {' · '}
      <Time at={found.date_creation}>{moment(found.date_creation)}</Time>
      {found.reference_origine && ` · ${words.value.oneCase.origin(found.reference_origine)}`}
    </>
  )
}

function Actions({ found }: { readonly found: CaseDetail }) {
  const [isReopening, setReopening] = useState(false)
  const t = words.value.oneCase
  if (found.statut === 'clos')
    return (
      may('sav:write') && (
        <>
          <button type="button" class="button" onClick={() => setReopening(true)}>
            {t.reopen}
          </button>
          {isReopening && <Reopening id={found.id} onClose={() => setReopening(false)} />}
        </>
      )
    )
  return (
    <>
      {may('planning:write') && (
        <a class="button" href={withQuery('/planning/nouveau', { sav_id: found.id })}>
          {t.plan}
        </a>
      )}
      {(may('sav:write') || may('sav:close')) && (
        <a class="button primary" href={to(`/dossiers/${found.id}/cloture`)}>
          {t.close}
        </a>
      )}
    </>
  )
}
