import { CommandError } from '../command-error.js'
import { copyFact } from './note.js'
import type { Place } from './place.js'
import { copiedTables } from './tables.js'

/** How long after its last word a service counts as running; it says something every second. */
const aliveMs = 5000

/** @throws CommandError when a service answers on the source, or a worker sends from it */
export async function refuseInUse({ storage: { db }, name }: Place): Promise<void> {
  const now = Date.now()
  const service = await db
    .selectFrom('processes')
    .select('id')
    .where('at', '>', new Date(now - aliveMs).toISOString())
    .limit(1)
    .execute()
  const lease = await db
    .selectFrom('deliveries')
    .select('id')
    .where('state', '=', 'pending')
    .where('lease_token', 'is not', null)
    .where('available_at', '>', new Date(now).toISOString())
    .limit(1)
    .execute()
  if (service.length + lease.length === 0) return
  throw new CommandError(
    'in_use',
    `A \`sav serve\` or \`sav worker\` works on ${name}, or did a moment ago: stop it, and run this again in 15 s.`,
  )
}

/**
 * The target is brought to the schema of this version; the source has to be on it.
 * @throws CommandError when it is on an older or a newer one
 */
export async function refuseOtherSchema(from: Place, to: Place): Promise<void> {
  const pending = await from.storage.pendingMigrations()
  if (pending.length > 0)
    throw new CommandError(
      'pending_migrations',
      `${from.name} misses ${pending.join(', ')}: run \`sav migrate\` on it first, with SAV_DATABASE naming it.`,
    )
  await to.storage.migrate()
  const [source, target] = [await columnsOf(from), await columnsOf(to)]
  const newer = [...source].filter((column) => !target.has(column))
  if (newer.length > 0)
    throw new CommandError(
      'newer_schema',
      `${from.name} is of a newer version of sav, which has ${newer.join(', ')}: copy it with that one.`,
    )
}

async function columnsOf({ storage }: Place): Promise<Set<string>> {
  const tables = await storage.db.introspection.getTables()
  return new Set(
    tables
      .filter(({ name }) => name in copiedTables)
      .flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)),
  )
}

/** @throws CommandError for the target of a copy that is not whole */
export async function refuseUnfinishedCopy({ storage, name }: Place): Promise<void> {
  if ((await storage.fact(copyFact)) === null) return
  throw new CommandError(
    'unfinished_copy',
    `${name} holds a copy that is not finished: run the same \`sav copy\` again, and it goes on.`,
  )
}
