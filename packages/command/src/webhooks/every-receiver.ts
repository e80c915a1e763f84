import { type EndpointWithHealth, healthStates, withHealth } from '@sav/core/adapter'
import type { EndpointRecord } from '@sav/core/ports'
import type { StoreStorage } from '../store/database.js'

export type EndpointRow = Pick<EndpointWithHealth, 'id' | 'url' | 'disabled_at' | 'disabled_reason' | 'sante'>

export type Receiver = EndpointRow & Pick<EndpointRecord, 'account_id'>

/** The endpoints of every account with their health, the worst first. */
export async function everyReceiver({ db, reads }: Pick<StoreStorage, 'db' | 'reads'>): Promise<Receiver[]> {
  const rows = await db
    .selectFrom('webhook_endpoints')
    .select(['account_id', 'id', 'url', 'disabled_at', 'disabled_reason'])
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const found: Receiver[] = []
  for (const [account_id, endpoints] of Map.groupBy(rows, (row) => row.account_id))
    for (const { endpoint, sante } of await withHealth(reads, account_id, { endpoints, now: Date.now() }))
      found.push({ ...endpoint, sante })
  return found.sort(worstFirst)
}

/**
 * Sorts endpoints by health, the worst first; with equal health, by the number of waiting deliveries, the largest
 * first.
 */
export function worstFirst({ sante: a }: Pick<EndpointRow, 'sante'>, { sante: b }: Pick<EndpointRow, 'sante'>): number {
  return healthStates.indexOf(b.etat) - healthStates.indexOf(a.etat) || b.en_attente - a.en_attente
}
