import { UnavailableError } from '@sav/core/ports'
import { AwsClient } from 'aws4fetch'
import { parseAnswer } from './xml.js'

/** The server, the bucket, and the key. */
export interface S3ServerOptions {
  /** The name of the bucket. */
  readonly bucket: string
  /** The http or https URL of the server; default: Amazon's in that region. */
  readonly endpoint?: string
  /** The region of the server, such as `fr-par`: part of each signature. */
  readonly region: string
  /** The id of the access key. */
  readonly accessKeyId: string
  /** The secret of the access key. */
  readonly secretAccessKey: string
  /** The session token of temporary keys. */
  readonly sessionToken?: string
  /**
   * The time limit of a whole request, including its repetitions and the body of its answer, in milliseconds. Default:
   * 15,000.
   */
  readonly timeoutMs?: number
}

export interface S3Request {
  readonly method?: 'GET' | 'PUT' | 'DELETE'
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: NonNullable<RequestInit['body']>
}

/** The server's refusal of this one request: its status, and its code if there is one. */
export class S3RefusedError extends Error {
  readonly status: number
  readonly code: string

  constructor(place: string, { status, code }: { readonly status: number; readonly code: string }) {
    super(`${place} refused the request: ${status}${code === '' ? '' : ` ${code}`}.`)
    this.name = 'S3RefusedError'
    this.status = status
    this.code = code
  }
}

export interface S3Server {
  /**
   * Resolves to the body of a success.
   * @throws UnavailableError when the server is unreachable, slow or busy, or refuses the key or bucket; S3RefusedError
   */
  ask(request: S3Request): Promise<Buffer>
}

/** Enough for a list of a thousand keys, and more than any of our files. */
const maxAnswerBytes = 16 * 1024 * 1024

/** Refusals that apply to every request until an operator fixes the cause. */
const ofEveryRequest = new Set([
  'ExpiredToken',
  'InvalidAccessKeyId',
  'InvalidToken',
  'NoSuchBucket',
  'PermanentRedirect',
  'RequestTimeTooSkewed',
  'SignatureDoesNotMatch',
])

/** Requests with signature version 4, by path and not by host name, which any server supports. */
export function s3Server(options: S3ServerOptions): S3Server {
  const { bucket, region, accessKeyId, secretAccessKey, timeoutMs = 15_000 } = options
  const endpoint = (options.endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/{1,9}$/, '')
  const place = `s3://${bucket}`
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(options.sessionToken !== undefined && { sessionToken: options.sessionToken }),
    service: 's3',
    region,
    retries: 2,
  })

  const unavailable = (why: string, cause?: unknown) =>
    new UnavailableError(`${place} cannot be used: ${why}.`, { cause, retryAfterSeconds: 5 })

  return {
    async ask({ method = 'GET', key = '', query = {}, headers = {}, body }) {
      const url = `${endpoint}/${bucket}${key === '' ? '' : `/${key}`}?${new URLSearchParams(query)}`
      try {
        const signal = AbortSignal.timeout(timeoutMs)
        const init = { method, headers, signal, redirect: 'manual' as const }
        const answer = await client.fetch(url, body === undefined ? init : { ...init, body })
        const content = await bytesOf(answer)
        if (answer.ok) return content
        const code = codeIn(content)
        if (answer.status >= 500 || answer.status === 429 || ofEveryRequest.has(code))
          throw unavailable(`it answered ${answer.status}${code === '' ? '' : ` ${code}`}`)
        throw new S3RefusedError(place, { status: answer.status, code })
      } catch (error) {
        if (error instanceof UnavailableError || error instanceof S3RefusedError) throw error
        throw unavailable(reasonOf(error, timeoutMs), error)
      }
    },
  }
}

async function bytesOf({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > maxAnswerBytes) throw new Error(`it answered more than ${maxAnswerBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The code of a refusal; empty if there is none. Nothing else is passed on, since it repeats the signed request. */
function codeIn(content: Buffer): string {
  try {
    const code = parseAnswer(content.toString()).text('Code')
    return /^\w{1,64}$/.test(code) ? code : ''
  } catch {
    return ''
  }
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'no answer'
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`
  // The message of fetch is only `fetch failed`. Its cause has the reason.
  const { cause } = error
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : error.message
}
