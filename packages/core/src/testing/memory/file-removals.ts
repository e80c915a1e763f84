import type { FileRemoval, FileRemovalWrites } from '../../files/file-removal-store.js'
import { by } from './rows.js'
import { keyOf, type Tables } from './tables.js'

export function memoryFileRemovals(tables: Tables): FileRemovalWrites {
  const removals = tables.own<string, FileRemoval>('file removals')
  return {
    find: async (account_id, sha256) => removals.get(keyOf(account_id, sha256)) ?? null,
    due: async (now, limit) =>
      removals
        .where(({ remove_at }) => remove_at <= now)
        .sort(by(({ remove_at }) => remove_at))
        .slice(0, limit),
    async save(removal) {
      removals.put(keyOf(removal.account_id, removal.sha256), removal)
    },
    async cancel(account_id, sha256) {
      const key = keyOf(account_id, sha256)
      if (removals.get(key)?.begun_at !== null) return false
      removals.remove(key)
      return true
    },
    async forget(account_id, sha256) {
      removals.remove(keyOf(account_id, sha256))
    },
  }
}
