import { type DeliveryView, type HistoryInput, NotFoundError } from '@sav/core'
import type { Context } from '../invocation/context.js'
import type { Output } from '../invocation/output.js'
import { latest } from '../terminal/listing.js'
import { fields, table, toTheSecond } from '../terminal/table.js'
import { manyLines } from '../terminal/terminal.js'

export interface HistoryOptions {
  readonly state?: HistoryInput['state']
  readonly endpoint?: string
  readonly event?: string
  readonly since?: string
  readonly limit?: number
}

export async function deliveryHistory(context: Context, options: HistoryOptions): Promise<Output> {
  const { sav, storage, account_id } = await context.openAccount()
  const { state, endpoint, event, since, limit } = options
  const found = await sav.webhooks.deliveries.list(account_id, {
    state,
    endpoint_id: endpoint,
    event,
    since,
    limite: limit,
  })
  const { items } = found
  if (items.length === 0 && endpoint !== undefined) await refuseUnknownEndpoint({ sav, storage, account_id }, endpoint)
  const hosts = new Map((await storage.reads.endpoints.list(account_id)).map(({ id, url }) => [id, new URL(url).host]))
  const rows = items.map((delivery) => [
    delivery.id,
    toTheSecond(delivery.created_at),
    delivery.event,
    hosts.get(delivery.endpoint_id) ?? delivery.endpoint_id,
    delivery.state,
    delivery.attempt_count,
    toTheSecond(delivery.next_attempt_at),
    lastAnswer(delivery),
  ])
  const heads = ['ID', 'CREATED', 'EVENT', 'TO', 'STATE', 'ATTEMPTS', 'NEXT ATTEMPT', 'LAST ANSWER']
  return latest(found, table(context.terminal, heads, rows, 'No delivery found.'))
}

/**
 * One that was removed still has its history.
 * @throws NotFoundError for one that never was
 */
export async function refuseUnknownEndpoint(
  { sav, storage, account_id }: Pick<Awaited<ReturnType<Context['openAccount']>>, 'sav' | 'storage' | 'account_id'>,
  id: string,
): Promise<void> {
  if ((await storage.reads.endpoints.find(account_id, id)) !== null) return
  const { items } = await sav.webhooks.deliveries.list(account_id, { endpoint_id: id, limite: 1 })
  if (items.length === 0) throw new NotFoundError('endpoint', id)
}

export async function showDelivery(context: Context, id: string): Promise<Output> {
  const { terminal } = context
  const { sav, storage, account_id } = await context.openAccount()
  const { attempts, ...delivery } = await sav.webhooks.deliveries.get(account_id, id)
  const endpoint = (await storage.reads.endpoints.list(account_id)).find(({ id }) => id === delivery.endpoint_id)
  const head = fields(terminal, [
    ['Delivery', delivery.id],
    ['Event', `${delivery.event} ${delivery.event_id}`],
    [
      'To',
      `${delivery.endpoint_id} (${delivery.channel === 'webhook' ? (endpoint?.url ?? 'removed') : delivery.channel})`,
    ],
    ['State', delivery.state],
    ['Created', delivery.created_at],
    ['Next attempt', delivery.next_attempt_at],
    ['Last answer', lastAnswer(delivery)],
  ])
  const rows = attempts.map(({ n, started_at, duration_ms, status, error }) => [
    n,
    started_at,
    `${duration_ms} ms`,
    status,
    error,
  ])
  const made = table(terminal, ['N', 'STARTED', 'TOOK', 'STATUS', 'ERROR'], rows, 'No attempt yet.')
  const response = attempts.at(-1)?.response
  const text = response ? `${head}\n\n${made}\n\nLast answer's body:\n${manyLines(response)}` : `${head}\n\n${made}`
  return { json: { ...delivery, attempts }, text }
}

function lastAnswer({ last_status, last_error }: DeliveryView): string | null {
  return last_error ?? (last_status === null ? null : String(last_status))
}
