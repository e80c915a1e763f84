import type { Context } from '../invocation/context.js'
import type { Output } from '../invocation/output.js'
import { latest } from '../terminal/listing.js'
import { table, toTheSecond } from '../terminal/table.js'

export interface ListAuditOptions {
  readonly since?: string
  readonly key?: string
  readonly limit?: number
  readonly withoutKey?: boolean
}

export async function listAudit(context: Context, options: ListAuditOptions): Promise<Output> {
  const { sav, account_id } = await context.openAccount()
  const { since, key, limit, withoutKey = false } = options
  const found = await sav.audit.list(withoutKey ? null : account_id, { since, key_id: key, limite: limit })
  const rows = found.items.map(({ time, ip, method, endpoint, key_id, status, duration_ms, request_id, calls = 1 }) => [
    toTheSecond(time),
    ip,
    key_id,
    calls > 1 ? `${status} ×${calls}` : status,
    `${duration_ms} ms`,
    method,
    endpoint,
    request_id,
  ])
  const heads = ['TIME', 'IP', 'KEY', 'STATUS', 'TOOK', 'METHOD', 'ENDPOINT', 'REQUEST']
  return latest(found, table(context.terminal, heads, rows, 'No call found.'))
}
