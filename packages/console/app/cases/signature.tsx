import { isTouched } from '../system/first-field.js'
import { type DrawnSignature, SignatureSheet } from '../system/signature-sheet.js'
import { words } from '../words/words.js'

interface SignatureProps {
  readonly signed: DrawnSignature | null
  readonly onChange: (signed: DrawnSignature | null) => void
}

/** A sheet to sign on, as a field of a form. */
export function Signature({ signed, onChange }: SignatureProps) {
  const t = words.value.closing
  return (
    <div class="field">
      <div class="row-apart">
        <span class="label">{t.signature}</span>
        <button type="button" class="quiet small" onClick={() => onChange(null)}>
          {t.clear}
        </button>
      </div>
      <SignatureSheet label={t.signature} signed={signed} onChange={onChange} />
      {signed?.png === null ? (
        <p class="field-error" role="alert">
          {t.signatureBlank}
        </p>
      ) : (
        <p class="hint">{isTouched() ? t.signatureHints.touch : t.signatureHints.mouse}</p>
      )}
    </div>
  )
}
