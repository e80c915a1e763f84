import { useState } from 'preact/hooks'
import { Failure } from './answered.js'
import { SelectField, type SelectProps } from './form.js'

interface SentSelectProps extends Omit<SelectProps, 'onChange'> {
  readonly value: string
  /** The tag of the resource that contains `value`: when it changes, the field shows the current value. */
  readonly etag: string
  /** Resolves to whether the choice was accepted; rejects without an answer. */
  readonly send: (value: string) => Promise<boolean>
}

interface Choice {
  readonly value: string
  /** The tag at the time of the choice. */
  readonly etag: string
  readonly send: () => Promise<boolean>
  readonly isTaken: boolean
  /** Why the choice could not be sent; null if it was sent, or is being sent. */
  readonly error: unknown
}

/** A choice that is sent at once. Without an answer it stays, until it is sent again or undone. */
export function SentSelect({ value, etag, send, ...field }: SentSelectProps) {
  const [choice, setChoice] = useState<Choice | null>(null)
  const attempt = async (made: Choice) => {
    // The outcome of a choice is ignored once another choice was made.
    const become = (next: Choice | null) => setChoice((now) => (now?.send === made.send ? next : now))
    try {
      become((await made.send()) ? { ...made, isTaken: true } : null)
    } catch (error) {
      become({ ...made, error })
    }
  }
  const begin = (made: Choice) => {
    setChoice(made)
    void attempt(made)
  }
  const isShown = choice !== null && !(choice.isTaken && choice.etag !== etag)
  return (
    <div class="stack-small">
      <SelectField
        {...field}
        value={isShown ? choice.value : value}
        onChange={(chosen) => {
          if (chosen === value && isShown && choice.error !== null) setChoice(null)
          else begin({ value: chosen, etag, send: () => send(chosen), isTaken: false, error: null })
        }}
      />
      {isShown && choice.error !== null && (
        <Failure error={choice.error} retry={() => begin({ ...choice, error: null })} />
      )}
    </div>
  )
}
