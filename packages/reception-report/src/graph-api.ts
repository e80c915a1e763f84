import { Agent, type Dispatcher, type FormData, request } from 'undici'

const keptBytes = 16 * 1024

/** See `WhatsAppOptions`. */
interface GraphApiOptions {
  readonly token: string
  readonly phoneId: string
  readonly api?: string
  readonly dispatcher?: Dispatcher
}

/** Meta's answer. */
export interface Answer {
  readonly status: number
  readonly text: string
  /** The id of the media or of the message. */
  readonly id: string | null
  /** Meta's error code. */
  readonly code: number | null
}

/** The part of Meta's Graph API that sends messages from one number. */
export class GraphApi {
  readonly #token: string
  readonly #base: string
  readonly #own: Agent | null
  readonly #dispatcher: Dispatcher | undefined

  /** @throws RangeError for a malformed address */
  constructor({ token, phoneId, api, dispatcher }: GraphApiOptions, connectMs: number) {
    this.#token = token
    this.#base = `${baseOf(api ?? 'https://graph.facebook.com/v26.0')}/${encodeURIComponent(phoneId)}`
    this.#own = dispatcher === undefined ? new Agent({ connect: { timeout: connectMs } }) : null
    this.#dispatcher = dispatcher ?? this.#own ?? undefined
  }

  async post(path: string, body: FormData | string, signal: AbortSignal): Promise<Answer> {
    const type = typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}
    const { statusCode, body: stream } = await request(`${this.#base}/${path}`, {
      ...(this.#dispatcher && { dispatcher: this.#dispatcher }),
      method: 'POST',
      headers: { ...type, Authorization: `Bearer ${this.#token}` },
      body,
      // Never reuses a connection: if Meta closed it at this moment, the outcome would be unknown.
      reset: true,
      signal,
    })
    // Removes the token, which Meta repeats in its answer if it is malformed.
    const text = (await beginningOf(stream)).replaceAll(this.#token, '[token]').replaceAll('\0', '\ufffd')
    return { status: statusCode, text, ...idAndCode(text) }
  }

  async close(): Promise<void> {
    await this.#own?.destroy()
  }
}

function baseOf(api: string): string {
  const parsed = URL.parse(api)
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new RangeError(`the address of the Graph API must be http or https, not ${api}`)
  return api.replace(/\/{1,9}$/, '')
}

async function beginningOf(stream: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of stream) {
      chunks.push(Buffer.from(chunk))
      length += chunk.length
      if (length > keptBytes) break
    }
  } catch {
    // If the body cannot be read, the status is enough.
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, keptBytes), { stream: true })
}

function idAndCode(text: string): { id: string | null; code: number | null } {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    return { id: null, code: null }
  }
  const [message] = listIn(answer, 'messages')
  const id = memberOf(message, 'id') ?? memberOf(answer, 'id')
  const code = memberOf(memberOf(answer, 'error'), 'code')
  return { id: typeof id === 'string' ? id : null, code: typeof code === 'number' ? code : null }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = memberOf(value, name)
  return Array.isArray(list) ? list : []
}

const codeOf = (error: unknown): string => {
  const code = memberOf(error, 'code')
  return typeof code === 'string' ? code : ''
}

/** Codes of errors that occur before anything was sent. */
const neverLeft: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/** Whether a call failed before anything was sent. */
export const hasNotLeft = (error: unknown): boolean => neverLeft.has(codeOf(error))

export function wordsOn(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer in time'
  const code = codeOf(error)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'could not resolve the name of the server'
  return neverLeft.has(code) ? 'no connection to the server' : 'the connection was lost'
}
