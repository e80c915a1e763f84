import type { Context } from '../invocation/context.js'
import type { Output } from '../invocation/output.js'
import { latest } from '../terminal/listing.js'
import { peopleTime } from '../terminal/people-time.js'
import { table } from '../terminal/table.js'
import { reachableAccess } from './reachable-access.js'

export interface ListAuditOptions {
  readonly since?: string
  readonly key?: string
  readonly user?: string
  readonly limit?: number
  readonly withoutKey?: boolean
}

export async function listAudit(context: Context, options: ListAuditOptions): Promise<Output> {
  const { since, key, user, limit, withoutKey = false } = options
  const local = peopleTime(context)
  const input = { since: local.instantOf(since), key_id: key, user_id: user, limite: limit }
  const found = withoutKey
    ? await (await context.open()).sav.audit.list(null, input)
    : await (await reachableAccess(context)).audit(input)
  const rows = found.items.map(({ time, ip, method, endpoint, status, duration_ms, request_id, calls = 1, ...who }) => [
    local.at(time),
    ip,
    who.key_id ?? who.user_id,
    calls > 1 ? `${status} ×${calls}` : status,
    `${duration_ms} ms`,
    method,
    endpoint,
    request_id,
  ])
  const heads = [`TIME (${local.timeZone})`, 'IP', 'WHO', 'STATUS', 'TOOK', 'METHOD', 'ENDPOINT', 'REQUEST']
  return latest(found, table(context.terminal, heads, rows, 'No call found.'))
}
