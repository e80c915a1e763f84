import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import SignaturePad, { type PointGroup } from 'signature_pad'
import { inkOf } from './ink.js'

/** What somebody has drawn on the sheet. */
export interface DrawnSignature {
  readonly strokes: readonly PointGroup[]
  /** The shorter side of the sheet on which the strokes are, in CSS pixels. */
  readonly side: number
  /** As the API takes it; null where the browser gives out nothing of what it shows. */
  readonly png: string | null
}

export interface SignatureSheetProps {
  readonly label: string
  /** Null clears the sheet. */
  readonly signed: DrawnSignature | null
  readonly onChange: (signed: DrawnSignature | null) => void
}

/** Around what is sent, in CSS pixels. */
const margin = 8

/**
 * A sheet to sign on, as fine as the screen is. Where it gets another shape, as on a telephone that is turned, what is drawn
 * grows or shrinks with its shorter side, and stays on it.
 */
export function SignatureSheet({ label, signed, onChange }: SignatureSheetProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const pad = useRef<SignaturePad>(null)
  const latest = useRef({ signed, onChange })
  latest.current = { signed, onChange }

  useLayoutEffect(() => {
    const sheet = canvas.current
    if (sheet === null) return
    let [width, height] = [0, 0]
    const report = () => {
      const png = inkOf(sheet, margin * (sheet.width / width))
      const side = Math.min(width, height)
      if (pad.current) latest.current.onChange({ strokes: [...pad.current.toData()], side, png })
    }
    const lay = () => {
      const { clientWidth, clientHeight } = sheet
      if (clientWidth === 0 || (clientWidth === width && clientHeight === height)) return
      const before = pad.current
        ? { strokes: pad.current.toData(), side: Math.min(width, height) }
        : latest.current.signed
      pad.current?.off()
      width = clientWidth
      height = clientHeight
      const made = padOn(sheet)
      pad.current = made
      made.addEventListener('endStroke', report)
      if (before === null) return
      made.fromData(scaled(before.strokes, fitting(before, { width, height })))
      // The stroke that was under way ends with its sheet.
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

/** The pad reckons in CSS pixels; the canvas has those of the screen. */
function padOn(sheet: HTMLCanvasElement): SignaturePad {
  const { clientWidth, clientHeight } = sheet
  sheet.width = Math.round(clientWidth * devicePixelRatio)
  sheet.height = Math.round(clientHeight * devicePixelRatio)
  sheet.getContext('2d')?.scale(sheet.width / clientWidth, sheet.height / clientHeight)
  // Strokes are as thick on the report whatever they were drawn on.
  const width = Math.min(clientWidth, 2 * clientHeight)
  return new SignaturePad(sheet, { minWidth: width / 450, maxWidth: width / 180, penColor: '#111' })
}

/** How much strokes grow on another sheet: with its shorter side, as far as it holds them. */
function fitting(
  { strokes, side }: Pick<DrawnSignature, 'strokes' | 'side'>,
  { width, height }: { readonly width: number; readonly height: number },
): number {
  const points = strokes.flatMap((stroke) => stroke.points)
  const reach = (of: 'x' | 'y') => Math.max(1, ...points.map((point) => point[of])) + margin
  return Math.min(Math.min(width, height) / side, width / reach('x'), height / reach('y'))
}

const scaled = (strokes: readonly PointGroup[], by: number): PointGroup[] =>
  strokes.map((stroke) => ({
    ...stroke,
    minWidth: stroke.minWidth * by,
    maxWidth: stroke.maxWidth * by,
    points: stroke.points.map((point) => ({ ...point, x: point.x * by, y: point.y * by })),
  }))
