import { type CaseDetail, sav } from '../../api/client.js'
import { may } from '../../session/session.js'
import { act } from '../../system/act.js'
import { Badge, Labelled, type Tone } from '../../system/bits.js'
import { Card } from '../../system/page.js'
import { plainError } from '../../webhooks/plain-error.js'
import { words } from '../../words/words.js'

const tones = { non_configure: 'plain', en_file: 'busy', envoye: 'good', echec: 'bad' } as const satisfies Record<
  string,
  Tone
>

/** The reception report, and the channels by which it reached the customer. */
export function ReportCard({ found: { id, pv } }: { readonly found: CaseDetail }) {
  const t = words.value.oneCase.report
  if (pv === null) return null
  const canaux: Readonly<Record<string, string>> = t.canaux
  const resend = () => act(() => sav.post('/api/v1/sav/{id}/pv/envoyer', { params: { id }, body: {} }), t.resent)
  return (
    <Card title={t.title} actions={<Badge tone={tones[pv.statut]}>{t.statut[pv.statut]}</Badge>}>
      <div class="stack">
        {pv.canaux.length > 0 && (
          <ul class="stack-small">
            {pv.canaux.map(({ canal, statut, erreur, code }) => (
              <li key={canal}>
                <div class="row-apart">
                  <span>{canaux[canal] ?? canal}</span>
                  <Badge tone={tones[statut]}>{t.statut[statut]}</Badge>
                </div>
                {erreur && <p class="small muted">{plainError({ statut: null, code, erreur })}</p>}
              </li>
            ))}
          </ul>
        )}
        <div class="row">
          <a class="button small" href={`/api/v1/sav/${id}/pv`} target="_blank" rel="noreferrer">
            <Labelled icon="file">{t.open}</Labelled>
          </a>
          {may('sav:write') && pv.canaux.length > 0 && (
            <button type="button" class="button small" onClick={resend}>
              <Labelled icon="send">{t.resend}</Labelled>
            </button>
          )}
        </div>
      </div>
    </Card>
  )
}
