import { useState } from 'preact/hooks'
import { changed } from '../api/changes.js'
import { type Rdv, type RdvChange, type Slot, sav } from '../api/client.js'
import { useRead } from '../api/read.js'
import { allPoseurs, clientById } from '../directory/questions.js'
import { VisitState } from '../directory/visit-state.js'
import { WayThere } from '../directory/way-there.js'
import { to } from '../session/address.js'
import { may } from '../session/session.js'
import { dateOf, dayName, instantOf, timeOf, wallOf } from '../session/zone.js'
import { Answered } from '../system/answered.js'
import { Fact, Time } from '../system/bits.js'
import { Dialog } from '../system/dialog.js'
import { type Fields, Form, IncompleteFormError, SelectField, TextArea, TextField } from '../system/form.js'
import { say } from '../system/notices.js'
import { inThisTab } from '../system/typed.js'
import { personName } from '../words/formats.js'
import { words } from '../words/words.js'
import { bookAgain, type Conflict, canTakeBack, confirm, late, markAbsent, move, takeBackAbsence } from './moving.js'
import { placeOf, visitById } from './questions.js'
import { Slots } from './slots.js'
import { TakenTime } from './taken.js'
import { CaseOfVisit } from './visit-case.js'

type VisitAction = 'move' | 'cancel' | 'done' | 'absent' | 'window' | null

