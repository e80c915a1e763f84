import type { AuditPage, Keys, ListAuditInput } from '@sav/core'
import type { Context } from '../invocation/context.js'
import { type Reachable, reach } from '../invocation/reachable.js'

/** Keys and the audit of an account, of the store or over the network. */
export interface ReachableAccess extends Reachable<Keys, 'list' | 'create' | 'roll' | 'revoke'> {
  /** The calls of the account. */
  audit(input: ListAuditInput): Promise<AuditPage>
}

export function reachableAccess(context: Context): Promise<ReachableAccess> {
  return reach<ReachableAccess>(context, {
    here: ({ sav: { keys, audit, writes }, account_id, actor, perform }) => ({
      list: () => keys.list(account_id),
      create: (input) => perform(writes.keys.create(actor, input)),
      roll: (id, input) => perform(writes.keys.roll(actor, id, input)),
      revoke: (id) => perform(writes.keys.revoke(actor, id)),
      audit: (input) => audit.list(account_id, input),
    }),
    there: ({ client, data, listed }) => ({
      list: () => data(client.get('/api/v1/cles')),
      create: (body) => data(client.post('/api/v1/cles', { body })),
      roll: (key, body) => data(client.post('/api/v1/cles/{key}/renouveler', { params: { key }, body })),
      revoke: (key) => data(client.delete('/api/v1/cles/{key}', { params: { key } })),
      audit: (query) => listed(client.get('/api/v1/audit', { query })),
    }),
  })
}
