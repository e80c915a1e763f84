import { useLayoutEffect, useState } from 'preact/hooks'
import { words } from '../words/words.js'
import { Icon } from './icons.js'

interface KeypadProps {
  readonly label: string
  readonly isBusy?: boolean
  /** Six digits. */
  readonly onCode: (code: string) => void
}

const codeLength = 6

/** Six digits, by thumb or keyboard; they are not shown, and not stored by the browser. */
export function Keypad({ label, isBusy = false, onCode }: KeypadProps) {
  const [code, setCode] = useState('')
  const t = words.value.lock
  const press = (digit: string) => {
    if (isBusy || code.length >= codeLength) return
    const next = code + digit
    if (next.length < codeLength) return setCode(next)
    setCode('')
    onCode(next)
  }
  const erase = () => setCode(code.slice(0, -1))
  // Attached before paint: with the state of the last render, the second of two fast keys would replace the first.
  useLayoutEffect(() => {
    const typed = ({ key }: KeyboardEvent) => {
      if (/^\d$/.test(key)) press(key)
      if (key === 'Backspace') erase()
    }
    addEventListener('keydown', typed)
    return () => removeEventListener('keydown', typed)
  })
  return (
    <fieldset class="keypad">
      <legend>{label}</legend>
      <div class="dots" aria-hidden="true">
        {Array.from({ length: codeLength }, (_, index) => (
          <span key={index} class={index < code.length ? 'dot full' : 'dot'} />
        ))}
      </div>
      <div class="digits">
        {[...'123456789'].map((digit) => (
          <Digit key={digit} digit={digit} press={press} />
        ))}
        <span />
        <Digit digit="0" press={press} />
        <button type="button" class="digit" aria-label={t.erase} onClick={erase}>
          <Icon name="erase" size={28} />
        </button>
      </div>
    </fieldset>
  )
}

const Digit = ({ digit, press }: { readonly digit: string; readonly press: (digit: string) => void }) => (
  <button type="button" class="digit" aria-label={words.value.lock.digit(digit)} onClick={() => press(digit)}>
    {digit}
  </button>
)
