import { useState } from 'preact/hooks'
import { Failure } from './answered.js'
import { SelectField, type SelectProps } from './form.js'

interface SentSelectProps extends Omit<SelectProps, 'onChange'> {
  readonly value: string
  /** The tag of what `value` is part of: with another one comes what is there now. */
  readonly etag: string
  /** Resolves to whether the choice was taken; rejects where nothing answered. */
  readonly send: (value: string) => Promise<boolean>
}

interface Choice {
  readonly value: string
  /** As it was when somebody chose. */
  readonly etag: string
  readonly send: () => Promise<boolean>
  readonly isTaken: boolean
  /** Why it could not be sent; null if it could, or is on its way. */
  readonly error: unknown
}

/** A choice that is sent at once. One that nothing answered stays, until it is sent again or taken back. */
export function SentSelect({ value, etag, send, ...field }: SentSelectProps) {
  const [choice, setChoice] = useState<Choice | null>(null)
  const attempt = async (made: Choice) => {
    // What comes of it is of no matter once another choice was made.
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
