import type { StoreStorage } from '../../../command/src/store/database.js'

/**
 * The ids in `arrived` whose deliveries are not recorded as delivered.
 * @param by `event_id` if the ids are of events with one delivery each; `id` if they are of deliveries
 */
export async function undelivered(
  storage: StoreStorage,
  arrived: ReadonlySet<string>,
  by: 'event_id' | 'id' = 'event_id',
): Promise<string[]> {
  if (arrived.size === 0) return []
  const recorded = await storage.db
    .selectFrom('deliveries')
    .select(by)
    .where('state', '=', 'delivered')
    .where(by, 'in', [...arrived])
    .execute()
  const done = new Set<string | undefined>(recorded.map((row) => row[by]))
  return [...arrived].filter((id) => !done.has(id))
}
