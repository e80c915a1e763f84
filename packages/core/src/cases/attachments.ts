import { hash } from 'node:crypto'
import * as z from 'zod'
import type { StoredFile } from '../ports.js'

const MiB = 1024 * 1024
const photoBytes = 5 * MiB
const signatureBytes = 512 * 1024
const signatureWidth = 2000
const signatureHeight = 1000
const urlLength = 2048

type MediaType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/heic'

const ascii = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))

/** What the first bytes say; undefined for anything but the four kinds that are taken. */
function sniff(bytes: Uint8Array): MediaType | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg'
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png'
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp'
  if (ascii(bytes, 4, 8) === 'ftyp' && /^(heic|heix|heim|heis|hevc|mif1|msf1)$/.test(ascii(bytes, 8, 12)))
    return 'image/heic'
  return undefined
}

const dataUri = /^data:([a-z]+\/[a-z0-9.+-]+);base64,/i
const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** The file in a base64 data URI, or why it is refused. */
function decodeImage(uri: string, limits: { types: readonly string[]; maxBytes: number }): StoredFile | string {
  const head = dataUri.exec(uri)
  if (head === null) return 'must be a base64 data URI: data:<media type>;base64,<data>'
  const declared = (head[1] ?? '').toLowerCase()
  if (!limits.types.includes(declared)) return `media type ${declared} is not accepted: ${limits.types.join(', ')}`

  const encoded = uri.slice(head[0].length)
  if (encoded.length > Math.ceil(limits.maxBytes / 3) * 4) return `at most ${limits.maxBytes} bytes decoded`
  if (encoded.length === 0 || encoded.length % 4 !== 0 || !base64.test(encoded)) return 'must be valid base64, padded'
  const content = Buffer.from(encoded, 'base64')
  if (content.length > limits.maxBytes) return `at most ${limits.maxBytes} bytes decoded (found ${content.length})`

  const found = sniff(content)
  if (found !== declared) return `declared as ${declared}, but its content is ${found ?? 'not such an image'}`
  return { sha256: hash('sha256', content), media_type: declared, content }
}

const photoTypes: readonly MediaType[] = ['image/jpeg', 'image/png', 'image/webp', 'image/heic']

function refuse(context: z.core.$RefinementCtx, message: string): typeof z.NEVER {
  context.addIssue({ code: 'custom', message })
  return z.NEVER
}

/** A photo sent along: JPEG, PNG, WebP or HEIC, at most 5 MiB. Parses to the file. */
export const photoFile = z
  .string()
  .transform((uri, context) => {
    const file = decodeImage(uri, { types: photoTypes, maxBytes: photoBytes })
    return typeof file === 'string' ? refuse(context, file) : file
  })
  .meta({ description: 'Base64 data URI of a JPEG, PNG, WebP or HEIC image, at most 5 MiB decoded.' })

/** A photo sent along, or an http(s) link that is kept as it is and never fetched. Parses to the file, or to `{url}`. */
export const photo = z
  .string()
  .transform((value, context): StoredFile | { url: string } => {
    if (!/^https?:/i.test(value)) {
      const file = decodeImage(value, { types: photoTypes, maxBytes: photoBytes })
      return typeof file === 'string' ? refuse(context, `${file}, or an http(s) URL`) : file
    }
    if (value.length > urlLength)
      return refuse(context, `a URL of at most ${urlLength} characters (found ${value.length})`)
    if (!URL.canParse(value) || !value.isWellFormed() || /[\0-\x20]/.test(value))
      return refuse(context, 'is not a valid URL')
    return { url: value }
  })
  .meta({
    description: 'Base64 data URI of an image (JPEG, PNG, WebP, HEIC; at most 5 MiB decoded), or an http(s) URL.',
  })

/** The customer's signature: a PNG of at most 512 KiB and 2000×1000 pixels. Parses to the file. */
export const signature = z
  .string()
  .transform((uri, context) => {
    const file = decodeImage(uri, { types: ['image/png'], maxBytes: signatureBytes })
    if (typeof file === 'string') return refuse(context, file)
    const size = pngSize(file.content)
    if (size === undefined) return refuse(context, 'is not a PNG image')
    if (size.width > signatureWidth || size.height > signatureHeight)
      return refuse(context, `at most ${signatureWidth}×${signatureHeight} pixels (found ${size.width}×${size.height})`)
    return file
  })
  .meta({ description: 'Base64 data URI of a PNG image, at most 512 KiB and 2000×1000 pixels.' })

/** Width and height from the IHDR chunk, which a PNG begins with (PNG specification §5.6). */
function pngSize(png: Uint8Array): { width: number; height: number } | undefined {
  if (png.length < 33 || ascii(png, 12, 16) !== 'IHDR') return undefined
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength)
  const size = { width: view.getUint32(16), height: view.getUint32(20) }
  return size.width > 0 && size.height > 0 ? size : undefined
}
