import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { changed } from '../api/changes.js'
import { type Poseur, type Rdv, type Slot, sav } from '../api/client.js'
import { useRead } from '../api/read.js'
import { caseById, visitsOfCase } from '../cases/questions.js'
import { nextOf } from '../cases/visit-choice.js'
import { type ChosenClient, ClientChoice } from '../directory/client-choice.js'
import { allPoseurs, clientById } from '../directory/questions.js'
import { withQuery } from '../session/address.js'
import { dateOf, dayName, instantOf, isDate, timeOf, today } from '../session/zone.js'
import { saidOf } from '../system/answered.js'
import { type Fields, Form, IncompleteFormError, SelectField, TextArea, TextField } from '../system/form.js'
import { Icon } from '../system/icons.js'
import { say, sayFailed } from '../system/notices.js'
import { Card, Page } from '../system/page.js'
import { inThisTab } from '../system/typed.js'
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

/** Books a visit for a case or a client, at a chosen free time or at any typed one. */
export function NewVisit() {
  const { query } = useLocation()
  const caseId = Number(query['sav_id']) || null
  const clientId = Number(query['client_id']) || null
  const { date, heure = '09:00', poseur_id = '' } = query
  const at = isDate(date) ? { date, heure, poseur_id } : null
  // The form for another case, client or time has its own draft.
  const form = ['visit/new', caseId ?? '', clientId ?? '', ...(at ? Object.values(at) : [])].join('/')
  return <Booking key={form} form={form} caseId={caseId} clientId={clientId} at={at} />
}

/** A time chosen by a click in the planning. */
interface ChosenTime {
  readonly date: string
  readonly heure: string
  readonly poseur_id: string
}

interface BookingProps {
  /** The name under which typed text is kept. */
  readonly form: string
  readonly caseId: number | null
  readonly clientId: number | null
  readonly at: ChosenTime | null
}

function Booking({ form, caseId, clientId, at }: BookingProps) {
  const { route } = useLocation()
  const kept = inThisTab(form)
  const [texts] = useState(() => new Map(kept.read() ?? []))
  const keep = (name: string, text: string) => kept.write([...texts.set(name, text)])
  const dossier = useRead(caseById, caseId).value?.found
  const { value: poseurs = [] } = useRead(allPoseurs, 'all')
  const [chosen, setChosen] = useState<ChosenClient | null>(null)
  const [chosenId, setChosenId] = useState(Number(texts.get('client_id')) || clientId)
  const [duration, setDuration] = useState(minutesOf(texts.get('duree')))
  const [taken, setTaken] = useState<Conflict | null>(null)
  const t = words.value.planning
  const { value: place } = useRead(clientById, dossier?.client.id ?? chosenId)
  const person = dossier?.client ?? (chosenId === null ? null : (chosen ?? place ?? null))
  const { value: planned = [] } = useRead(visitsOfCase, caseId)
  const next = nextOf(planned, new Date().toISOString())

  const book = async (when: When): Promise<boolean> => {
    if (person === null) return false
    const notes = texts.get('notes')?.trim() ?? ''
    try {
      const { data } = await sav.post('/v1/planning/rdv', {
        body: {
          ...when,
          ...(caseId === null ? { client_id: person.id } : { sav_id: caseId }),
          type: caseId === null ? typeOf(texts.get('type')) : 'sav',
          ...(notes !== '' && { notes }),
        },
      })
      kept.forget()
      inThisTab(timeOfForm(form)).forget()
      say([t.booked(data.poseur.nom), ...adviceIn(data.avertissements)].join(' '))
      changed()
      route(withQuery('/planning', { date: dateOf(data.debut), rdv: data.id }))
      return true
    } catch (error) {
      const found = conflictIn(error)
      if (found === null) sayFailed(saidOf(error))
      setTaken(found)
      return false
    }
  }
  const pick = ({ jeton }: Slot) => book({ jeton })
  const typed = async (fields: Fields) => {
    const isBooked = await book({
      debut: instantOf(`${fields.text('date')}T${fields.text('hour')}`),
      poseur_id: Number(fields.text('poseur_id')),
      duree_minutes: duration,
    })
    if (!isBooked) throw new IncompleteFormError()
  }
  const choose = (client: ChosenClient | null) => {
    setChosen(client)
    setChosenId(client?.id ?? null)
    keep('client_id', String(client?.id ?? ''))
  }
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
      {next && <Already next={next} />}
      <div class={at === null ? 'split' : 'split split-turned'}>
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
            <WhatFields texts={texts} keep={keep} isOfCase={caseId !== null} onDuration={setDuration}>
              {caseId === null && <ClientChoice chosen={person} error={null} onChoose={choose} />}
            </WhatFields>
          </Card>
          {(person !== null || at !== null) && (
            <Card title={at === null ? t.otherTime : t.thisTime}>
              <TimeForm
                form={form}
                poseurs={poseurs}
                assigned={dossier?.poseur_assigne?.id}
                at={at}
                isReady={person !== null}
                onSubmit={typed}
              />
            </Card>
          )}
        </div>
      </div>
      {taken && <TakenTime taken={taken} onClose={() => setTaken(null)} onPick={pick} />}
    </Page>
  )
}

