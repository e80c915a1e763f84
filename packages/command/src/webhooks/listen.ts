import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { safeVerify, type WebhookEvent } from '@sav/webhook-verify'
import type { Context } from '../invocation/context.js'
import { addressProblem } from '../process/address-problem.js'
import { fetchProblem, messageOf, usageError } from '../process/command-error.js'
import { isHttpUrl } from '../syntax/values.js'
import { jsonText } from '../terminal/safe-text.js'
import { oneLine, payloadLines } from '../terminal/terminal.js'
import { secretOf } from './signing-secret.js'

export interface ListenOptions {
  readonly port: number
  readonly secret?: string
  readonly forward_to?: string
}

const maxBodyBytes = 1024 * 1024

/** The outcome of one request, from which the answer and the printed line are made. */
interface Receipt {
  readonly status: number
  readonly event?: WebhookEvent
  readonly problem?: string
}

/**
 * Receives webhooks until it is stopped, and verifies and prints each one. The sender's history shows its answers.
 * Without a secret, it adds an endpoint for itself to the service or store that commands use, and removes the endpoint
 * at the end.
 */
export async function listen(context: Context, { port, secret: given, forward_to }: ListenOptions): Promise<undefined> {
  if (forward_to !== undefined && !isHttpUrl(forward_to))
    throw usageError(`--forward-to ${forward_to}: must be an http or https URL.`)
  let secret = await secretOf(context, given)

  async function receive(request: IncomingMessage): Promise<Receipt> {
    if (request.method !== 'POST') return { status: 405, problem: `it is a ${request.method}, not a POST` }
    const body = await readBody(request)
    if (body === null) return { status: 413, problem: `its body has more than ${maxBodyBytes} bytes` }
    const result = await safeVerify(body, request.headers, secret ?? '')
    if (!result.ok) return { status: 401, problem: `${result.reason}: ${result.message}` }
    if (forward_to === undefined) return { status: 200, event: result.event }
    return { event: result.event, ...(await forward(forward_to, request, body)) }
  }

  const server = createServer(async (request, response) => {
    const receipt = await receive(request).catch((error: unknown) => ({ status: 500, problem: String(error) }))
    response.writeHead(receipt.status, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ received: receipt.status < 300, ...('problem' in receipt && { error: receipt.problem }) }),
    )
    context.stdout.write(`${context.json ? asJson(receipt) : asText(receipt)}\n`)
  })
  const address = { host: '127.0.0.1', port }
  await once(server.listen(address), 'listening').catch((error: unknown) => {
    throw addressProblem(error, address)
  })
  const bound = server.address()
  const url = `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : port}`
  const endpoint = secret === null ? await addSelf(context, url).catch(closing(server)) : null
  secret ??= endpoint?.secret ?? null
  context.stderr.write(`receiving webhooks on ${url}\n`)
  await context.untilStopped()
  await endpoint?.remove()
  closing(server)(null)
}

/** Closes the server, and throws the error if there is one. */
const closing = (server: Server) => (error: unknown) => {
  server.close()
  server.closeAllConnections()
  if (error !== null) throw error
}

/** Adds an endpoint that gets every kind of event. `remove` removes it when the command ends. */
async function addSelf(context: Context, url: string) {
  const api = await context.api()
  const body = { url, events: [...(await context.eventKinds())], description: 'sav webhooks listen' }
  const { data } = await api.post('/api/v1/webhooks', { body }).catch((error: unknown) => {
    const remedy = 'Receivers on this machine need SAV_WEBHOOK_ALLOW_LOCAL=1: set it here and for `sav serve`.'
    throw usageError(`No endpoint could be added for ${url}: ${messageOf(error)}\n${remedy}`)
  })
  const { id, secret } = data
  context.stderr.write(`added ${id} for every kind; it is removed when this command ends\n`)
  return { secret, remove: () => api.delete('/api/v1/webhooks/{endpoint}', { params: { endpoint: id } }) }
}

/** The raw bytes of a request's body; null if there are too many. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length <= maxBodyBytes) chunks.push(chunk)
  }
  return length <= maxBodyBytes ? Buffer.concat(chunks) : null
}

const handedOn = /^(content-type|user-agent|webhook-.*|x-webhook-.*)$/

/** Forwards a webhook with the same bytes and signatures, so that the other receiver can verify it itself. */
async function forward(url: string, request: IncomingMessage, body: Uint8Array): Promise<Omit<Receipt, 'event'>> {
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === 'string' && handedOn.test(name) ? [[name, value] as const] : [],
  )
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: new Headers(headers.map(([name, value]): [string, string] => [name, value])),
      body: Buffer.from(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    })
    await answer.body?.cancel()
    return answer.ok
      ? { status: answer.status }
      : { status: answer.status, problem: `${url} answered ${answer.status}` }
  } catch (error) {
    return { status: 502, problem: `${url}: ${fetchProblem(error)}` }
  }
}

function asJson({ status, event, problem }: Receipt): string {
  return jsonText({ time: new Date().toISOString(), status, verified: event !== undefined, problem, ...event })
}

function asText({ status, event, problem }: Receipt): string {
  const what =
    event === undefined
      ? []
      : [event.event, 'reference' in event.data ? String(event.data.reference) : '', event.data.event_id]
  const parts = [new Date().toISOString(), status, ...what, problem ?? '']
  const line = oneLine(parts.filter((part) => part !== '').join(' '))
  return event === undefined ? line : [line, ...payloadLines(event.data)].join('\n')
}
