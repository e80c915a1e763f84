import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import SignaturePad, { type PointGroup } from 'signature_pad'
import { inkOf } from './ink.js'

/** What was drawn on the sheet. */
export interface DrawnSignature {
  readonly strokes: readonly PointGroup[]
  /** The width of the sheet with the strokes, in CSS pixels. */
  readonly width: number
  /** In the form that the API accepts; null if the browser does not return what it shows. */
  readonly png: string | null
}

export interface SignatureSheetProps {
  readonly label: string
  /** Null clears the sheet. */
  readonly signed: DrawnSignature | null
  readonly onChange: (signed: DrawnSignature | null) => void
}

/** Around the sent picture, in CSS pixels. */
const margin = 8

/**
 * A sheet to sign on, in the resolution of the screen. When its width changes, as on a phone that is turned, the
 * drawing is scaled.
 */
export function SignatureSheet({ label, signed, onChange }: SignatureSheetProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const pad = useRef<SignaturePad>(null)
  const latest = useRef({ signed, onChange })
  latest.current = { signed, onChange }

  useLayoutEffect(() => {
    const sheet = canvas.current
    if (sheet === null) return
    let width = 0
    const report = () => {
      const png = inkOf(sheet, margin * (sheet.width / width))
      if (pad.current) latest.current.onChange({ strokes: [...pad.current.toData()], width, png })
    }
    const lay = () => {
      if (sheet.clientWidth === 0 || sheet.clientWidth === width) return
      const before = pad.current ? { strokes: pad.current.toData(), width } : latest.current.signed
      pad.current?.off()
      width = sheet.clientWidth
      const made = padOn(sheet)
      pad.current = made
      made.addEventListener('endStroke', report)
      if (before === null) return
      made.fromData(scaled(before.strokes, width / before.width))
      // The current stroke ends with its sheet.
      if (before.strokes.length > (latest.current.signed?.strokes.length ?? 0)) report()
    }
    // Attach before first paint, so an early stroke is kept.
    lay()
    const observer = new ResizeObserver(lay)
    observer.observe(sheet)
    return () => {
      observer.disconnect()
      pad.current?.off()
    }
  }, [])
  useEffect(() => {
    if (signed === null) pad.current?.clear()
  }, [signed])
  return <canvas ref={canvas} class="signature" aria-label={label} role="img" />
}

/** The pad uses CSS pixels; the canvas has the screen's. */
function padOn(sheet: HTMLCanvasElement): SignaturePad {
  const { clientWidth, clientHeight } = sheet
  sheet.width = Math.round(clientWidth * devicePixelRatio)
  sheet.height = Math.round(clientHeight * devicePixelRatio)
  sheet.getContext('2d')?.scale(sheet.width / clientWidth, sheet.height / clientHeight)
  // Strokes have the same thickness on the report, whatever the size of the sheet.
  return new SignaturePad(sheet, { minWidth: clientWidth / 450, maxWidth: clientWidth / 180, penColor: '#111' })
}

const scaled = (strokes: readonly PointGroup[], by: number): PointGroup[] =>
  strokes.map((stroke) => ({
    ...stroke,
    minWidth: stroke.minWidth * by,
    maxWidth: stroke.maxWidth * by,
    points: stroke.points.map((point) => ({ ...point, x: point.x * by, y: point.y * by })),
  }))
