import { useEffect, useState } from 'preact/hooks'
import { resultats } from '../api.js'
import { go } from '../state/address.js'
import { addTypedPart, changeDraft, draftOf } from '../state/drafting.js'
import { finish } from '../state/facts.js'
import { say, sayFailed } from '../state/notices.js'
import { day, visitOf } from '../state/own.js'
import type { Visit } from '../sync/day.js'
import { isBegun, lackingOf, type MissingPart, mayClose } from '../sync/draft.js'
import { words } from '../words/words.js'
import { Screen, Section } from './frame.js'
import { NextVisit } from './next-visit.js'
import { PartsSection } from './parts.js'
import { PhotoSection } from './photos.js'
import { shownText } from './shown-text.js'

/** The report of a visit: stored as it is typed, sent when it is finished. */
export function WorkScreen({ id }: { readonly id: number }) {
  const visit = visitOf(id)
  const [lacking, setLacking] = useState<MissingPart | null>(null)
  const t = words.value.work
  // If the user goes back after the end of the visit, show its report instead of an empty form.
  const isOver = visit?.statut === 'realise' && !isBegun({ ...draftOf(id), commentaire: undefined, absence: undefined })
  useEffect(() => {
    if (isOver) go(`/visite/${id}`, 'replace')
  }, [isOver])
  if (visit === undefined)
    return (
      <Screen title={t.title} up="">
        <p class="empty">{words.value.visit.gone}</p>
      </Screen>
    )
  const draft = draftOf(id)
  const closes = mayClose(draft, visit.sav !== null)
  return (
    <Screen title={t.title} up={`/visite/${id}`} actions={<Ending visit={visit} onLacking={setLacking} />}>
      {lacking !== null && (
        <p class="box bad" role="alert">
          {t.lacking[lacking]}
        </p>
      )}
      {visit.sav !== null && <PhotoSection id={id} />}
      <Section title={t.outcome}>
        <div class="choices" role="radiogroup" aria-label={t.outcome}>
          {resultats.map((resultat) => (
            <label key={resultat} class="choice">
              <input
                type="radio"
                name="resultat"
                checked={draft.resultat === resultat}
                onChange={() => {
                  setLacking(null)
                  changeDraft(id, { resultat })
                }}
              />
              {words.value.resultats[resultat]}
            </label>
          ))}
        </div>
      </Section>
      <Section title={t.report}>
        <textarea
          rows={4}
          maxLength={4000}
          aria-label={t.report}
          value={draft.texte}
          onInput={({ currentTarget }) => changeDraft(id, { texte: currentTarget.value })}
        />
        <ShortTexts id={id} />
      </Section>
      <PartsSection id={id} />
      {closes && (
        <Section title={t.reserves}>
          <textarea
            rows={2}
            maxLength={2000}
            aria-label={t.reserves}
            placeholder={t.reservesHint}
            value={draft.reserves}
            onInput={({ currentTarget }) => changeDraft(id, { reserves: currentTarget.value })}
          />
        </Section>
      )}
      {draft.resultat !== null && draft.resultat !== 'resolu' && <NextVisit visit={visit} />}
      <p class="muted center">{t.saved}</p>
    </Screen>
  )
}

/** Texts of the shop, which a tap appends to the report. */
function ShortTexts({ id }: { readonly id: number }) {
  const texts = day.value?.told.textes_terrain ?? []
  if (texts.length === 0) return null
  const put = (text: string) => {
    const { texte } = draftOf(id)
    changeDraft(id, { texte: [texte.trim(), text].filter(Boolean).join('\n').slice(0, 4000) })
  }
  return (
    <fieldset class="texts">
      <legend class="hidden">{words.value.work.shortTexts}</legend>
      {texts.map((text) => (
        <button key={text} type="button" class="chip" onClick={() => put(text)}>
          {text}
        </button>
      ))}
    </fieldset>
  )
}

interface EndingProps {
  readonly visit: Visit
  readonly onLacking: (lacking: MissingPart | null) => void
}

function Ending({ visit, onLacking }: EndingProps) {
  const [isBusy, setBusy] = useState(false)
  const t = words.value.work
  const draft = draftOf(visit.id)
  const { resultat } = draft
  const closes = mayClose(draft, visit.sav !== null)
  const isWhole = () => {
    addTypedPart(visit.id)
    const lacking = lackingOf(draftOf(visit.id), closes)
    onLacking(lacking)
    if (lacking !== null) scrollTo({ top: 0, behavior: 'smooth' })
    return lacking === null
  }
  const end = async () => {
    if (!isWhole() || resultat === null || isBusy) return
    setBusy(true)
    try {
      await finish(visit.id, resultat, closes ? { png: null, vu: shownText(visit, draftOf(visit.id)) } : null)
      say(t.done)
      go('', 'replace')
    } catch (error) {
      sayFailed(error)
      setBusy(false)
    }
  }
  if (!closes)
    return (
      <button type="button" class="button primary" aria-disabled={isBusy} onClick={end}>
        {t.finish}
      </button>
    )
  return (
    <>
      <button type="button" class="button" aria-disabled={isBusy} onClick={end}>
        {t.withoutSignature}
      </button>
      <button type="button" class="button primary" onClick={() => isWhole() && go(`/visite/${visit.id}/signature`)}>
        {t.sign}
      </button>
    </>
  )
}
