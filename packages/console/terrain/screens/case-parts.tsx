import type { Dossier } from '../api.js'
import { changeDraft, draftOf } from '../state/drafting.js'
import { tell } from '../state/facts.js'
import { sayFailed } from '../state/notices.js'
import { outbox } from '../state/own.js'
import type { Visit } from '../sync/day.js'
import { dateOf, dayName } from '../words/formats.js'
import { words } from '../words/words.js'
import { Section } from './frame.js'
import { Thumb } from './thumb.js'

/** The case of a visit. */
export function CaseParts({ visit, dossier }: { readonly visit: Visit; readonly dossier: Dossier }) {
  const t = words.value
  const { description, photos, interventions, reserves } = dossier
  const results: Readonly<Record<string, string>> = t.resultats
  const earlier = interventions.filter(({ rdv_id }) => rdv_id !== visit.id)
  return (
    <>
      <Section title={t.visit.problem}>
        <p class="prose">{t.stored(description)}</p>
      </Section>
      {photos.length > 0 && (
        <Section title={t.visit.photos}>
          <div class="photos">
            {photos.map(({ url }) => (
              <Thumb key={url} url={url} />
            ))}
          </div>
        </Section>
      )}
      {reserves.length > 0 && (
        <Section title={t.visit.reserves}>
          <ul class="plain">
            {reserves.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Section>
      )}
      <Comments visit={visit} dossier={dossier} />
      {earlier.length > 0 && (
        <Section title={t.visit.earlier}>
          <ul class="plain">
            {earlier.map(({ rdv_id, date_debut, poseur, resultat, compte_rendu }) => (
              <li key={rdv_id}>
                <p class="muted">
                  {dayName(dateOf(date_debut, visit.fuseau))} · {poseur.nom}
                  {resultat && ` · ${results[resultat]}`}
                </p>
                {compte_rendu && <p class="prose">{t.stored(compte_rendu)}</p>}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

function Comments({ visit, dossier }: { readonly visit: Visit; readonly dossier: Dossier }) {
  const text = draftOf(visit.id).commentaire ?? ''
  const t = words.value.visit
  const waiting = outbox.value.items.flatMap((item) =>
    item.operation === 'commentaire' && item.rdv_id === visit.id && item.state.is !== 'received' ? [item] : [],
  )
  const type = (commentaire: string) => changeDraft(visit.id, { commentaire: commentaire || undefined })
  const add = () => {
    const { commentaire: typed = '' } = draftOf(visit.id)
    const texte = typed.trim()
    if (texte === '') return
    // Empties the field before sending: a second press then sends nothing, and text typed next is kept.
    type('')
    tell(visit.id, { operation: 'commentaire', body: { texte } }).catch((error: unknown) => {
      type(draftOf(visit.id).commentaire ?? typed)
      sayFailed(error)
    })
  }
  return (
    <Section title={t.comments}>
      <ul class="plain">
        {(dossier.commentaires ?? []).map(({ id, date, acteur, texte }) => (
          <li key={id}>
            <p class="muted">
              {dayName(dateOf(date, visit.fuseau))}
              {acteur.nom && ` · ${acteur.nom}`}
            </p>
            <p class="prose">{words.value.stored(texte)}</p>
          </li>
        ))}
        {waiting.map(({ id, body }) => (
          <li key={id}>
            <p class="muted">{t.waitsToGo}</p>
            <p class="prose">{body.texte}</p>
          </li>
        ))}
      </ul>
      <div class="inline">
        <label class="field">
          <span class="hidden">{t.comment}</span>
          <textarea
            rows={1}
            maxLength={5000}
            placeholder={t.comment}
            value={text}
            onInput={({ currentTarget }) => type(currentTarget.value)}
          />
        </label>
        <button type="button" class="button" onClick={add}>
          {words.value.add}
        </button>
      </div>
    </Section>
  )
}
