import type { AuditView, ListAuditInput } from '@sav/core'
import type { Context } from '../invocation/context.js'
import type { Output } from '../process/outcome.js'
import { largestPart } from '../syntax/options.js'
import { everything, type Listed, latest } from '../terminal/listing.js'
import { peopleTime } from '../terminal/people-time.js'
import { table } from '../terminal/table.js'

export interface ListAuditOptions {
  readonly since?: string
  readonly until?: string
  readonly key?: string
  readonly user?: string
  readonly limit?: number
  readonly all?: true
  readonly withoutKey?: boolean
}

export async function listAudit(context: Context, options: ListAuditOptions): Promise<Output | undefined> {
  const { since, until, key, user, limit, all, withoutKey = false } = options
  const { instantOf } = peopleTime(context)
  const filter = { since: instantOf(since), until: instantOf(until), key_id: key, user_id: user }
  const look = async (part: Pick<ListAuditInput, 'curseur' | 'limite'>) => {
    const input = { ...filter, ...part }
    if (!withoutKey) return callsListed(context, await (await context.api()).get('/api/v1/audit', { query: input }))
    const { items: data, curseur } = await (await context.open()).sav.audit.list(null, input)
    return callsListed(context, { data, pagination: { curseur } })
  }
  return all
    ? everything<string>(context, (curseur) => look({ limite: largestPart, curseur }))
    : look({ limite: limit })
}

function callsListed(
  context: Context,
  found: { readonly data: readonly AuditView[]; readonly pagination: { readonly curseur: string | null } },
): Listed<string> {
  const local = peopleTime(context)
  const rows = found.data.map(({ time, ip, method, endpoint, status, duration_ms, request_id, calls = 1, ...who }) => [
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
