import { useRef, useState } from 'preact/hooks'
import { go } from '../state/address.js'
import { changeDraft, draftOf } from '../state/drafting.js'
import { begin, takeBackAbsent, tell } from '../state/facts.js'
import { sayFailed } from '../state/notices.js'
import { day, visitOf } from '../state/own.js'
import { isOpen, type Visit } from '../sync/day.js'
import { dateOf, dayName, personName, timeOf } from '../words/formats.js'
import { words } from '../words/words.js'
import { CaseParts } from './case-parts.js'
import { Screen, Section, Sheet } from './frame.js'
import { Icon } from './icons.js'
import { LatenessSheet } from './lateness.js'
import { placeLines, QuickLinks } from './place.js'

export function VisitScreen({ id }: { readonly id: number }) {
  const visit = visitOf(id)
  const [sheet, setSheet] = useState<'late' | 'absent' | null>(null)
  const t = words.value.visit
  if (visit === undefined)
    return (
      <Screen title={t.title} up="">
        <p class="empty">{t.gone}</p>
      </Screen>
    )
  const dossier = day.value?.told.dossiers.find((each) => each.id === visit.sav?.id)
  const close = () => setSheet(null)
  return (
    <Screen
      title={personName(visit.client)}
      page={t.title}
      up=""
      actions={<Actions visit={visit} onAbsent={() => setSheet('absent')} />}
    >
      <Head visit={visit} />
      <QuickLinks visit={visit} onLate={() => setSheet('late')} />
      {visit.notes && (
        <Section title={t.notes}>
          <p class="prose">{visit.notes}</p>
        </Section>
      )}
      <Told visit={visit} />
      {dossier !== undefined && <CaseParts visit={visit} dossier={dossier} />}
      {sheet === 'late' && <LatenessSheet id={id} onClose={close} />}
      {sheet === 'absent' && <AbsentSheet id={id} onClose={close} />}
    </Screen>
  )
}

function Head({ visit }: { readonly visit: Visit }) {
  const { debut, fin, fuseau, statut, type, lieu, client, sav, fenetre_client, equipiers, motif_annulation } = visit
  const t = words.value
  const [street, town] = placeLines(lieu, client.adresse)
  return (
    <section class="card">
      <p class="when">
        <strong>
          {timeOf(debut, fuseau)}–{timeOf(fin, fuseau)}
        </strong>{' '}
        {dayName(dateOf(debut, fuseau))}
      </p>
      <p class="marks">
        <span class={`mark ${statut}`}>{t.statuts[statut]}</span>
        <span class="muted">
          {t.types[type]}
          {sav && ` · ${sav.reference}`}
        </span>
        {visit.isAhead && <span class="mark ahead">{t.day.toSend}</span>}
      </p>
      {visit.retard_minutes && isOpen(visit) ? <p class="late">{t.day.late(visit.retard_minutes)}</p> : null}
      {visit.hasLeft && <p class="box warn">{t.visit.departed}</p>}
      {motif_annulation && <p class="box bad">{t.visit.cancelled(t.stored(motif_annulation))}</p>}
      <p class="address">
        {street}
        <br />
        {town}
      </p>
      {lieu?.acces && (
        <p class="access large">
          <Icon name="key" />
          <span>
            <small>{t.visit.doorCode}</small>
            {lieu.acces}
          </span>
        </p>
      )}
      {fenetre_client && (
        <p class="muted">{t.visit.window(timeOf(fenetre_client.debut, fuseau), timeOf(fenetre_client.fin, fuseau))}</p>
      )}
      {equipiers.length > 0 && <p class="muted">{t.visit.with(equipiers.map(({ nom }) => nom).join(', '))}</p>}
    </section>
  )
}

/** What the installer reported. */
function Told({ visit: { resultat, compte_rendu } }: { readonly visit: Visit }) {
  const t = words.value
  if (!resultat && !compte_rendu) return null
  return (
    <Section title={t.work.report}>
      {resultat && <p class="muted">{t.resultats[resultat]}</p>}
      {compte_rendu && <p class="prose">{t.stored(compte_rendu)}</p>}
    </Section>
  )
}

function Actions({ visit, onAbsent }: { readonly visit: Visit; readonly onAbsent: () => void }) {
  const isBeginning = useRef(false)
  const t = words.value.visit
  const { id, statut } = visit
  // A second press is ignored: it would navigate again after the user went back.
  const goOn = async () => {
    if (isBeginning.current) return
    isBeginning.current = true
    try {
      if (statut !== 'en_cours') await begin(id)
      go(`/visite/${id}/intervention`)
    } finally {
      isBeginning.current = false
    }
  }
  if (statut === 'absent')
    return (
      <button type="button" class="button" onClick={() => takeBackAbsent(id).catch(sayFailed)}>
        {t.takeBack}
      </button>
    )
  // A visit that was begun here can be ended here, even if the office has reassigned it.
  if (statut === 'realise' || (statut === 'annule' && !visit.hasLeft)) return null
  return (
    <>
      <button type="button" class="button" onClick={onAbsent}>
        {t.absent}
      </button>
      <button type="button" class="button primary" onClick={() => goOn().catch(sayFailed)}>
        {statut === 'en_cours' ? t.goOn : t.begin}
      </button>
    </>
  )
}

function AbsentSheet({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const text = draftOf(id).absence ?? ''
  const [isBusy, setBusy] = useState(false)
  const t = words.value.visit
  const note = () => {
    if (isBusy) return
    setBusy(true)
    const compte_rendu = text.trim()
    const told = () => {
      changeDraft(id, { absence: undefined })
      onClose()
    }
    tell(id, { operation: 'absent', body: compte_rendu === '' ? {} : { compte_rendu } }).then(told, (error) => {
      setBusy(false)
      sayFailed(error)
    })
  }
  return (
    <Sheet title={t.absentSure} onClose={onClose}>
      <label class="field">
        {t.absentNote}
        <textarea
          rows={2}
          maxLength={5000}
          value={text}
          onInput={({ currentTarget }) => changeDraft(id, { absence: currentTarget.value || undefined })}
        />
      </label>
      <button type="button" class="button primary" aria-disabled={isBusy} onClick={note}>
        {t.absent}
      </button>
    </Sheet>
  )
}
