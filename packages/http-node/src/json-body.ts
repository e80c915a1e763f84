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
  const declaredLength = request.header('content-length')
  if (declaredLength !== undefined && !(Number(declaredLength) <= maxBodyBytes)) throw tooLarge()
  if (!isJson(request.header('content-type')) || request.header('content-encoding') !== undefined)
    throw new Refusal(415, 'Unsupported media type', {
      fields: { detail: 'Send Content-Type: application/json, in UTF-8, without a Content-Encoding.' },
    })

  const bytes = await request.readBody(maxBodyBytes)
  if (bytes === null) throw tooLarge()
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
