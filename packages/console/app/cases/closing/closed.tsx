import type { CaseDetail } from '../../api/client.js'
import { Fact, Time } from '../../system/bits.js'
import { Card } from '../../system/page.js'
import { moment } from '../../words/formats.js'
import { words } from '../../words/words.js'
import { Comparison } from '../photos.js'

/** How a case was closed. */
export function Closed({ found }: { readonly found: CaseDetail }) {
  return (
    <Card
      title={words.value.oneCase.resolution}
      actions={
        found.date_cloture && (
          <span class="muted small">
            <Time at={found.date_cloture}>{moment(found.date_cloture)}</Time>
          </span>
        )
      }
    >
      <What told={found} />
    </Card>
  )
}

/** Closes that arrived from a phone after the case was closed. They do not replace the first close. */
export function Addenda({ found: { addenda } }: { readonly found: CaseDetail }) {
  const t = words.value.oneCase.fromField
  return (
    <Card title={t.addenda}>
      <p class="muted small">{t.addendaText}</p>
      <ul class="lines">
        {addenda.map((told) => (
          <li key={`${told.date} ${told.survenu_a}`} class="stack-small">
            <span class="muted small">
              {t.arrived} <Time at={told.date}>{moment(told.date)}</Time>
            </span>
            <What told={told} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

type Findings = Pick<
  CaseDetail,
  'resolution' | 'photo_avant' | 'photo_apres' | 'reserves' | 'signature_client' | 'signataire_nom' | 'survenu_a' | 'vu'
>

function What({ told }: { readonly told: Findings }) {
  const t = words.value.oneCase
  const { resolution, photo_avant, photo_apres, reserves, signature_client, signataire_nom, survenu_a, vu } = told
  return (
    <div class="stack">
      <p class="prose">{resolution && words.value.stored(resolution)}</p>
      <Comparison before={photo_avant} after={photo_apres} />
      <dl class="facts">
        {survenu_a && (
          <Fact name={t.fromField.onSite}>
            <Time at={survenu_a}>{moment(survenu_a)}</Time>
          </Fact>
        )}
        {reserves.length > 0 && (
          <Fact name={t.reserves}>
            <ul class="bullets">
              {reserves.map((reserve) => (
                <li key={reserve}>{reserve}</li>
              ))}
            </ul>
          </Fact>
        )}
        {signature_client && (
          <Fact name={t.signature}>
            <img class="signature-shown" src={signature_client} alt={t.signature} />
            {signataire_nom && <span class="muted small">{t.signedBy(signataire_nom)}</span>}
          </Fact>
        )}
        {!signature_client && signataire_nom && <Fact name={t.signature}>{t.signedBy(signataire_nom)}</Fact>}
        {vu && (
          <Fact name={t.fromField.shown}>
            <a href={vu} target="_blank" rel="noopener">
              {t.fromField.openShown}
            </a>
          </Fact>
        )}
      </dl>
    </div>
  )
}
