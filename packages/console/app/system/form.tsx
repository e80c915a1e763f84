import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { refusalOf } from '../api/client.js'
import { asFilled } from '../api/filled-form.js'
import { sentShare } from '../api/upload.js'
import { inOurWords } from '../words/service-words.js'
import { words } from '../words/words.js'
import { saidOf } from './answered.js'
import { focusFirstField } from './first-field.js'
import { awaited, empty, restore, typedIn } from './form-texts.js'
import { Icon } from './icons.js'
import { inThisTab, type TypedStore } from './typed.js'

interface FormState {
  /** The error of each field. */
  readonly errors: ReadonlyMap<string, string>
}

const FormContext = createContext<FormState>({ errors: new Map() })

interface FormProps {
  /** Where typed text is kept until it is sent: a store, or the name under which this tab keeps it. */
  readonly keptAs: string | TypedStore
  readonly submit: string
  /**
   * Sends the form. Refusals of the API are shown at their fields; after an `IncompleteFormError`, the form stays as it
   * is.
   */
  readonly onSubmit: (fields: Fields) => Promise<void>
  readonly onCancel?: () => void
  /** True while the user must first confirm something else. */
  readonly disabled?: boolean
  /** The form stays open for the next entry: sending empties it and keeps the focus. */
  readonly again?: boolean
  readonly tone?: 'primary' | 'danger' | 'plain'
  readonly children?: ComponentChildren
}

/**
 * The content of the form until the user changes it. Its id, which `asFilled` gets, keeps the service from doing it
 * twice.
 */
interface Filling {
  readonly id: string
  isSent: boolean
}

/** Thrown if something other than text is missing; its field shows the error. */
export class IncompleteFormError extends Error {}

/** The typed values, by the names of the fields. */
export interface Fields {
  /** Trimmed; empty if nothing was typed. */
  text(name: string): string
  textOrNull(name: string): string | null
  /** Whether the form has such a field. */
  has(name: string): boolean
  isChecked(name: string): boolean
  all(name: string): string[]
}

export function Form(props: FormProps) {
  const { keptAs, submit, onSubmit, onCancel, disabled = false, again = false, tone = 'primary', children } = props
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map())
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  /** True while sending. A second press can come before the button is shown as busy. */
  const isSending = useRef(false)
  const filling = useRef<Filling | null>(null)
  const kept = typeof keptAs === 'string' ? inThisTab(keptAs) : keptAs

  useLayoutEffect(() => {
    const typed = kept.read()
    if (form.current !== null && typed !== null) restore(form.current, typed)
  }, [keptAs])

  // Focuses the first field if the page or dialog has a single form, unless a field already has the focus.
  useEffect(() => {
    const alone = form.current?.closest<HTMLElement>('.page-narrow, dialog')
    if (alone && !document.activeElement?.matches('input, textarea, select')) focusFirstField(alone)
  }, [])

  const send = async (event: Event) => {
    event.preventDefault()
    // Keys that send a form work even while its button is disabled.
    if (form.current === null || isSending.current || disabled) return
    isSending.current = true
    setBusy(true)
    setErrors(new Map())
    setFailure(null)
    const sent = JSON.stringify(typedIn(form.current))
    const filled = filling.current ?? { id: crypto.randomUUID(), isSent: false }
    filling.current = filled
    try {
      const fields = fieldsOf(new FormData(form.current))
      await asFilled(filled.id, () => onSubmit(fields))
      filled.isSent = true
      // Text typed during the sending has not been sent.
      if (form.current !== null && JSON.stringify(typedIn(form.current)) !== sent) return
      kept.forget()
      if (again && form.current !== null) empty(form.current)
    } catch (error) {
      // If the session is over, the form is gone; its typed text was kept.
      if (form.current === null || error instanceof IncompleteFormError) return
      const details = refusalOf(error)?.details ?? []
      const { elements } = form.current
      const atFields = new Map(details.map((each) => [nameIn(elements, each.field), inOurWords(each)]))
      setErrors(atFields)
      const elsewhere = [...atFields].filter(([field]) => !elements.namedItem(field))
      if (atFields.size === 0) setFailure(saidOf(error))
      else if (elsewhere.length > 0) setFailure(elsewhere.map(([field, message]) => `${field}: ${message}`).join(' · '))
      requestAnimationFrame(() => focusFirstError(form.current))
    } finally {
      isSending.current = false
      setBusy(false)
    }
  }

  return (
    <form
      ref={form}
      class="form"
      onSubmit={send}
      onKeyDown={({ key, ctrlKey, metaKey }) =>
        key === 'Enter' && (ctrlKey || metaKey) && form.current?.requestSubmit()
      }
      onInput={() => {
        if (filling.current?.isSent) filling.current = null
        if (form.current) kept.write(typedIn(form.current))
      }}
    >
      <FormContext.Provider value={{ errors }}>{children}</FormContext.Provider>
      {failure !== null && (
        <p class="failure" role="alert">
          <Icon name="warning" />
          <span>{failure}</span>
        </p>
      )}
      {isBusy && sentShare.value !== null && <Sending share={sentShare.value} />}
      <div class="form-actions">
        {onCancel && (
          <button
            type="button"
            class="button"
            onClick={() => {
              kept.forget()
              onCancel()
            }}
          >
            {words.value.cancel}
          </button>
        )}
        <button type="submit" class={`button ${tone}`} disabled={disabled} aria-disabled={isBusy}>
          {submit}
        </button>
      </div>
    </form>
  )
}

