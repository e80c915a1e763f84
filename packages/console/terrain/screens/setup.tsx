import { useState } from 'preact/hooks'
import type { SessionView } from '../api.js'
import { setUpByCode, setUpByPasskey } from '../state/locking.js'
import { sayFailed, sayTrouble } from '../state/notices.js'
import { mayHavePasskey } from '../vault/passkey.js'
import { words } from '../words/words.js'
import { Screen } from './frame.js'
import { Icon } from './icons.js'
import { Keypad } from './keypad.js'

/** Whether a code is six equal digits or a sequence, which attackers try first. */
const isEasy = (code: string) => /^(\d)\1+$/.test(code) || '01234567890'.includes(code) || '09876543210'.includes(code)

/** Asks how the user will unlock their profile: by a code or a passkey. */
export function Setup({ who }: { readonly who: SessionView }) {
  const [isByCode, setByCode] = useState(!mayHavePasskey())
  const [first, setFirst] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const t = words.value.setup
  const typed = (code: string) => {
    setProblem(null)
    if (first === null) return isEasy(code) ? setProblem(t.easy) : setFirst(code)
    if (code !== first) {
      setFirst(null)
      return setProblem(t.differ)
    }
    // Shown as busy: deriving the key is slow on purpose, so that guessing is slow too.
    setBusy(true)
    setUpByCode(who, code).catch((error: unknown) => {
      setFirst(null)
      setBusy(false)
      sayFailed(error)
    })
  }
  const byPasskey = async () => {
    // The phone shows one prompt at a time: a second press would be refused while the first continues.
    if (isBusy) return
    setBusy(true)
    try {
      if (await setUpByPasskey(who)) return
      setByCode(true)
      setProblem(t.noPasskey)
    } catch {
      sayTrouble(words.value.lock.passkeyFailed)
    }
    setBusy(false)
  }
  return (
    <Screen title={t.title}>
      <div class="door">
        <p class="muted">{t.lead}</p>
        {problem !== null && (
          <p class="box bad" role="alert">
            {problem}
          </p>
        )}
        {isByCode ? (
          <Keypad
            key={first === null ? 'first' : 'again'}
            label={isBusy ? words.value.lock.unlocking : first === null ? t.chooseCode : t.again}
            isBusy={isBusy}
            onCode={typed}
          />
        ) : (
          <>
            <button type="button" class="button primary" aria-disabled={isBusy} onClick={byPasskey}>
              <Icon name="finger" />
              {t.byPasskey}
            </button>
            <button type="button" class="button" onClick={() => setByCode(true)}>
              <Icon name="lock" />
              {t.byCode}
            </button>
          </>
        )}
      </div>
    </Screen>
  )
}
