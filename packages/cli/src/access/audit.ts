import type { AuditPage, ListAuditInput } from '@sav/core'
import type { Context } from '../invocation/context.js'
import type { Output } from '../invocation/output.js'
import { largestPart } from '../syntax/options.js'
import { everything, type Listed, latest } from '../terminal/listing.js'
import { peopleTime } from '../terminal/people-time.js'
import { table } from '../terminal/table.js'
import { reachableAccess } from './reachable-access.js'

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
    const found = withoutKey
      ? await (await context.open()).sav.audit.list(null, input)
      : await (await reachableAccess(context)).audit(input)
    return callsListed(context, found)
  }
  return all
    ? everything<string>(context, (curseur) => look({ limite: largestPart, curseur }))
    : look({ limite: limit })
}

function callsListed(context: Context, found: AuditPage): Listed<string> {
  const local = peopleTime(context)
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
