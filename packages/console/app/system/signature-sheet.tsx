import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import SignaturePad, { type PointGroup } from 'signature_pad'
import { inkOf } from './ink.js'

interface Size {
  readonly width: number
  readonly height: number
}

/** What was drawn on the sheet. */
export interface DrawnSignature {
  readonly strokes: readonly PointGroup[]
  /** The size of the sheet with the strokes, in CSS pixels. */
  readonly sheet: Size
  /** A data URI that the API accepts; null if the browser does not return the picture that it shows. */
  readonly png: string | null
}

export interface SignatureSheetProps {
  readonly label: string
  /** Null clears the sheet. */
  readonly signed: DrawnSignature | null
  readonly onChange: (signed: DrawnSignature | null) => void
}

/** The margin around the sent picture, and around a drawing that moves to another sheet, in CSS pixels. */
const margin = 8

/**
 * A sheet to sign on, in the resolution of the screen. When the shape of the sheet changes, as on a phone that is
 * turned, the drawing keeps its own shape.
 */
export function SignatureSheet({ label, signed, onChange }: SignatureSheetProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const pad = useRef<SignaturePad>(null)
  const latest = useRef({ signed, onChange })
  latest.current = { signed, onChange }

  useLayoutEffect(() => {
    const sheet = canvas.current
    if (sheet === null) return
    let size: Size = { width: 0, height: 0 }
    const report = () => {
      const png = inkOf(sheet, margin * (sheet.width / size.width))
      if (pad.current) latest.current.onChange({ strokes: [...pad.current.toData()], sheet: size, png })
    }
    const lay = () => {
      const { clientWidth: width, clientHeight: height } = sheet
      if (width === 0 || (width === size.width && height === size.height)) return
      const before = pad.current ? { strokes: pad.current.toData(), sheet: size } : latest.current.signed
      pad.current?.off()
      size = { width, height }
      const made = padOn(sheet)
      pad.current = made
      made.addEventListener('endStroke', report)
      if (before === null) return
      made.fromData(laidOn(size, before))
      // A stroke in progress ends when its sheet is replaced.
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

/** The pad measures in CSS pixels, the canvas in device pixels. */
function padOn(sheet: HTMLCanvasElement): SignaturePad {
  const { clientWidth, clientHeight } = sheet
  sheet.width = Math.round(clientWidth * devicePixelRatio)
  sheet.height = Math.round(clientHeight * devicePixelRatio)
  sheet.getContext('2d')?.scale(sheet.width / clientWidth, sheet.height / clientHeight)
  // Strokes have the same thickness on the report, whatever the size of the sheet.
  const width = Math.min(clientWidth, 2 * clientHeight)
  return new SignaturePad(sheet, {
    minWidth: width / 450,
    maxWidth: width / 180,
    penColor: '#111',
    // No throttling: a delayed point would be drawn on the turned sheet with the old sheet's size.
    throttle: 0,
  })
}

/**
 * Moves strokes to another sheet. They are scaled with its shorter side, or less if they would not fit, and their
 * middle keeps its relative place.
 */
function laidOn(to: Size, { strokes, sheet }: Pick<DrawnSignature, 'strokes' | 'sheet'>): PointGroup[] {
  const points = strokes.flatMap((stroke) => stroke.points)
  const reach = (of: 'x' | 'y') => {
    const [first, last] = [Math.min(...points.map((point) => point[of])), Math.max(...points.map((point) => point[of]))]
    return { middle: (first + last) / 2, half: (last - first) / 2 }
  }
  const [across, down] = [reach('x'), reach('y')]
  const by = Math.min(
    Math.min(to.width, to.height) / Math.min(sheet.width, sheet.height),
    (to.width / 2 - margin) / across.half,
    (to.height / 2 - margin) / down.half,
  )
  const moved = ({ middle, half }: typeof across, before: number, now: number) => {
    const most = now - margin - half * by
    return Math.max(now - most, Math.min(most, (middle / before) * now)) - middle * by
  }
  const [x, y] = [moved(across, sheet.width, to.width), moved(down, sheet.height, to.height)]
  return strokes.map((stroke) => ({
    ...stroke,
    minWidth: stroke.minWidth * by,
    maxWidth: stroke.maxWidth * by,
    points: stroke.points.map((point) => ({ ...point, x: point.x * by + x, y: point.y * by + y })),
  }))
}
