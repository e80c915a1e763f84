import { stat } from 'node:fs/promises'
import type { SqliteStorage } from '@sav/storage-kysely/sqlite'
import { CommandError } from '../command-error.js'
import type { Context } from '../context.js'
import { exitCodes } from '../exit-codes.js'
import type { Settings } from '../settings.js'
import { keyProblem, openFile } from '../store.js'
import { fields, table } from '../table.js'
import type { Output } from '../world.js'

/** What one look at the installation found. A problem makes the doctor fail, a warning does not. */
interface Findings {
  readonly facts: Readonly<Record<string, string | number | null>>
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

/** How long a due delivery may wait before somebody should know: a worker that runs takes it within a second. */
const lateMs = 60_000

export async function doctor({ settings, terminal }: Context): Promise<Output> {
  const found = await examine(settings)
  const { problems, warnings } = found
  const facts = { node: process.versions.node, database: settings.database, ...found.facts }
  const text = [
    fields(terminal, Object.entries(facts)),
    table(
      terminal,
      ['SETTING', 'FROM', 'VALUE'],
      settings.inForce.map(({ name, value, from }) => [name, from, value === '' ? null : value]),
      '',
    ),
    ...problems.map((problem) => `${terminal.style('red', 'Problem')}: ${problem}`),
    ...warnings.map((warning) => `${terminal.style('yellow', 'Warning')}: ${warning}`),
    problems.length === 0 ? terminal.style('green', 'All is well.') : 'Not well.',
  ].join('\n\n')
  return {
    json: { ok: problems.length === 0, ...facts, settings: settings.inForce, problems, warnings },
    text,
    exitCode: problems.length === 0 ? exitCodes.done : exitCodes.failed,
  }
}

async function examine(settings: Settings): Promise<Findings> {
  try {
    const storage = await openFile(settings)
    return await examineStore(storage, settings).finally(() => storage.close())
  } catch (error) {
    if (error instanceof CommandError) return { facts: {}, problems: [error.message], warnings: [] }
    throw error
  }
}

async function examineStore(storage: SqliteStorage, settings: Settings): Promise<Findings> {
  const { sqlite_version, journal_mode, synchronous } = storage.facts()
  const pending = await storage.pendingMigrations()
  const wrongKey = await keyProblem(storage, settings)
  const now = Date.now()
  const oldest = await storage.queue.oldestDue(new Date(now).toISOString())
  return {
    facts: {
      sqlite: sqlite_version,
      journal_mode,
      synchronous,
      pending_migrations: pending.length,
      secret_key: wrongKey === null ? 'ok' : 'wrong',
      oldest_due_at: oldest,
    },
    problems: [
      ...(journal_mode === 'wal' ? [] : [`journal_mode is ${journal_mode} instead of wal.`]),
      ...(synchronous === 'FULL'
        ? []
        : [`synchronous is ${synchronous} instead of FULL: a power cut may lose commits.`]),
      ...(pending.length === 0 ? [] : [`Migrations are pending (${pending.join(', ')}): run \`sav migrate\`.`]),
      ...(wrongKey === null ? [] : [wrongKey]),
    ],
    warnings: [
      ...(await openKeyFile(settings)),
      ...(oldest === null || now - Date.parse(oldest) < lateMs
        ? []
        : [`A delivery is due since ${oldest}: is a \`sav serve\` or \`sav worker\` running?`]),
    ],
  }
}

async function openKeyFile({ secretKey, secretKeyFile }: Settings): Promise<string[]> {
  if (secretKey !== null || process.platform === 'win32') return []
  const mode = await stat(secretKeyFile).then(
    (found) => found.mode & 0o777,
    () => 0o600,
  )
  return (mode & 0o077) === 0 ? [] : [`Others can read ${secretKeyFile}: chmod 600 ${secretKeyFile}`]
}
