import { resolve } from 'node:path'
import { safeVerify } from '@sav/webhook-verify'
import type { Context } from '../invocation/context.js'
import { boundedBytes } from '../process/bounded-file.js'
import { usageError } from '../process/command-error.js'
import { exitCodes, type Output } from '../process/outcome.js'
import { fileProblem } from '../process/system-problem.js'
import { fields } from '../terminal/table.js'
import { type CapturedRequest, capturedRequest } from './captured-request.js'
import { secretOf } from './signing-secret.js'

export interface VerifyOptions {
  readonly secret?: string
}

/** Says whether a saved request is one of our webhooks, and if not, why. */
export async function verifyCapture(context: Context, file: string, { secret: given }: VerifyOptions): Promise<Output> {
  const secret = await secretOf(context, given)
  if (secret === null)
    throw usageError('Which signing secret? Put it into SAV_WEBHOOK_SECRET, or give it with --secret.')
  const from = file === '-' ? context.stdin() : resolve(context.cwd, file)
  const bytes = await boundedBytes(from).catch((error: unknown) => {
    throw usageError(`${file}: ${fileProblem(error)}`)
  })
  const request = capturedRequest(file, bytes)
  const sentAt = timeOf(request)
  // The signature is verified as of the time of sending: a saved request may be old. Its age is reported separately.
  const at = { now: sentAt ?? Date.now() }
  const standard = await safeVerify(request.body, request.headers, secret, at)
  const specification = await safeVerify(request.body, request.headers, secret, { ...at, scheme: 'specification' })
  const ok = standard.ok
  const ageSeconds = sentAt === null ? null : Math.round((Date.now() - sentAt) / 1000)
  const hint = ok ? null : await hintOf(request, secret, at.now)
  const problem = standard.ok ? null : `${standard.reason}: ${standard.message}`
  const json = {
    ok,
    reason: standard.ok ? null : standard.reason,
    message: standard.ok ? null : standard.message,
    hint,
    specification_ok: specification.ok,
    event: standard.ok ? standard.event.event : null,
    age_seconds: ageSeconds,
  }
  const text = fields(context.terminal, [
    ['webhook-signature', problem ?? 'holds'],
    ['X-Webhook-Signature', specification.ok ? 'holds' : `${specification.reason}: ${specification.message}`],
    ['Event', standard.ok ? `${standard.event.event} ${standard.event.data.event_id}` : null],
    ['Age', ageOf(ageSeconds)],
    ['Likely', hint],
  ])
  return { json, text, ...(!ok && { exitCode: exitCodes.failed }) }
}

/** How old a request may be before a receiver refuses it, by default. */
const toleranceSeconds = 300

function ageOf(seconds: number | null): string | null {
  if (seconds === null) return null
  return `${seconds} s${Math.abs(seconds) > toleranceSeconds ? `: a receiver now refuses it, since it allows ${toleranceSeconds} s` : ''}`
}

/** The time of the attempt, in Unix milliseconds, from the request's headers; null if they have none. */
function timeOf({ headers }: CapturedRequest): number | null {
  const written = headers['webhook-timestamp'] ?? headers['x-webhook-timestamp'] ?? ''
  return /^\d{1,11}$/.test(written) ? Number(written) * 1000 : null
}

/** The likely reason for an invalid signature, such as a change of the body that would explain it. */
async function hintOf({ headers, body }: CapturedRequest, secret: string, now: number): Promise<string | null> {
  const holds = async (changed: Uint8Array | string, by = headers) =>
    (await safeVerify(changed, by, secret, { now })).ok ||
    (await safeVerify(changed, by, secret, { now, scheme: 'specification' })).ok
  const missing = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].filter((name) => headers[name] === undefined)
  if (missing.length > 0)
    return `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing: does a proxy drop headers that it does not know?`
  const text = Buffer.from(body).toString('utf8')
  if (body.length === 0) return 'the body is empty: something has read it before'
  if (await holds(text.replace(/\r?\n$/, ''))) return 'a line break was added at the end of the body'
  if (await holds(text.replaceAll('\r\n', '\n'))) return 'the line breaks of the body were changed'
  if (await holds(text.trim())) return 'spaces were added around the body'
  if (await holds(compact(text)))
    return 'the body was parsed and written again: verify the bytes as they came, before any JSON parser'
  if (await holds(Buffer.from(text, 'latin1'))) return 'the body was read as Latin-1, but it is UTF-8'
  return 'the secret is wrong: use the latest one that was shown for this endpoint, including its whsec_'
}

/** The JSON without spaces, as the service writes it. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}