const typeOf = (name: string | undefined): Rdv['type'] => types().find((each) => each === name) ?? 'sav'
const minutesOf = (text: string | undefined): number =>
  Math.min(720, Math.max(1, Math.round(Number(text)) || usualMinutes))

function Already({ next }: { readonly next: Rdv }) {
  return (
    <p class="hint-box already">
      <Icon name="warning" />
      <a href={withQuery('/planning', { date: dateOf(next.debut), rdv: next.id })}>
        {words.value.planning.already(`${dayName(dateOf(next.debut))}, ${timeOf(next.debut)}`, next.poseur.nom)}
      </a>
    </p>
  )
}

interface WhatFieldsProps {
  readonly texts: ReadonlyMap<string, string>
  readonly keep: (name: string, text: string) => void
  readonly isOfCase: boolean
  readonly onDuration: (minutes: number) => void
  readonly children: ComponentChildren
}

/** The fields that do not depend on whether the time was chosen or typed. */
function WhatFields({ texts, keep, isOfCase, onDuration, children }: WhatFieldsProps) {
  const t = words.value.planning
  const onInput = ({ target }: Event) => {
    const isField =
      target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
    // Skips the client search, which has no name, and the separate form for a new client.
    if (isField && target.name !== '' && target.form === null) keep(target.name, target.value)
  }
  return (
    <div class="form" onInput={onInput}>
      {children}
      {!isOfCase && (
        <SelectField
          name="type"
          label={t.type}
          value={typeOf(texts.get('type'))}
          options={types().map((each) => [each, words.value.rdv.type[each]] as const)}
        />
      )}
      <TextField
        name="duree"
        label={t.duration}
        type="number"
        value={texts.get('duree') ?? String(usualMinutes)}
        onChange={(text) => onDuration(minutesOf(text))}
      />
      <TextArea name="notes" label={t.notes} rows={2} maxLength={5000} value={texts.get('notes') ?? ''} />
    </div>
  )
}

const timeOfForm = (form: string) => `${form}/time`

interface TimeFormProps {
  readonly form: string
  readonly poseurs: readonly Poseur[]
  /** The installer of the case. */
  readonly assigned: number | undefined
  readonly at: ChosenTime | null
  /** Whether its client or case is known. */
  readonly isReady: boolean
  readonly onSubmit: (fields: Fields) => Promise<void>
}

function TimeForm({ form, poseurs, assigned, at, isReady, onSubmit }: TimeFormProps) {
  const t = words.value.planning
  return (
    <Form
      keptAs={timeOfForm(form)}
      submit={t.book}
      tone={at === null ? 'plain' : 'primary'}
      disabled={!isReady}
      onSubmit={onSubmit}
    >
      <div class="fields">
        <TextField name="date" label={t.date} type="date" value={at?.date ?? today()} required />
        <TextField name="hour" label={t.hour} type="time" value={at?.heure ?? '09:00'} required />
      </div>
      <SelectField
        name="poseur_id"
        label={t.poseur}
        value={at?.poseur_id || String(assigned ?? '')}
        options={poseurs.filter(({ actif }) => actif).map(({ id, nom }) => [String(id), nom] as const)}
      />
    </Form>
  )
}
