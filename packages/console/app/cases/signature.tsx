import { useEffect, useRef } from 'preact/hooks'
import SignaturePad from 'signature_pad'
import { words } from '../words/words.js'

interface SignatureProps {
  /** A PNG as the API takes it; null: nothing is drawn. */
  readonly onChange: (dataUri: string | null) => void
}

const width = 1000
const height = 360

/** A sheet to sign on. What is drawn keeps its size, however wide the screen is. */
export function Signature({ onChange }: SignatureProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const pad = useRef<SignaturePad>(null)
  const latest = useRef(onChange)
  latest.current = onChange
  const t = words.value.closing
  useEffect(() => {
    if (canvas.current === null) return
    const made = new SignaturePad(canvas.current, { minWidth: 1.6, maxWidth: 4.5, penColor: '#111' })
    made.addEventListener('endStroke', () => latest.current(made.toDataURL('image/png')))
    pad.current = made
    return () => made.off()
  }, [])
  return (
    <div class="field">
      <div class="row-apart">
        <span class="label">{t.signature}</span>
        <button
          type="button"
          class="quiet small"
          onClick={() => {
            pad.current?.clear()
            onChange(null)
          }}
        >
          {t.clear}
        </button>
      </div>
      <canvas ref={canvas} class="signature" width={width} height={height} aria-label={t.signature} role="img" />
      <p class="hint">{t.signatureHint}</p>
    </div>
  )
}
