import type { StoreStorage } from '../../src/installation/database.js'

/** Of these events, those whose delivery is not recorded as delivered. */
export async function undelivered(storage: StoreStorage, events: ReadonlySet<string>): Promise<string[]> {
  const recorded = await storage.db
    .selectFrom('deliveries')
    .select('event_id')
    .where('state', '=', 'delivered')
    .where('event_id', 'in', [...events])
    .execute()
  const done = new Set(recorded.map(({ event_id }) => event_id))
  return [...events].filter((id) => !done.has(id))
}
