import type { DeliveryView, HistoryInput } from '@sav/core'
import { answeredCode } from '@sav/core/adapter'
import { type AllAccounts, inAccountsWithEndpoints } from '../invocation/all-accounts.js'
import type { Context } from '../invocation/context.js'
import type { Output } from '../process/outcome.js'
import { type Column, wholeList } from '../terminal/columns.js'
import { type List, largestLatest, listed } from '../terminal/listing.js'
import { type PeopleTime, peopleTime } from '../terminal/people-time.js'
import { fields, stateCell, table } from '../terminal/table.js'
import { manyLines, payloadLines } from '../terminal/terminal.js'
import { hintIn } from './health.js'
import { endpointsOf, hostOf, type Receivers, receiversOf, refuseUnknownEndpoint } from './receivers.js'

export interface HistoryOptions extends AllAccounts {
  readonly state?: HistoryInput['state']
  readonly endpoint?: string
  readonly event?: string
  readonly since?: string
  readonly limit?: number
  readonly all?: true
  /** Prints deliveries as they arrive, until the command is stopped. */
  readonly follow?: boolean
}

export async function deliveryHistory(context: Context, options: HistoryOptions): Promise<Output | undefined> {
  const { state, endpoint, event, since, limit, all } = options
  const local = peopleTime(context)
  const filter = { state, endpoint_id: endpoint, event, since: local.instantOf(since) }
  if (options.all_accounts) return historyOfAll(context, filter, limit)
  const api = await context.api()
  if (options.follow) return (await import('./deliveries-follow.js')).followDeliveries(context, api, filter)
  if (endpoint !== undefined) await refuseUnknownEndpoint(api, endpoint)
  const receivers = await receiversOf(api)
  const list: List<DeliveryView> = {
    largest: largestLatest,
    get: (part) => api.get('/api/v1/webhooks/livraisons', { query: { ...filter, limite: limit, ...part } }),
    columns: deliveryColumns(local, receivers),
    empty,
  }
  return listed(context, list, all)
}

const empty = 'No delivery found.'

type DeliveryOfAccount = DeliveryView & { readonly account: string }

/** Lists the newest deliveries of all accounts together. */
async function historyOfAll(context: Context, filter: HistoryInput, limit = 50): Promise<Output> {
  const found: DeliveryOfAccount[] = []
  const receivers = new Map<string, string>()
  let hasOlder = false
  for await (const { account, api } of inAccountsWithEndpoints(context)) {
    const query = { ...filter, limite: limit }
    const { data, pagination } = await api.get('/api/v1/webhooks/livraisons', { query })
    if (data.length > 0) for (const [id, url] of await receiversOf(api)) receivers.set(id, url)
    found.push(...data.map((delivery) => ({ account, ...delivery })))
    hasOlder ||= pagination.curseur !== null
  }
  const newest = found.sort((a, b) => (a.created_at < b.created_at ? 1 : -1)).slice(0, limit)
  hasOlder ||= newest.length < found.length
  const [id, ...others] = deliveryColumns(peopleTime(context), receivers)
  const account: Column<DeliveryOfAccount> = { field: 'account', head: 'ACCOUNT', cell: (row) => row.account }
  const list = wholeList(context, { columns: [id, account, ...others], empty }, newest)
  if (newest.length === 0) return list
  return {
    ...list,
    text: `${list.text}\n\n${newest.length} shown${hasOlder ? '; older ones: --limit.' : ', no older ones.'}`,
  }
}

const deliveryColumns = (
  local: PeopleTime,
  receivers: Receivers,
): [Column<DeliveryView>, ...Column<DeliveryView>[]] => [
  { field: 'id', head: 'ID', cell: ({ id }) => id, whole: true },
  { field: 'created_at', head: `CREATED (${local.timeZone})`, cell: (row) => local.at(row.created_at), ...timed },
  { field: 'created_at', head: 'AGE', cell: (delivery) => local.ageOf(delivery.created_at), whole: true },
  { field: 'event', head: 'EVENT', cell: ({ event }) => event },
  // A service of an earlier release sends no `reference`.
  { field: 'reference', head: 'CASE', cell: ({ reference }) => reference ?? null, ...timed },
  { field: 'endpoint_id', head: 'TO', cell: (delivery) => hostOf(receivers, delivery) },
  { field: 'state', head: 'STATE', cell: ({ state }) => stateCell(state), whole: true },
  { field: 'attempt_count', head: 'ATTEMPTS', cell: (delivery) => delivery.attempt_count, spare: true },
  { field: 'next_attempt_at', head: 'NEXT ATTEMPT', cell: (row) => local.fromNow(row.next_attempt_at), ...timed },
  { field: 'last_error', head: 'LAST ANSWER', cell: lastAnswer },
]

const timed = { whole: true, spare: true } as const

export interface ShowDeliveryOptions {
  /** Prints a curl command that sends the delivery again. */
  readonly curl?: boolean
  /** Also shows the body of the webhook. */
  readonly body?: boolean
}

export async function showDelivery(
  context: Context,
  id: string,
  { curl, body: bodyToo = false }: ShowDeliveryOptions,
): Promise<Output> {
  const { terminal } = context
  const local = peopleTime(context)
  const api = await context.api()
  const { data } = await api.get('/api/v1/webhooks/livraisons/{delivery}', { params: { delivery: id } })
  const { attempts, body, ...delivery } = data
  const endpoint = (await endpointsOf(api))?.find((each) => each.id === delivery.endpoint_id)
  if (curl) return (await import('./curl.js')).asCurl(context, { delivery, endpoint, body })
  const head = fields(terminal, [
    ['Delivery', delivery.id],
    ['Event', `${delivery.event} ${delivery.event_id}`],
    ['Case', delivery.reference ?? null],
    [
      'To',
      `${delivery.endpoint_id} (${delivery.channel === 'webhook' ? (endpoint?.url ?? 'removed') : delivery.channel})`,
    ],
    ['State', delivery.state],
    ['Created', local.zoned(delivery.created_at)],
    ['Next attempt', nextOf(delivery.next_attempt_at, local)],
    ['Last answer', lastAnswer(delivery)],
    ['Likely', hintOf(delivery, context.account)],
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
  if (bodyToo && body !== null) parts.push(`What is sent:\n${payloadLines(JSON.parse(body)).join('\n')}`)
  if (response) parts.push(`Last answer's body:\n${manyLines(response)}`)
  return { json: { ...delivery, attempts, body }, text: parts.join('\n\n') }
}

const nextOf = (instant: string | null, local: PeopleTime) =>
  instant && `${local.at(instant)}, ${local.fromNow(instant)}`

function lastAnswer({ last_status, last_error }: DeliveryView): string | null {
  return last_error ?? (last_status === null ? null : String(last_status))
}

type DeliveryOutcome = Pick<DeliveryView, 'state' | 'channel' | 'last_status'> &
  Partial<Pick<DeliveryView, 'last_error_code'>>

/** The likely cause of a failed attempt, and what to do; null if none failed, or the error alone says enough. */
function hintOf({ state, channel, last_status, last_error_code }: DeliveryOutcome, account: string): string | null {
  if (state === 'delivered') return null
  // Old failures have no code; theirs follows from the status that the receiver answered.
  const answered = channel === 'webhook' && last_status !== null ? answeredCode(last_status) : null
  const code = last_error_code ?? answered
  return code === null ? null : hintIn(account, code)
}
