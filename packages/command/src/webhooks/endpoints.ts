import { setTimeout } from 'node:timers/promises'
import type { EndpointView } from '@sav/core'
import type { SavClient } from '@sav/http-node/client'
import type { EventKind } from '@sav/webhook-verify'
import type { Context } from '../invocation/context.js'
import { usageError } from '../process/command-error.js'
import { exitCodes, type Output } from '../process/outcome.js'
import { inAccount } from '../syntax/in-account.js'
import { type Column, wholeList } from '../terminal/columns.js'
import { confirm } from '../terminal/confirmation.js'
import { peopleTime } from '../terminal/people-time.js'
import { fields } from '../terminal/table.js'
import { oneLine } from '../terminal/terminal.js'
import { disabledCell, healthCell, noEndpoint } from './health.js'

export interface AddEndpointOptions {
  readonly events?: EventKind[]
  readonly all_events?: boolean
  readonly description?: string
  readonly header?: Record<string, string>
}

/** The options of an update. `header` is false for `--no-header`. */
export interface UpdateEndpointOptions extends Omit<AddEndpointOptions, 'header'> {
  readonly url?: string
  readonly header?: Record<string, string> | false
}

export async function addEndpoint(context: Context, url: string, options: AddEndpointOptions): Promise<Output> {
  const { description, header } = options
  const events = options.all_events ? [...(await context.eventKinds())] : options.events
  if (events === undefined) throw usageError('Choose the events: --events sav.created,sav.closed or --all-events.')
  const body = { url, events, description, headers: header }
  const { data: endpoint } = await (await context.api()).post('/api/v1/webhooks', { body })
  return { json: endpoint, text: `${await described(context, endpoint, endpoint.secret)}\n\n${shownOnce}` }
}

const one = '/api/v1/webhooks/{endpoint}'

const shownOnce = 'The secret is shown only once: give it to the receiver.'

async function described(context: Context, endpoint: EndpointView, secret: string | null = null): Promise<string> {
  const kinds = await context.eventKinds()
  return fields(context.terminal, [
    ['Endpoint', endpoint.id],
    ['URL', endpoint.url],
    ['State', disabledCell(endpoint)],
    ['Events', isForAll(endpoint, kinds) ? `all of the ${kinds.length} kinds` : endpoint.events.join(', ')],
    ['Headers', endpoint.headers.join(', ')],
    ['Description', endpoint.description],
    ['Secret', secret],
  ])
}

const isForAll = ({ events }: EndpointView, kinds: readonly string[]) => kinds.every((kind) => events.includes(kind))

export async function updateEndpoint(context: Context, id: string, options: UpdateEndpointOptions): Promise<Output> {
  const { url, all_events, description, header } = options
  const changes = {
    ...(url !== undefined && { url }),
    ...(options.events !== undefined && { events: options.events }),
    ...(all_events && { events: [...(await context.eventKinds())] }),
    ...(description !== undefined && { description: description === '' ? null : description }),
    ...(header !== undefined && { headers: header === false ? {} : header }),
  }
  const api = await context.api()
  const { data: endpoint } = await api.put(one, { params: { endpoint: id }, body: changes })
  return { json: endpoint, text: await described(context, endpoint) }
}

export async function disableEndpoint(context: Context, id: string): Promise<Output> {
  const api = await context.api()
  const { data: endpoint } = await api.post(`${one}/desactiver`, { params: { endpoint: id } })
  return { json: endpoint, text: `${id} is disabled: its deliveries wait, at most 30 days.` }
}

export async function enableEndpoint(context: Context, id: string): Promise<Output> {
  const api = await context.api()
  const { data: endpoint } = await api.post(`${one}/activer`, { params: { endpoint: id } })
  return { json: endpoint, text: `${id} is enabled: its waiting deliveries are sent at once.` }
}

