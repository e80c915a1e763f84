import * as z from 'zod'
import { issueOf, type Reason, reason } from '../refusals/reason.js'
import { yieldToEventLoop } from '../running/event-loop.js'
import { lazily } from '../values/lazily.js'
import { contentTypeOf, type MediaType, mediaTypeOf, mediaTypes, type PixelSize, pixelSizeOf } from './image-head.js'
import { showsInk } from './png-ink.js'
import type { StoredFile } from './stored-file.js'

const MiB = 1024 * 1024
/** The largest photo. */
export const photoBytes = 5 * MiB
/**
 * The most pixels of a photo: more than any camera produces. Without this bound, a picture in a file of a few kilobytes
 * could fill the memory.
 */
const photoPixels = 200_000_000
const photoSide = 20_000
const logoBytes = 512 * 1024
const signatureBytes = 512 * 1024
const signatureWidth = 2000
const signatureHeight = 1000
const urlLength = 2048

/** A complete PNG ends with this chunk (PNG specification §11.2.5). */
const pngEnd = Buffer.from('IEND\xae\x42\x60\x82', 'latin1')

const isWhole = (content: Buffer, type: MediaType) => type !== 'image/png' || content.includes(pngEnd)

interface Limits {
  readonly types: readonly MediaType[]
  readonly maxBytes: number
  readonly maxWidth: number
  readonly maxHeight: number
  readonly maxPixels: number
  /** True if a damaged image is accepted: a truncated photo is better than none. */
  readonly mayBeDamaged?: true
  /** True if a blank image is refused. Only for PNG. */
  readonly mustShowInk?: true
}

/**
 * The beginning of a data URI: a type, and parameters that do not matter for an image (RFC 2397), such as
 * `charset=utf-8`. Type and parameters are bounded, because longer ones could fill an answer and the stack.
 */
