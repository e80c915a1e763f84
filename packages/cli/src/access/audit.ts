import type { AuditView } from '@sav/core'
import type { Context } from '../invocation/context.js'
import type { Output } from '../process/outcome.js'
import { type List, largestLatest, listed } from '../terminal/listing.js'
import { peopleTime } from '../terminal/people-time.js'
import { table } from '../terminal/table.js'

export interface ListAuditOptions {
  readonly since?: string
  readonly until?: string
  readonly key?: string
  readonly user?: string
  readonly limit?: number
  readonly all?: true
  readonly without_key?: boolean
}

export async function listAudit(context: Context, options: ListAuditOptions): Promise<Output | undefined> {
  const { since, until, key, user, limit, all, without_key = false } = options
  const { instantOf } = peopleTime(context)
  const filter = { since: instantOf(since), until: instantOf(until), key_id: key, user_id: user, limite: limit }
  const list: List<AuditView> = {
    largest: largestLatest,
    tableOf: (calls) => callTable(context, calls),
    async get(part) {
      const query = { ...filter, ...part }
      if (!without_key) return (await context.api()).get('/api/v1/audit', { query })
      const { items, curseur } = await (await context.open()).sav.audit.list(null, query)
      return { data: items, pagination: { curseur } }
    },
  }
  return listed(context, list, all)
}

function callTable(context: Context, calls: readonly AuditView[]): string {
  const local = peopleTime(context)
  const rows = calls.map(({ time, ip, method, endpoint, status, duration_ms, request_id, calls = 1, ...who }) => [
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
  return table(context.terminal, heads, rows, 'No call found.')
}