export async function removeEndpoint(
  context: Context,
  id: string,
  { yes }: { readonly yes?: boolean },
): Promise<Output> {
  const api = await context.api()
  const params = { endpoint: id }
  const { url } = (await api.get(one, { params })).data
  await confirm(context, { yes, question: `Remove ${id} (${oneLine(url)}) for good? Its waiting deliveries fail.` })
  await api.delete(one, { params })
  return { json: { id, removed: true }, text: `${id} is removed; its history stays.` }
}

export async function rotateSecret(
  context: Context,
  id: string,
  { now = false, overlap }: { readonly now?: boolean; readonly overlap?: number },
): Promise<Output> {
  const call = { params: { endpoint: id }, body: { chevauchement_secondes: now ? 0 : overlap } }
  const { data: rotated } = await (await context.api()).post(`${one}/renouveler-secret`, call)
  const until = rotated.previous_expires_at
  const text = fields(context.terminal, [
    ['Endpoint', id],
    ['Secret', rotated.secret],
    ['The old secret also signs until', until === null ? 'now' : peopleTime(context).zoned(until)],
  ])
  return { json: rotated, text: `${text}\n\n${shownOnce}` }
}

/** How much longer than one attempt a test waits for its result. A worker claims a due delivery within 250 ms. */
const waitMarginMs = 2000

export async function testEndpoint(
  context: Context,
  id: string,
  { wait = false }: { readonly wait?: boolean },
): Promise<Output> {
  const api = await context.api()
  const { data: sent } = await api.post(`${one}/tester`, { params: { endpoint: id } })
  const shown = inAccount(`sav webhooks show ${sent.delivery_id}`, context.account)
  if (!wait) return { json: sent, text: `The test is queued. To see its result: ${shown}` }
  const maxWaitMs = context.settings.webhookTimeoutMs + waitMarginMs
  const deadline = performance.now() + maxWaitMs
  for (;;) {
    const [attempt] = (await deliveryOf(api, sent.delivery_id)).attempts
    const isLate = performance.now() >= deadline
    if (attempt === undefined && !isLate) await setTimeout(50)
    else return answered(sent, attempt ?? null, { maxWaitMs, shown })
  }
}

const deliveryOf = async (api: SavClient, delivery: string) =>
  (await api.get('/api/v1/webhooks/livraisons/{delivery}', { params: { delivery } })).data

type Attempt = Awaited<ReturnType<typeof deliveryOf>>['attempts'][number]

function answered(
  sent: { readonly delivery_id: string },
  attempt: Attempt | null,
  { maxWaitMs, shown }: { readonly maxWaitMs: number; readonly shown: string },
): Output {
  const json = { ...sent, attempt }
  const exitCode = attempt !== null && attempt.error === null ? exitCodes.done : exitCodes.failed
  if (attempt === null)
    return {
      json,
      text: `Not sent after ${maxWaitMs / 1000} s: is a \`sav serve\` or \`sav worker\` running?`,
      exitCode,
    }
  const { status, error, duration_ms } = attempt
  const what = error === null ? `Delivered: answered ${status}` : `Not delivered: ${error}`
  return { json, text: `${what} (${duration_ms} ms). More: ${shown}`, exitCode }
}

export async function listEndpoints(context: Context): Promise<Output> {
  const { data: listed } = await (await context.api()).get('/api/v1/webhooks')
  const kinds = await context.eventKinds()
  const columns: Column<(typeof listed)[number]>[] = [
    { field: 'id', head: 'ID', cell: ({ id }) => id, whole: true },
    { field: 'sante', head: 'STATE', cell: healthCell },
    {
      field: 'events',
      head: 'EVENTS',
      cell: (endpoint) => (isForAll(endpoint, kinds) ? 'all' : endpoint.events.join(',')),
    },
    { field: 'url', head: 'URL', cell: ({ url }) => url },
  ]
  return wholeList(context, { columns, empty: noEndpoint(context) }, listed)
}
