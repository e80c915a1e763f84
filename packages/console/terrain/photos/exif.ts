/** Tags of an EXIF directory: when the shutter was released, and at which UTC offset (Exif 2.32, §4.6). */
const tags = { exifDirectory: 0x8769, takenAt: 0x9003, offset: 0x9011 } as const

/** When a photo was taken, as recorded by its camera. */
export interface CaptureTime {
  /** `2026:03:16 09:12:44` */
  readonly at: string
  /** `+01:00`; null if the camera did not record it. */
  readonly offset: string | null
}

/** When a JPEG was taken; null if that is missing or invalid. */
export function takenOf(jpeg: ArrayBuffer): CaptureTime | null {
  try {
    const tiff = tiffOf(new DataView(jpeg))
    if (tiff === null) return null
    const inner = numberAt(tiff, entries(tiff, tiff.getUint32(4, isLittle(tiff))).get(tags.exifDirectory))
    if (inner === null) return null
    const found = entries(tiff, inner)
    const at = textAt(tiff, found.get(tags.takenAt))
    if (at === null || !/^\d{4}:\d\d:\d\d \d\d:\d\d:\d\d$/.test(at)) return null
    const offset = textAt(tiff, found.get(tags.offset))
    return { at, offset: offset !== null && /^[+-]\d\d:\d\d$/.test(offset) ? offset : null }
  } catch (error) {
    // An offset in the data points outside of the file.
    if (error instanceof RangeError) return null
    throw error
  }
}

const isLittle = (tiff: DataView) => tiff.getUint16(0) === 0x4949

/** The TIFF data after `Exif\0\0` in the segment APP1; null if there is none. */
function tiffOf(file: DataView): DataView | null {
  if (file.getUint16(0) !== 0xffd8) return null
  for (let at = 2; at + 4 < file.byteLength && file.getUint8(at) === 0xff; ) {
    const marker = file.getUint8(at + 1)
    const length = file.getUint16(at + 2)
    if (marker === 0xe1 && file.getUint32(at + 4) === 0x45786966)
      return new DataView(file.buffer, file.byteOffset + at + 10, length - 8)
    // After the start of the scan there are only pixels, and no EXIF.
    if (marker === 0xda) return null
    at += 2 + length
  }
  return null
}

interface Entry {
  readonly at: number
  readonly count: number
}

function entries(tiff: DataView, directory: number): Map<number, Entry> {
  const little = isLittle(tiff)
  const count = tiff.getUint16(directory, little)
  return new Map(
    Array.from({ length: Math.min(count, 200) }, (_, index) => {
      const at = directory + 2 + 12 * index
      return [tiff.getUint16(at, little), { at: at + 8, count: tiff.getUint32(at + 4, little) }] as const
    }),
  )
}

const numberAt = (tiff: DataView, entry: Entry | undefined) =>
  entry === undefined ? null : tiff.getUint32(entry.at, isLittle(tiff))

function textAt(tiff: DataView, entry: Entry | undefined): string | null {
  const at = numberAt(tiff, entry)
  if (entry === undefined || at === null || entry.count > 64) return null
  const bytes = Array.from({ length: entry.count }, (_, index) => tiff.getUint8(at + index))
  return String.fromCharCode(...bytes).replace(/\0.*$/s, '')
}

/**
 * Adds the time when a photo was taken to its JPEG, but neither its place nor its camera. @param jpeg without EXIF,
 * from a canvas
 */
export function withTaken(jpeg: ArrayBuffer, { at, offset }: CaptureTime): ArrayBuffer {
  const segment = exifSegment(at, offset)
  const whole = new Uint8Array(jpeg.byteLength + segment.length)
  whole.set(new Uint8Array(jpeg, 0, 2))
  whole.set(segment, 2)
  whole.set(new Uint8Array(jpeg, 2), 2 + segment.length)
  return whole.buffer
}

/** A segment APP1 whose only directory has a single entry: the EXIF directory. */
function exifSegment(at: string, offset: string | null): Uint8Array {
  const texts =
    offset === null
      ? [[tags.takenAt, at] as const]
      : ([
          [tags.takenAt, at],
          [tags.offset, offset],
        ] as const)
  const exifAt = 26
  let textAt = exifAt + 2 + 12 * texts.length + 4
  const tiff = new DataView(new ArrayBuffer(textAt + texts.reduce((sum, [, text]) => sum + text.length + 1, 0)))
  tiff.setUint32(0, 0x4d4d002a)
  tiff.setUint32(4, 8)
  const entry = (place: number, tag: number, type: number, count: number, value: number) => {
    tiff.setUint16(place, tag)
    tiff.setUint16(place + 2, type)
    tiff.setUint32(place + 4, count)
    tiff.setUint32(place + 8, value)
  }
  tiff.setUint16(8, 1)
  entry(10, tags.exifDirectory, 4, 1, exifAt)
  tiff.setUint16(exifAt, texts.length)
  for (const [index, [tag, text]] of texts.entries()) {
    entry(exifAt + 2 + 12 * index, tag, 2, text.length + 1, textAt)
    for (const [place, letter] of [...text].entries()) tiff.setUint8(textAt + place, letter.charCodeAt(0))
    textAt += text.length + 1
  }
  const segment = new Uint8Array(10 + tiff.byteLength)
  const head = new DataView(segment.buffer)
  head.setUint16(0, 0xffe1)
  head.setUint16(2, 8 + tiff.byteLength)
  head.setUint32(4, 0x45786966)
  segment.set(new Uint8Array(tiff.buffer), 10)
  return segment
}
