import { join } from 'node:path'
import { openSqlite } from '../../../test/whole/opening.js'
import type { Workplace } from './workplace.js'

/** Ends the ten minutes that contents wait before they are removed. Resolves to the number of waiting contents. */
export async function removalsDue({ dir }: Workplace): Promise<number> {
  const storage = await openSqlite(join(dir, 'sav-data/sav.db'))
  try {
    const { numUpdatedRows } = await storage.db
      .updateTable('file_removals')
      .set({ remove_at: '2020-01-01T00:00:00.000Z' })
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows)
  } finally {
    await storage.close()
  }
}
