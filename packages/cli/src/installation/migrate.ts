import type { Context } from '../invocation/context.js'
import type { Output } from '../invocation/output.js'
import { openDatabase } from './database.js'

export async function migrate({ settings }: Context): Promise<Output> {
  const storage = await openDatabase(settings.database)
  try {
    const migrations = await storage.migrate()
    const text =
      migrations.length === 0 ? 'Nothing to do: the schema is up to date.' : `Done: ${migrations.join(', ')}.`
    return { json: { migrations }, text }
  } finally {
    await storage.close()
  }
}