const dataUri = /^data:([a-z]{1,20}\/[a-z0-9.+-]{1,80})(?:;[a-z0-9-]{1,40}=[\w.+"-]{1,80}){0,5};base64,/i

/**
 * The bytes of base64 with its padding (RFC 4648 §4); null for any other text. Node skips invalid characters, which
 * makes the result too short. Node also accepts the URL alphabet, which is refused first. For a photo of 4 MB this
 * takes 2 ms; a regular expression takes 27 ms.
 */
function fromBase64(text: string): Buffer<ArrayBuffer> | null {
  if (text.length === 0 || text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return null
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='))
  const content = Buffer.from(text, 'base64')
  return content.length === (text.length / 4) * 3 - padding ? content : null
}

/** The file in a base64 data URI, or why it is refused. */
async function decodeImage(uri: string, limits: Limits): Promise<StoredFile | Reason> {
  const head = dataUri.exec(uri)
  if (head === null) return reason('image_not_data_uri')
  const declared = (head[1] ?? '').toLowerCase()
  const media_type = mediaTypeOf(declared)
  if (media_type === undefined || !limits.types.includes(media_type))
    return reason('image_type_not_accepted', { type: declared.slice(0, 100), allowed: limits.types.join(', ') })

  const encoded = uri.slice(head[0].length)
  if (encoded.length > Math.ceil(limits.maxBytes / 3) * 4)
    return reason('image_encoded_too_large', { max: limits.maxBytes })
  await yieldToEventLoop()
  const content = fromBase64(encoded)
  if (content === null) return reason('image_not_base64')
  if (content.length > limits.maxBytes)
    return reason('image_too_large', { max: limits.maxBytes, found: content.length })

  const found = contentTypeOf(content)
  if (found === null) return reason('image_content_unknown', { declared })
  if (found !== media_type) return reason('image_type_differs', { declared, found })
  return storedImage(content, media_type, limits)
}

/** The file of an image whose type is known, or why it is refused. */
async function storedImage(
  content: Buffer<ArrayBuffer>,
  media_type: MediaType,
  limits: Limits,
): Promise<StoredFile | Reason> {
  const size = pixelSizeOf(content, media_type)
  if (!limits.mayBeDamaged && (size === null || !isWhole(content, media_type))) return reason('image_damaged')
  const { maxWidth, maxHeight, maxPixels } = limits
  if (size !== null && (size.width > maxWidth || size.height > maxHeight || size.width * size.height > maxPixels))
    return tooManyPixels(limits, size)
  if (limits.mustShowInk) {
    const ink = await showsInk(content)
    if (ink === null) return reason('image_damaged')
    if (!ink) return reason('signature_without_ink')
  }
  return { sha256: await sha256(content), media_type, content }
}

function tooManyPixels({ maxWidth, maxHeight, maxPixels }: Limits, { width, height }: PixelSize): Reason {
  const sizes = { max_width: maxWidth, max_height: maxHeight, width, height }
  if (maxPixels === maxWidth * maxHeight) return reason('image_too_many_pixels', sizes)
  return reason('image_too_many_megapixels', { max: maxPixels / 1e6, ...sizes })
}

/** The bound in words, for descriptions in the API contract. */
function pixelsOf({ maxWidth, maxHeight, maxPixels }: Limits): string {
  const sides = `${maxWidth}×${maxHeight} pixels`
  return maxPixels < maxWidth * maxHeight ? `${maxPixels / 1e6} megapixels within ${sides}` : sides
}

/** Computes the hash in a thread of the platform, because 5 MiB take 30 ms. */
async function sha256(content: Buffer<ArrayBuffer>): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', content)).toString('hex')
}

const photoLimits: Limits = {
  types: mediaTypes,
  maxBytes: photoBytes,
  maxWidth: photoSide,
  maxHeight: photoSide,
  maxPixels: photoPixels,
  mayBeDamaged: true,
}
const signatureLimits: Limits = {
  types: ['image/png'],
  maxBytes: signatureBytes,
  maxWidth: signatureWidth,
  maxHeight: signatureHeight,
  maxPixels: signatureWidth * signatureHeight,
  mustShowInk: true,
}
const logoLimits: Limits = {
  types: ['image/jpeg', 'image/png'],
  maxBytes: logoBytes,
  maxWidth: 4000,
  maxHeight: 4000,
  maxPixels: 16_000_000,
}

const imageFile = (limits: Limits) =>
  z.string().transform(async (uri, context) => {
    const file = await decodeImage(uri, limits)
    return 'code' in file ? refuse(context, file) : file
  })

function refuse(context: z.core.$RefinementCtx, why: Reason): typeof z.NEVER {
  context.addIssue({ code: 'custom', message: issueOf(why) })
  return z.NEVER
}

/** An uploaded photo: JPEG, PNG, WebP or HEIC, at most 5 MiB. Parses to the file. */
export const photoFile = lazily(() =>
  imageFile(photoLimits).meta({
    description: `Base64 data URI of a JPEG, PNG, WebP or HEIC image, at most 5 MiB decoded, ${pixelsOf(photoLimits)}.`,
  }),
)

/**
 * A photo or a signature uploaded as bytes, not as text. Its content determines its type.
 * @param kind the required kind
 */
export async function sentImage(bytes: Uint8Array, kind: 'photo' | 'signature'): Promise<StoredFile | Reason> {
  const content = Buffer.from(bytes)
  const limits = kind === 'photo' ? photoLimits : signatureLimits
  const allowed = limits.types.join(', ')
  const type = contentTypeOf(content)
  if (type === null || !limits.types.includes(type))
    return reason('image_type_not_accepted', { type: type ?? '(unrecognised)', allowed })
  if (content.length > limits.maxBytes)
    return reason('image_too_large', { max: limits.maxBytes, found: content.length })
  return storedImage(content, type, limits)
}

/** The logo that an account prints on its reports. Parses to the file. */
export const logoFile = lazily(() =>
  imageFile(logoLimits).meta({
    description: 'Base64 data URI of a JPEG or PNG image, at most 512 KiB and 4000×4000 pixels.',
  }),
)

/** An uploaded photo, or an http(s) link that is kept and never fetched. Parses to the file, or to `{url}`. */
export const photo = lazily(() =>
  z
    .string()
    .transform(async (value, context): Promise<StoredFile | { url: string }> => {
      if (!/^https?:/i.test(value)) {
        const file = await decodeImage(value, photoLimits)
        if (!('code' in file)) return file
        // For text that is not an image: a link would have been accepted too.
        const orLink = file.code === 'image_not_data_uri' ? ', or an http(s) URL' : ''
        return refuse(context, { ...file, message: `${file.message}${orLink}` })
      }
      if (value.length > urlLength)
        return refuse(context, reason('url_too_long', { max: urlLength, found: value.length }))
      if (!URL.canParse(value) || !value.isWellFormed() || /[\s\p{Cc}]/u.test(value))
        return refuse(context, reason('url_invalid'))
      return { url: value }
    })
    .meta({
      description: `Base64 data URI of an image (JPEG, PNG, WebP, HEIC; at most 5 MiB decoded, ${pixelsOf(photoLimits)}), or an http(s) URL.`,
    }),
)

/** The customer's signature: a PNG of at most 512 KiB and 2000×1000 pixels that is not blank. Parses to the file. */
export const signature = lazily(() =>
  imageFile(signatureLimits).meta({
    description:
      'Base64 data URI of a PNG image, at most 512 KiB and 2000×1000 pixels. An image that is blank on white paper is refused.',
  }),
)
