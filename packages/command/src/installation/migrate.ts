import type { Context } from '../invocation/context.js'
import { closedAfter } from '../process/closing.js'
import type { Output } from '../process/outcome.js'
import { refuseRemote } from '../settings/remote.js'
import { openDatabase, openToRead } from '../store/database.js'
import { openTables } from '../store/store.js'
import { upgrade } from '../store/upgrade.js'

export async function migrate(
  { settings, stderr }: Context,
  { dry_run = false }: { readonly dry_run?: boolean },
): Promise<Output> {
  refuseRemote(settings)
  const open = dry_run ? openToRead : openDatabase
  return closedAfter(openTables(settings, open), async (storage) => {
    if (dry_run) {
      const migrations = await storage.pendingMigrations()
      const text = migrations.length === 0 ? nothingToDo : `Would run: ${migrations.join(', ')}.`
      return { json: { migrations, dry_run: true }, text }
    }
    const { migrations, backup } = await upgrade(storage, settings, (sentence) => stderr.write(`${sentence}\n`))
    const kept = backup === null ? '' : ` The store as it was: ${backup}`
    return {
      json: { migrations, ...(backup !== null && { backup }) },
      text: migrations.length === 0 ? nothingToDo : `Done: ${migrations.join(', ')}.${kept}`,
    }
  })
}

const nothingToDo = 'Nothing to do: the schema is up to date.'
