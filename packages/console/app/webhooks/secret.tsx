import { Copyable } from '../system/bits.js'
import { Icon } from '../system/icons.js'
import { words } from '../words/words.js'
import { Verification } from './verification.js'

interface SecretProps {
  readonly secret: string
  readonly onDone: () => void
}

/** Shows a new secret, which cannot be shown again, and how a receiver uses it. */
export function Secret({ secret, onDone }: SecretProps) {
  const t = words.value.webhooks
  return (
    <div class="stack">
      <h2>{t.secretTitle}</h2>
      <p class="hint-box">
        <Icon name="warning" />
        {t.secretText}
      </p>
      <Copyable text={secret} name={t.secretName} />
      <Verification />
      <div class="form-actions">
        <button type="button" class="button primary" onClick={onDone}>
          {t.done}
        </button>
      </div>
    </div>
  )
}