/** An appointment, and its actions. */
export function Visit({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const reading = useRead(visitById, id)
  const [doing, setDoing] = useState<VisitAction>(null)
  const t = words.value
  const visit = reading.value
  const title = visit ? `${t.rdv.type[visit.type]} · ${personName(visit.client)}` : t.planning.visit
  const back = () => setDoing(null)
  return (
    <Dialog title={title} wide={doing === 'move' || (doing === null && visit?.sav != null)} onClose={onClose}>
      <Answered reading={reading}>
        {(found) => {
          if (doing === 'move') return <Moving visit={found} onDone={onClose} onCancel={back} />
          if (doing === 'cancel') return <Cancelling visit={found} onDone={onClose} onCancel={back} />
          if (doing === 'done') return <Finishing visit={found} onDone={onClose} onCancel={back} />
          if (doing === 'absent') return <Absent visit={found} onDone={back} onCancel={back} />
          if (doing === 'window') return <Window visit={found} onDone={back} onCancel={back} />
          return <Facts visit={found} onDo={setDoing} />
        }}
      </Answered>
    </Dialog>
  )
}

function Facts({ visit, onDo }: { readonly visit: Rdv; readonly onDo: (doing: VisitAction) => void }) {
  const t = words.value.planning
  const { debut, fin, poseur, equipiers, lieu, notes, fenetre_client, trajet_avant_minutes, statut } = visit
  const { sav: dossier, client, compte_rendu, motif_annulation, retard_minutes } = visit
  const { value: person } = useRead(clientById, may('directory:read') ? client.id : null)
  const [taken, setTaken] = useState<Conflict | null>(null)
  const isOpen = statut === 'planifie' || statut === 'confirme' || statut === 'propose'
  return (
    <div class="stack">
      <div class="row-apart">
        <strong>
          <Time at={debut}>{`${dayName(dateOf(debut))}, ${timeOf(debut)} – ${timeOf(fin)}`}</Time>
        </strong>
        <VisitState of={statut} />
      </div>
      <dl class="facts">
        <Fact name={t.poseur}>{[poseur, ...equipiers].map(({ nom }) => nom).join(', ')}</Fact>
        <Fact name={words.value.cases.client}>
          <a href={to(`/clients/${client.id}`)}>{personName(client)}</a>
        </Fact>
        {dossier && (
          <Fact name={t.case}>
            <a href={to(`/dossiers/${dossier.id}`)}>{dossier.reference}</a>
          </Fact>
        )}
        <WayThere lieu={lieu} adresse={person?.adresse} telephone={person?.telephone} />
        {fenetre_client && (
          <Fact name={t.window}>{`${timeOf(fenetre_client.debut)} – ${timeOf(fenetre_client.fin)}`}</Fact>
        )}
        {trajet_avant_minutes !== null && <Fact name={t.travel}>{t.minutes(trajet_avant_minutes)}</Fact>}
        {retard_minutes !== null && <Fact name={t.late}>{t.lateBy(retard_minutes)}</Fact>}
        {notes && <Fact name={t.notes}>{notes}</Fact>}
        {compte_rendu && <Fact name={t.report}>{words.value.stored(compte_rendu)}</Fact>}
        {motif_annulation && <Fact name={t.reason}>{words.value.stored(motif_annulation)}</Fact>}
      </dl>
      {may('planning:write') && (isOpen || statut === 'en_cours') && (
        <>
          <div class="row">
            {statut !== 'propose' && (
              <>
                <span class="small muted">{t.late}</span>
                {delays.map((minutes) => (
                  <button key={minutes} type="button" class="button small" onClick={() => late(visit, minutes)}>
                    {`+${minutes} min`}
                  </button>
                ))}
              </>
            )}
            <button type="button" class="button small" onClick={() => onDo('window')}>
              {t.setWindow}
            </button>
          </div>
          <div class="form-actions">
            <button type="button" class="button dangerous" onClick={() => onDo('cancel')}>
              {t.cancel}
            </button>
            <button type="button" class="button" onClick={() => onDo('absent')}>
              {t.absent}
            </button>
            <button type="button" class="button" onClick={() => onDo('done')}>
              {t.done}
            </button>
            <button type="button" class="button" onClick={() => onDo('move')}>
              {t.moveTo}
            </button>
            {(statut === 'planifie' || statut === 'propose') && (
              <button type="button" class="button primary" onClick={() => confirm(visit)}>
                {t.confirm}
              </button>
            )}
          </div>
        </>
      )}
      {may('planning:write') && canTakeBack(visit) && (
        <div class="form-actions">
          <button type="button" class="button" onClick={async () => setTaken(await takeBackAbsence(visit))}>
            {t.notAbsent}
          </button>
        </div>
      )}
      {dossier && may('sav:read') && <CaseOfVisit id={dossier.id} rdv_id={visit.id} />}
      {taken && <TakenTime taken={taken} onClose={() => setTaken(null)} onPick={(slot) => bookAgain(visit, slot)} />}
    </div>
  )
}

const delays = [15, 30, 60]

interface DoingProps {
  readonly visit: Rdv
  readonly onDone: () => void
  readonly onCancel: () => void
}

/** Moves a visit to a typed or free time, as dragging does with the mouse. */
function Moving({ visit, onDone, onCancel }: DoingProps) {
  const { value: poseurs = [] } = useRead(allPoseurs, 'all')
  const [taken, setTaken] = useState<Conflict | null>(null)
  const t = words.value.planning
  const [date = '', hour = ''] = wallOf(visit.debut).split('T')
  const form = `move/${visit.id}`
  const go = async (aim: Parameters<typeof move>[1]): Promise<boolean> => {
    const refused = await move(visit, aim)
    if (refused === 'left') return false
    setTaken(refused)
    if (refused !== null) return false
    inThisTab(form).forget()
    onDone()
    return true
  }
  const typed = async (fields: Fields) => {
    const isMoved = await go({
      debut: instantOf(`${fields.text('date')}T${fields.text('hour')}`),
      duree_minutes: Number(fields.text('duree_minutes')),
      poseur_id: Number(fields.text('poseur_id')),
    })
    if (!isMoved) throw new IncompleteFormError()
  }
  const pick = ({ debut, poseur }: Slot) => void go({ debut, poseur_id: poseur.id })
  return (
    <div class="stack">
      <Form keptAs={form} submit={t.move} onCancel={onCancel} onSubmit={typed}>
        <div class="fields">
          <TextField name="date" label={t.date} type="date" value={date} required />
          <TextField name="hour" label={t.hour} type="time" value={hour} required />
          <TextField
            name="duree_minutes"
            label={t.duration}
            type="number"
            value={String(visit.duree_minutes)}
            required
          />
          <SelectField
            name="poseur_id"
            label={t.poseur}
            value={String(visit.poseur.id)}
            options={poseurs
              .filter(({ id, actif }) => actif || id === visit.poseur.id)
              .map(({ id, nom }) => [String(id), nom] as const)}
          />
        </div>
      </Form>
      <h3>{t.free}</h3>
      <Slots duree={visit.duree_minutes} place={placeOf(visit)} first={visit.poseur.id} onPick={pick} />
      {taken && <TakenTime taken={taken} onClose={() => setTaken(null)} onPick={pick} />}
    </div>
  )
}

/** Changes a visit, unless it has changed since the user saw it. */
async function store({ id, version }: Rdv, body: RdvChange, said: string): Promise<void> {
  await sav.patch('/v1/planning/{id}', { params: { id }, body, headers: { 'If-Match': `"${id}-${version}"` } })
  say(said)
  changed()
}

function Cancelling({ visit, onDone, onCancel }: DoingProps) {
  const t = words.value.planning
  return (
    <Form
      keptAs={`cancel/${visit.id}`}
      submit={t.cancel}
      tone="danger"
      onCancel={onCancel}
      onSubmit={async (fields) => {
        await store(visit, { statut: 'annule', motif_annulation: fields.text('motif_annulation') }, t.cancelled)
        onDone()
      }}
    >
      <TextArea name="motif_annulation" label={t.reason} hint={t.reasonHint} required maxLength={500} rows={2} />
    </Form>
  )
}

/** Asks before it marks the customer as absent: they may get a letter, and the time becomes free. */
function Absent({ visit, onDone, onCancel }: DoingProps) {
  const t = words.value.planning
  return (
    <Form
      keptAs={`absent/${visit.id}`}
      submit={t.absent}
      tone="danger"
      onCancel={onCancel}
      onSubmit={async () => {
        await markAbsent(visit)
        onDone()
      }}
    >
      <p>{t.absentText(personName(visit.client))}</p>
    </Form>
  )
}

/** Changes the period of arrival that is announced to the customer. If both fields are empty, none is announced. */
function Window({ visit, onDone, onCancel }: DoingProps) {
  const t = words.value.planning
  const { fenetre_client: told, debut, fin } = visit
  const date = dateOf(debut)
  return (
    <Form
      keptAs={`window/${visit.id}`}
      submit={words.value.save}
      onCancel={onCancel}
      onSubmit={async (fields) => {
        const [from, until] = [fields.text('debut'), fields.text('fin')]
        const isNone = from === '' && until === ''
        const at = (time: string) => instantOf(`${date}T${time}`)
        const fenetre_client = isNone ? null : { debut: at(from || timeOf(debut)), fin: at(until || timeOf(fin)) }
        await store(visit, { fenetre_client }, words.value.saved)
        onDone()
      }}
    >
      <p class="hint">{t.windowHint}</p>
      <div class="fields">
        <TextField name="debut" label={t.windowFrom} type="time" value={timeOf(told?.debut ?? debut)} />
        <TextField name="fin" label={t.windowUntil} type="time" value={timeOf(told?.fin ?? fin)} />
      </div>
    </Form>
  )
}

const results = ['resolu', 'partiel', 'a_reprogrammer', 'impossible'] as const

function Finishing({ visit, onDone, onCancel }: DoingProps) {
  const t = words.value.planning
  return (
    <Form
      keptAs={`done/${visit.id}`}
      submit={t.finish}
      onCancel={onCancel}
      onSubmit={async (fields) => {
        const resultat = results.find((each) => each === fields.text('resultat'))
        const compte_rendu = fields.text('compte_rendu')
        await store(visit, { statut: 'realise', resultat, ...(compte_rendu && { compte_rendu }) }, t.finished)
        onDone()
      }}
    >
      <SelectField
        name="resultat"
        label={t.result}
        value="resolu"
        options={results.map((each) => [each, t.results[each]] as const)}
      />
      <TextArea name="compte_rendu" label={t.report} hint={t.reportHint} maxLength={5000} rows={4} />
    </Form>
  )
}
