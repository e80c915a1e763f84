import { Refusal } from './errors.js'
import type { ApiRequest } from './exchange.js'

/** Ten photos and a signature in base64 fit. */
export const maxBodyBytes = 72 * 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The body as JSON says it; `T` is what the core's schema will find or refuse, nothing is checked here.
 * @throws Refusal: 413 over 72 MiB (by its declared length before a byte is read), 415 unless it is declared as JSON in
 * UTF-8, 400 unless it is
 */
export async function readJson<T>(request: ApiRequest): Promise<T> {
  refuseDeclaredLength(request)
  refuseOtherTypes(request)
  return parsed(await bytesOf(request))
}

/** Like `readJson`, but a body without a byte, of whatever type, is an empty object. */
export async function readOptionalJson<T>(request: ApiRequest): Promise<T> {
  refuseDeclaredLength(request)
  const bytes = await bytesOf(request)
  if (bytes.length === 0) return JSON.parse('{}')
  refuseOtherTypes(request)
  return parsed(bytes)
}

function refuseDeclaredLength(request: ApiRequest): void {
  const declared = request.header('content-length')
  if (declared !== undefined && !(Number(declared) <= maxBodyBytes)) throw tooLarge()
}

function refuseOtherTypes(request: ApiRequest): void {
  if (isJson(request.header('content-type')) && request.header('content-encoding') === undefined) return
  throw new Refusal(415, 'Unsupported media type', {
    fields: { detail: 'Send Content-Type: application/json, in UTF-8, without a Content-Encoding.' },
  })
}

async function bytesOf(request: ApiRequest): Promise<Uint8Array> {
  const bytes = await request.readBody(maxBodyBytes)
  if (bytes === null) throw tooLarge()
  return bytes
}

function parsed<T>(bytes: Uint8Array): T {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw new Refusal(400, 'Malformed JSON')
  }
}

const tooLarge = () => new Refusal(413, 'Payload too large', { fields: { max_bytes: maxBodyBytes } })

function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true
  return contentType !== undefined && /^application\/json\s*(;\s*charset="?utf-8"?\s*)?;?\s*$/i.test(contentType)
}
