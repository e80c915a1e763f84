import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import type { CaseDetail } from '../api/client.js'
import { useRead } from '../api/read.js'
import { to, withQuery } from '../session/address.js'
import { may } from '../session/session.js'
import { Answered } from '../system/answered.js'
import { Fact, Time } from '../system/bits.js'
import { Card, Page } from '../system/page.js'
import { moment, personName } from '../words/formats.js'
import { words } from '../words/words.js'
import { AddPhotos } from './add-photos.js'
import { Comments } from './comments.js'
import { EarlierVisits } from './earlier-visits.js'
import { FollowUp } from './follow-up.js'
import { History } from './history.js'
import { Priority, Status } from './marks.js'
import { OnSite } from './on-site.js'
import { Comparison, Photos } from './photos.js'
import { ProofCard } from './proof-card.js'
import { caseById } from './questions.js'
import { Reopening } from './reopening.js'
import { ReportCard } from './report-card.js'

export function OneCase() {
  const { params } = useRoute()
  const id = Number(params['id'])
  // Another case is another screen: nothing of the one before may stand in it.
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
          <div class="split">
            <div class="stack">
              {found.statut === 'clos' && <Closed found={found} />}
              <Card title={t.oneCase.description}>
                <p class="prose">{found.description}</p>
                <Photos photos={found.photos} />
                {(may('sav:write') || may('sav:close')) && <AddPhotos id={found.id} />}
              </Card>
              <Card title={t.comments.title}>
                <Comments id={found.id} />
              </Card>
              {found.interventions.length > 0 && (
                <Card title={t.oneCase.visits}>
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

function Closed({ found }: { readonly found: CaseDetail }) {
  const t = words.value.oneCase
  return (
    <Card
      title={t.resolution}
      actions={
        found.date_cloture && (
          <span class="muted small">
            <Time at={found.date_cloture}>{moment(found.date_cloture)}</Time>
          </span>
        )
      }
    >
      <div class="stack">
        <p class="prose">{found.resolution}</p>
        <Comparison before={found.photo_avant} after={found.photo_apres} />
        <dl class="facts">
          {found.reserves.length > 0 && (
            <Fact name={t.reserves}>
              <ul class="bullets">
                {found.reserves.map((reserve) => (
                  <li key={reserve}>{reserve}</li>
                ))}
              </ul>
            </Fact>
          )}
          {found.signature_client && (
            <Fact name={t.signature}>
              <img class="signature-shown" src={found.signature_client} alt={t.signature} />
              {found.signataire_nom && <span class="muted small">{t.signedBy(found.signataire_nom)}</span>}
            </Fact>
          )}
          {!found.signature_client && found.signataire_nom && (
            <Fact name={t.signature}>{t.signedBy(found.signataire_nom)}</Fact>
          )}
        </dl>
      </div>
    </Card>
  )
}
