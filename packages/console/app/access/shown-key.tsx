import { Copyable } from '../system/bits.js'
import { Icon } from '../system/icons.js'
import { words } from '../words/words.js'

interface ShownKeyProps {
  readonly value: string
  readonly onDone: () => void
}

/** A new key, which is shown only once. */
export function ShownKey({ value, onDone }: ShownKeyProps) {
  const t = words.value.keys
  return (
    <div class="stack">
      <h2>{t.shown}</h2>
      <p class="hint-box">
        <Icon name="warning" />
        {t.shownText}
      </p>
      <Copyable text={value} name={t.copyName} />
      <div class="form-actions">
        <button type="button" class="button primary" onClick={onDone}>
          {t.done}
        </button>
      </div>
    </div>
  )
}
