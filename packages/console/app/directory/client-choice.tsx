import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { type Client, sav } from '../api/client.js'
import { useOnceAnswered } from '../api/once-answered.js'
import { question, useRead } from '../api/read.js'
import { may } from '../session/session.js'
import { Failure } from '../system/answered.js'
import { Dialog } from '../system/dialog.js'
import { isTouched } from '../system/first-field.js'
import { personName } from '../words/formats.js'
import { words } from '../words/words.js'
import { ClientForm, namedBy } from './client-form.js'

const clientsLike = question(async (recherche: string, signal) => {
  const { data } = await sav.get('/api/v1/clients', { query: { recherche, limite: 8 }, signal })
  return data
})

export type ChosenClient = Pick<Client, 'id' | 'nom' | 'prenom'>

interface ClientChoiceProps {
  /** What is already known about the client. */
  readonly typed?: string
  readonly chosen: ChosenClient | null
  readonly error: string | null
  readonly onChoose: (client: ChosenClient | null) => void
}

/** Finds a client by a few letters, or adds one, without leaving the form. */
export function ClientChoice({ typed: given = '', chosen, error, onChoose }: ClientChoiceProps) {
  const id = useId()
  const place = useRef<HTMLDivElement>(null)
  const wasChosen = useRef(chosen !== null)
  useEffect(() => {
    if (chosen !== null && !wasChosen.current && typed !== '') focusAfter(place.current)
    wasChosen.current = chosen !== null
  }, [chosen])
  const [typed, setTyped] = useState(given)
  const [at, setAt] = useState(0)
  const [isMaking, setMaking] = useState(false)
  const asked = typed.trim()
  const { value: found = [], error: failure, isStale, reload } = useRead(clientsLike, asked === '' ? null : asked)
  const isAnswered = !isStale && failure === null
  const picked = found[at]
  const { enter, forget } = useOnceAnswered(asked, isAnswered, () => picked && onChoose(picked))
  const t = words.value.newCase

  if (chosen !== null)
    return (
      <div class="field" ref={place}>
        <span class="label">{t.client}</span>
        <div class="row-apart chosen">
          <strong>{personName(chosen)}</strong>
          <button type="button" class="button small" onClick={() => onChoose(null)}>
            {t.otherClient}
          </button>
        </div>
      </div>
    )

  const isOpen = asked !== ''
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt(Math.max(0, Math.min(found.length - 1, at + step)))
    // Enter waits for the answer. Until it arrives, the list belongs to the previously typed text.
    else if (event.key === 'Enter') enter()
    else return
    event.preventDefault()
  }
  return (
    <div class="field">
      <label for={id}>{t.client}</label>
      <input
        id={id}
        type="text"
        role="combobox"
        autocomplete="off"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={found[at] ? `${id}-${found[at].id}` : undefined}
        aria-invalid={error !== null}
        aria-describedby={`${id}-hint`}
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value)
          forget()
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <p id={`${id}-hint`} class={error === null ? 'hint' : 'field-error'}>
        {error ?? t.clientHint}
      </p>
      {isOpen && (
        <div class="options">
          <div id={`${id}-list`} role="listbox" aria-label={t.client} tabIndex={-1}>
            {found.map((client, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys
              <div
                key={client.id}
                id={`${id}-${client.id}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                onClick={() => onChoose(client)}
              >
                <span>{personName(client)}</span>
                <span class="muted small">{client.lieu?.ville ?? client.telephone ?? client.email}</span>
              </div>
            ))}
          </div>
          {found.length === 0 && isAnswered && <p class="muted small">{t.noClient}</p>}
          {failure !== null && <Failure error={failure} retry={reload} />}
          {may('directory:write') && (
            <button type="button" class="button small" onClick={() => setMaking(true)}>
              {t.makeClient}
            </button>
          )}
        </div>
      )}
      {isMaking && <NewClient typed={asked} onClose={() => setMaking(false)} onMade={onChoose} />}
    </div>
  )
}

/** Moves on to the next field; not on a phone, whose keyboard would hide it. */
function focusAfter(place: HTMLElement | null): void {
  if (place === null || isTouched()) return
  const fields = [...document.querySelectorAll<HTMLElement>('main :is(input:not([type=file]), textarea, select)')]
  fields.find((field) => place.compareDocumentPosition(field) & Node.DOCUMENT_POSITION_FOLLOWING)?.focus()
}

interface NewClientProps {
  readonly typed: string
  readonly onClose: () => void
  readonly onMade: (client: ChosenClient) => void
}

function NewClient({ typed, onClose, onMade }: NewClientProps) {
  const t = words.value.client
  return (
    <Dialog title={t.new} onClose={onClose}>
      <ClientForm
        keptAs="client/new"
        client={namedBy(typed)}
        submit={t.create}
        onCancel={onClose}
        onSubmit={async (body) => {
          const { data } = await sav.post('/api/v1/clients', { body })
          onClose()
          onMade(data)
        }}
      />
    </Dialog>
  )
}
