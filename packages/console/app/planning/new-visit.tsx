import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { changed } from '../api/changes.js'
import { type Rdv, type Slot, sav } from '../api/client.js'
import { useRead } from '../api/read.js'
import { caseById, visitsOfCase } from '../cases/questions.js'
import { nextOf } from '../cases/visit-choice.js'
import { type ChosenClient, ClientChoice } from '../directory/client-choice.js'
import { allPoseurs, clientById } from '../directory/questions.js'
import { withQuery } from '../session/address.js'
import { dateOf, dayName, instantOf, timeOf, today } from '../session/zone.js'
import { saidOf } from '../system/answered.js'
import { type Fields, Form, SelectField, TextArea, TextField } from '../system/form.js'
import { Icon } from '../system/icons.js'
import { say, sayFailed } from '../system/notices.js'
import { Card, Page } from '../system/page.js'
import { personName } from '../words/formats.js'
import { words } from '../words/words.js'
import { adviceIn } from './advice.js'
import { type Conflict, conflictIn } from './moving.js'
import type { AskedSlots } from './questions.js'
import { Slots } from './slots.js'
import { TakenTime } from './taken.js'

type When =
  | { readonly jeton: string }
  | { readonly debut: string; readonly poseur_id: number; readonly duree_minutes: number }

const isType = (name: string): name is Rdv['type'] => name in words.peek().rdv.type
const types = () => Object.keys(words.peek().rdv.type satisfies Record<Rdv['type'], string>).filter(isType)
const usualMinutes = 90

/** Books a visit of a case or of a client: at a free time that is chosen, or at any other that is typed. */
export function NewVisit() {
  const { query, route } = useLocation()
  const caseId = Number(query['sav_id']) || null
  const clientId = Number(query['client_id']) || null
  const dossier = useRead(caseById, caseId).value?.found
  const client = useRead(clientById, clientId).value
  const { value: poseurs = [] } = useRead(allPoseurs, 'all')
  const [chosen, setChosen] = useState<ChosenClient | null>(null)
  const [duration, setDuration] = useState(usualMinutes)
  const [type, setType] = useState<Rdv['type']>('sav')
  const [notes, setNotes] = useState('')
  const [taken, setTaken] = useState<Conflict | null>(null)
  const t = words.value.planning
  const person = dossier?.client ?? client ?? chosen
  const { value: place } = useRead(clientById, person?.id ?? null)
  const { value: planned = [] } = useRead(visitsOfCase, caseId)
  const next = nextOf(planned, new Date().toISOString())

  const book = async (when: When) => {
    if (person === null) return
    try {
      const { data } = await sav.post('/v1/planning/rdv', {
        body: {
          ...when,
          ...(caseId === null ? { client_id: person.id } : { sav_id: caseId }),
          type: caseId === null ? type : 'sav',
          ...(notes.trim() !== '' && { notes: notes.trim() }),
        },
      })
      say([t.booked(data.poseur.nom), ...adviceIn(data.avertissements)].join(' '))
      changed()
      route(withQuery('/planning', { date: dateOf(data.debut), rdv: data.id }))
    } catch (error) {
      const found = conflictIn(error)
      if (found === null) sayFailed(saidOf(error))
      setTaken(found)
    }
  }
  const pick = ({ jeton }: Slot) => book({ jeton })
  const typed = (fields: Fields) =>
    book({
      debut: instantOf(`${fields.text('date')}T${fields.text('hour')}`),
      poseur_id: Number(fields.text('poseur_id')),
      duree_minutes: duration,
    })
  const asked: Partial<AskedSlots> =
    caseId !== null
      ? { sav_id: caseId }
      : { code_postal: place?.lieu?.code_postal ?? undefined, ville: place?.lieu?.ville ?? undefined }

  return (
    <Page
      title={t.new}
      up={{ screen: '/planning', name: t.title }}
      lead={dossier && `${dossier.reference} · ${personName(dossier.client)}`}
    >
      {next && (
        <p class="hint-box already">
          <Icon name="warning" />
          <a href={withQuery('/planning', { date: dateOf(next.debut), rdv: next.id })}>
            {t.already(`${dayName(dateOf(next.debut))}, ${timeOf(next.debut)}`, next.poseur.nom)}
          </a>
        </p>
      )}
      <div class="split">
        <Card title={t.free}>
          {person === null ? (
            <p class="muted">{t.clientFirst}</p>
          ) : (
            <Slots
              key={dossier?.poseur_assigne?.id}
              duree={duration}
              place={asked}
              first={dossier?.poseur_assigne?.id ?? null}
              onPick={pick}
            />
          )}
        </Card>
        <div class="stack">
          <Card>
            <div class="form">
              {caseId === null && <ClientChoice chosen={person} error={null} onChoose={setChosen} />}
              {caseId === null && (
                <SelectField
                  name="type"
                  label={t.type}
                  value={type}
                  options={types().map((each) => [each, words.value.rdv.type[each]] as const)}
                  onChange={(value) => setType(types().find((each) => each === value) ?? 'autre')}
                />
              )}
              <TextField
                name="duree"
                label={t.duration}
                type="number"
                value={String(duration)}
                onChange={(value) => setDuration(Math.min(720, Math.max(1, Math.round(Number(value)) || usualMinutes)))}
              />
              <TextArea name="notes" label={t.notes} rows={2} maxLength={5000} onChange={setNotes} />
            </div>
          </Card>
          {person !== null && (
            <Card title={t.otherTime}>
              <Form keptAs="visit/new" submit={t.book} tone="plain" onSubmit={typed}>
                <div class="fields">
                  <TextField name="date" label={t.date} type="date" value={today()} required />
                  <TextField name="hour" label={t.hour} type="time" value="09:00" required />
                </div>
                <SelectField
                  name="poseur_id"
                  label={t.poseur}
                  options={poseurs.filter(({ actif }) => actif).map(({ id, nom }) => [String(id), nom] as const)}
                />
              </Form>
            </Card>
          )}
        </div>
      </div>
      {taken && <TakenTime taken={taken} onClose={() => setTaken(null)} onPick={pick} />}
    </Page>
  )
}
