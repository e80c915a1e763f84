import { CopyRefusedError, copyFact, readNote, type Store } from './store.js'

/** How long after its last heartbeat a service counts as running. A service sends a heartbeat every second. */
const maxSilenceMs = 5000

/** @throws CopyRefusedError while a service or a worker uses the store */
export async function refuseInUse({ storage: { db, clockDifferenceMs }, name, isSnapshot }: Store): Promise<void> {
  if (isSnapshot) return
  const now = Date.now() + (clockDifferenceMs?.() ?? 0)
  const service = await db
    .selectFrom('processes')
    .select('id')
    .where('at', '>', new Date(now - maxSilenceMs).toISOString())
    .limit(1)
    .execute()
  const lease = await db
    .selectFrom('delivery_queue')
    .select('id')
    .where('lease_token', 'is not', null)
    .where('available_at', '>', new Date(now).toISOString())
    .limit(1)
    .execute()
  if (service.length + lease.length > 0) throw new CopyRefusedError({ reason: 'in_use', store: name })
}

/** @throws CopyRefusedError for tables of features that the store was opened without */
export async function refuseUnopenedFeatures({ storage, name }: Pick<Store, 'storage' | 'name'>): Promise<void> {
  const features = (await storage.featuresHeld()).filter((held) => !storage.features.some(({ name }) => name === held))
  if (features.length > 0) throw new CopyRefusedError({ reason: 'feature_not_opened', store: name, features })
}

/**
 * Migrates the target to the schema of this version, which the source must have.
 * @throws CopyRefusedError when the source has an older or a newer one
 */
export async function refuseOtherSchema(from: Store, to: Store): Promise<void> {
  await refuseUnopenedFeatures(from)
  const pending = await from.storage.pendingMigrations()
  if (pending.length > 0) throw new CopyRefusedError({ reason: 'pending_migrations', store: from.name, pending })
  await to.storage.migrate()
  const known = new Set(await to.storage.columns())
  const columns = (await from.storage.columns()).filter((column) => !known.has(column))
  if (columns.length > 0) throw new CopyRefusedError({ reason: 'newer_schema', store: from.name, columns })
}

/** Whether the store is the target of an unfinished copy, and so not usable yet. */
export async function isUnfinishedCopy(storage: Store['storage']): Promise<boolean> {
  return readNote(await storage.reads.facts.get(copyFact)) !== null
}

/** @throws CopyRefusedError for the target of an unfinished copy */
export async function refuseUnfinishedCopy({ storage, name }: Store): Promise<void> {
  if (await isUnfinishedCopy(storage)) throw new CopyRefusedError({ reason: 'unfinished_copy', store: name, of: null })
}
