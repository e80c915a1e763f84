import { imageSize } from 'image-size'

export const mediaTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/heic'] as const
export type MediaType = (typeof mediaTypes)[number]

/** Other names of the accepted types. Some come from older browsers; `image/heif` names the container of a HEIC. */
const aliases: Readonly<Record<string, MediaType>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/heif': 'image/heic',
}

/** The accepted type that `declared` means, if any. */
export function mediaTypeOf(declared: string): MediaType | undefined {
  const name = declared.toLowerCase()
  return aliases[name] ?? mediaTypes.find((type) => type === name)
}

/** Major brands of a HEIC (ISO/IEC 23008-12 §10), for a single picture and for several. */
const heicBrands: readonly string[] = ['heic', 'heix', 'hevc', 'hevx', 'mif1', 'msf1']

/**
 * The type by the first bytes only. A search for other types would read the whole content, so its sender would decide
 * how long that takes.
 */
export function contentTypeOf(content: Buffer): MediaType | null {
  const text = (from: number, to: number) => content.toString('latin1', from, to)
  // A JPEG begins with the marker SOI and another marker. The marker of JPEG-LS (ISO/IEC 14495) means another format.
  if (text(0, 3) === '\xff\xd8\xff' && content[3] !== 0xf7) return 'image/jpeg'
  // A PNG begins with its signature and the header chunk (PNG specification §5.6).
  if (text(0, 16) === '\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR') return 'image/png'
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'image/webp'
  if (text(4, 8) === 'ftyp' && heicBrands.includes(text(8, 12))) return 'image/heic'
  return null
}

export interface PixelSize {
  readonly width: number
  readonly height: number
}

/** The size; null if it is not in the usual place, because the file is damaged or truncated. */
export function pixelSizeOf(content: Buffer, type: MediaType): PixelSize | null {
  const size = type === 'image/jpeg' ? jpegSize(content) : sizeInHead(content)
  return size !== null && size.width > 0 && size.height > 0 ? size : null
}

/** PNG and WebP have the size in their first 30 bytes, HEIC in a table of some kilobytes. */
const headBytes = 16 * 1024

function sizeInHead(content: Buffer): PixelSize | null {
  try {
    return imageSize(content.subarray(0, headBytes))
  } catch {
    return null
  }
}

/** The most markers that are read. A file of 5 MiB has room for 80 full segments. */
const maxMarkers = 1000

/** Steps from marker to marker (ITU-T T.81 §B.1.1) up to that of the frame, whose segment holds the size (§B.2.2). */
function jpegSize(content: Buffer): PixelSize | null {
  let at = 2
  for (let markers = 0; markers < maxMarkers && at + 9 <= content.length; markers++) {
    const marker = content[at + 1] ?? 0
    if (content[at] !== 0xff || marker === 0xff) at += 1
    else if (isFrame(marker)) return { height: content.readUInt16BE(at + 5), width: content.readUInt16BE(at + 7) }
    else if (marker === 0xda || marker === 0xd9) return null
    else at += 2 + (stands(marker) ? 0 : content.readUInt16BE(at + 2))
  }
  return null
}

/** SOF0 to SOF15, except the tables DHT, JPG and DAC among them. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** TEM and RST0 to RST7 have no segment. */
const stands = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
