import type { AuditView } from '@sav/core'
import type { Context } from '../invocation/context.js'
import type { Output } from '../process/outcome.js'
import type { Column } from '../terminal/columns.js'
import { type List, largestLatest, listed } from '../terminal/listing.js'
import { type PeopleTime, peopleTime } from '../terminal/people-time.js'

export interface ListAuditOptions {
  readonly since?: string
  readonly until?: string
  readonly key?: string
  readonly user?: string
  readonly limit?: number
  readonly all?: true
  readonly without_key?: boolean
  readonly target?: string
  readonly writes?: true
}

export async function listAudit(context: Context, options: ListAuditOptions): Promise<Output | undefined> {
  const { since, until, key, user, target, writes, limit, all, without_key = false } = options
  const { instantOf } = peopleTime(context)
  const filter = {
    since: instantOf(since),
    until: instantOf(until),
    key_id: key,
    user_id: user,
    target,
    writes: writes && ('true' as const),
    limite: limit,
  }
  const list: List<AuditView> = {
    largest: largestLatest,
    columns: callColumns(peopleTime(context)),
    empty: 'No call found.',
    async get(part) {
      const query = { ...filter, ...part }
      if (!without_key) return (await context.api()).get('/api/v1/audit', { query })
      const { items, curseur } = await (await context.open()).sav.audit.list(null, query)
      return { data: items, pagination: { curseur } }
    },
  }
  return listed(context, list, all)
}

const callColumns = (local: PeopleTime): Column<AuditView>[] => [
  { field: 'time', head: `TIME (${local.timeZone})`, cell: ({ time }) => local.at(time), whole: true },
  { field: 'ip', head: 'IP', cell: ({ ip }) => ip, spare: true },
  { field: 'key_id', head: 'WHO', cell: ({ key_id, user_id }) => key_id ?? user_id },
  { field: 'status', head: 'STATUS', cell: ({ status, calls = 1 }) => (calls > 1 ? `${status} ×${calls}` : status) },
  { field: 'duration_ms', head: 'TOOK', cell: (call) => `${call.duration_ms} ms`, whole: true, spare: true },
  { field: 'method', head: 'METHOD', cell: ({ method }) => method, whole: true },
  { field: 'endpoint', head: 'ENDPOINT', cell: ({ endpoint }) => endpoint },
  { field: 'target', head: 'TARGET', cell: ({ target }) => target ?? null, spare: true },
  { field: 'request_id', head: 'REQUEST', cell: (call) => call.request_id, whole: true, spare: true },
]
