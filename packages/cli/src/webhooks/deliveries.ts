import type { DeliveryView, HistoryInput } from '@sav/core'
import type { Context } from '../invocation/context.js'
import type { Output } from '../process/outcome.js'
import { type List, largestLatest, listed } from '../terminal/listing.js'
import { type PeopleTime, peopleTime } from '../terminal/people-time.js'
import { fields, stateCell, table } from '../terminal/table.js'
import { manyLines, payloadLines } from '../terminal/terminal.js'
import { hintOf } from './hints.js'
import { hostOf, type Receivers, receiversOf, refuseUnknownEndpoint } from './receivers.js'

export interface HistoryOptions {
  readonly state?: HistoryInput['state']
  readonly endpoint?: string
  readonly event?: string
  readonly since?: string
  readonly limit?: number
  readonly all?: true
  /** Told as they come, until it is stopped. */
  readonly follow?: boolean
}

export async function deliveryHistory(context: Context, options: HistoryOptions): Promise<Output | undefined> {
  const api = await context.api()
  const { state, endpoint, event, since, limit, all } = options
  const local = peopleTime(context)
  const filter = { state, endpoint_id: endpoint, event, since: local.instantOf(since) }
  if (options.follow) return (await import('./deliveries-follow.js')).followDeliveries(context, api, filter)
  if (endpoint !== undefined) await refuseUnknownEndpoint(api, endpoint)
  const receivers = await receiversOf(api)
  const list: List<DeliveryView> = {
    largest: largestLatest,
    get: (part) => api.get('/api/v1/webhooks/livraisons', { query: { ...filter, limite: limit, ...part } }),
    tableOf: (deliveries) => deliveryTable(context, receivers, deliveries),
  }
  return listed(context, list, all)
}

function deliveryTable(context: Context, receivers: Receivers, deliveries: readonly DeliveryView[]): string {
  const local = peopleTime(context)
  const rows = deliveries.map((delivery) => [
    delivery.id,
    local.at(delivery.created_at),
    local.ageOf(delivery.created_at),
    delivery.event,
    // A service of an earlier release says nothing of it.
    delivery.reference ?? null,
    hostOf(receivers, delivery),
    stateCell(delivery.state),
    delivery.attempt_count,
    local.fromNow(delivery.next_attempt_at),
    lastAnswer(delivery),
  ])
  const what = ['ID', `CREATED (${local.timeZone})`, 'AGE', 'EVENT', 'CASE', 'TO']
  const became = ['STATE', 'ATTEMPTS', 'NEXT ATTEMPT', 'LAST ANSWER']
  return table(context.terminal, [...what, ...became], rows, 'No delivery found.')
}

export interface ShowDeliveryOptions {
  /** As a command that sends the same again. */
  readonly curl?: boolean
}

export async function showDelivery(context: Context, id: string, { curl }: ShowDeliveryOptions): Promise<Output> {
  const { terminal } = context
  const local = peopleTime(context)
  const api = await context.api()
  const { data } = await api.get('/api/v1/webhooks/livraisons/{delivery}', { params: { delivery: id } })
  const { attempts, body, ...delivery } = data
  const url = (await receiversOf(api)).get(delivery.endpoint_id)
  if (curl) return (await import('./curl.js')).asCurl(context, { delivery, url, body })
  const head = fields(terminal, [
    ['Delivery', delivery.id],
    ['Event', `${delivery.event} ${delivery.event_id}`],
    ['Case', delivery.reference ?? null],
    ['To', `${delivery.endpoint_id} (${delivery.channel === 'webhook' ? (url ?? 'removed') : delivery.channel})`],
    ['State', delivery.state],
    ['Created', `${local.at(delivery.created_at)} (${local.timeZone})`],
    ['Next attempt', nextOf(delivery.next_attempt_at, local)],
    ['Last answer', lastAnswer(delivery)],
    ['Likely', hintOf(delivery)],
  ])
  const rows = attempts.map(({ n, started_at, duration_ms, status, error }) => [
    n,
    local.at(started_at),
    `${duration_ms} ms`,
    status,
    error,
  ])
  const made = table(terminal, ['N', 'STARTED', 'TOOK', 'STATUS', 'ERROR'], rows, 'No attempt yet.')
  const response = attempts.at(-1)?.response
  const parts = [head, made]
  if (body !== null) parts.push(`What is sent:\n${payloadLines(JSON.parse(body)).join('\n')}`)
  if (response) parts.push(`Last answer's body:\n${manyLines(response)}`)
  return { json: { ...delivery, attempts, body }, text: parts.join('\n\n') }
}

const nextOf = (instant: string | null, local: PeopleTime) =>
  instant && `${local.at(instant)}, ${local.fromNow(instant)}`

function lastAnswer({ last_status, last_error }: DeliveryView): string | null {
  return last_error ?? (last_status === null ? null : String(last_status))
}
