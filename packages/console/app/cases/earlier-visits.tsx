import type { CaseDetail } from '../api/client.js'
import { withQuery } from '../session/address.js'
import { Time } from '../system/bits.js'
import { moment } from '../words/formats.js'
import { words } from '../words/words.js'
import { Photos } from './photos.js'

/** What was done at each visit, with its photos; the latest first. */
export function EarlierVisits({ found: { interventions, photos } }: { readonly found: CaseDetail }) {
  const resultNames: Readonly<Record<string, string>> = words.value.planning.results
  return (
    <ul class="lines">
      {interventions
        .toReversed()
        .map(({ id, date_debut, poseur, resultat, compte_rendu, pieces, rdv_id, survenu_a }) => {
          const taken = photos.filter((photo) => photo.rdv_id === rdv_id)
          return (
            <li key={id} class="stack-small">
              <div class="row-apart">
                <span>
                  <a href={withQuery('/planning', { rdv: rdv_id })}>
                    <Time at={date_debut}>{moment(date_debut)}</Time>
                  </a>{' '}
                  · {poseur.nom}
                  {survenu_a && (
                    <span class="muted small">
                      {' · '}
                      {words.value.oneCase.fromField.toldAt} <Time at={survenu_a}>{moment(survenu_a)}</Time>
                    </span>
                  )}
                </span>
                <span class="muted small">{resultNames[resultat ?? ''] ?? resultat}</span>
              </div>
              {compte_rendu && <p class="quote">{words.value.stored(compte_rendu)}</p>}
              {pieces.length > 0 && (
                <p class="small muted">
                  {pieces.map(({ quantite, designation }) => `${quantite} × ${designation}`).join(', ')}
                </p>
              )}
              {taken.length > 0 && <Photos photos={taken} />}
            </li>
          )
        })}
    </ul>
  )
}