function Sending({ share }: { readonly share: number }) {
  const t = words.value.sending
  return (
    <div class="sending" role="status">
      <progress value={share} aria-label={t.name} />
      <span class="hint">{share < 1 ? t.share(Math.floor(share * 100)) : t.sent}</span>
    </div>
  )
}

/**
 * The field that shows an error: the first part of a path such as `semaine.lundi[0].debut` that is the name of a field.
 * Without such a field, the first part.
 */
function nameIn(elements: HTMLFormControlsCollection, path: string): string {
  const names = path.split(/[.[\]]+/).filter(Boolean)
  return names.find((name) => elements.namedItem(name) !== null) ?? names[0] ?? path
}

function fieldsOf(data: FormData): Fields {
  const texts = (name: string) => data.getAll(name).filter((value) => typeof value === 'string')
  const text = (name: string) => texts(name)[0]?.trim() ?? ''
  return {
    text,
    textOrNull: (name) => text(name) || null,
    has: (name) => data.has(name),
    isChecked: (name) => data.has(name),
    all: (name) => texts(name).map((value) => value.trim()),
  }
}

const focusFirstError = (form: HTMLFormElement | null) => {
  const first = form?.querySelector('[aria-invalid="true"]')
  if (first instanceof HTMLElement) first.focus()
}

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly children: (given: FieldAttributes) => ComponentChildren
}

interface FieldAttributes {
  readonly id: string
  readonly name: string
  readonly 'aria-invalid': boolean
  readonly 'aria-describedby': string | undefined
}

/** A field with its name above, and a hint and the error below. */
export function Field({ name, label, hint, children }: FieldProps) {
  const id = useId()
  const error = useContext(FormContext).errors.get(name)
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, name, 'aria-invalid': error !== undefined, 'aria-describedby': describedBy })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

interface GroupProps {
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** Shown above the boxes, for example a button that ticks all of them. */
  readonly action?: ComponentChildren
  readonly children: ComponentChildren
}

/** Checkboxes with one name, of which several may be ticked. */
export function CheckGroup({ name, label, hint, action, children }: GroupProps) {
  const error = useContext(FormContext).errors.get(name)
  return (
    <fieldset class="stack-small">
      <legend>{label}</legend>
      {action}
      {hint && <p class="hint">{hint}</p>}
      <div class="checks">{children}</div>
      {error && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** Each type as an attribute object, since the other attributes of an input depend on its literal type. */
const inputTypes = {
  text: { type: 'text' },
  email: { type: 'email' },
  tel: { type: 'tel' },
  url: { type: 'url' },
  date: { type: 'date' },
  time: { type: 'time' },
  color: { type: 'color' },
  number: { type: 'number' },
} as const

interface TextProps {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly value?: string | null
  readonly type?: keyof typeof inputTypes
  readonly required?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly autocomplete?: 'off' | 'name' | 'email' | 'username webauthn'
  readonly placeholder?: string
  readonly onChange?: (value: string) => void
}

export function TextField({ name, label, hint, value, type = 'text', onChange, ...input }: TextProps) {
  return (
    <Field name={name} label={label} {...(hint && { hint })}>
      {(given) => (
        <input
          {...given}
          {...inputTypes[type]}
          autocomplete="off"
          {...input}
          defaultValue={value ?? ''}
          onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
        />
      )}
    </Field>
  )
}

interface TextAreaProps extends Omit<TextProps, 'type' | 'autocomplete'> {
  readonly rows?: number
}

/** Shows the remaining length once it is small. */
export function TextArea({ name, label, hint, value, rows = 4, onChange, ...input }: TextAreaProps) {
  const [length, setLength] = useState(value?.length ?? 0)
  const { maxLength } = input
  const left = maxLength === undefined || length < maxLength * 0.8 ? '' : ` ${length} / ${maxLength}`
  return (
    <Field name={name} label={label} hint={`${hint ?? ''}${left}`.trim()}>
      {(given) => (
        <textarea
          {...given}
          {...input}
          rows={rows}
          defaultValue={value ?? ''}
          onInput={({ currentTarget }) => setLength(currentTarget.value.length)}
          onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
        />
      )}
    </Field>
  )
}

export interface SelectProps {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly value?: string | undefined
  /** Value and text. */
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onChange?: (value: string) => void
}

export function SelectField({ name, label, hint, value, options, onChange }: SelectProps) {
  const select = useRef<HTMLSelectElement>(null)
  useLayoutEffect(() => {
    const chosen = select.current?.dataset[awaited]
    if (select.current === null || chosen === undefined || options.every(([each]) => each !== chosen)) return
    select.current.value = chosen
    delete select.current.dataset[awaited]
  }, [options.length])
  return (
    <Field name={name} label={label} {...(hint && { hint })}>
      {(given) => (
        <select
          {...given}
          ref={select}
          {...(onChange ? { value } : { defaultValue: value })}
          onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
        >
          {options.map(([each, text]) => (
            <option key={each} value={each} selected={each === value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface CheckProps {
  readonly name: string
  readonly label: ComponentChildren
  readonly value?: string
  readonly checked?: boolean
  readonly hint?: ComponentChildren
  readonly onChange?: (isChecked: boolean) => void
}

export function CheckField({ name, label, value = 'on', checked = false, hint, onChange }: CheckProps) {
  const id = useId()
  return (
    <div class="check">
      <input
        type="checkbox"
        id={id}
        name={name}
        value={value}
        defaultChecked={checked}
        onChange={({ currentTarget }) => onChange?.(currentTarget.checked)}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      <div>
        <label for={id}>{label}</label>
        {hint && (
          <p class="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
