import { stat } from 'node:fs/promises'
import type { SqliteStorage } from '@sav/storage-kysely/sqlite'
import { CommandError } from '../command-error.js'
import type { Context } from '../context.js'
import { exitCodes } from '../exit-codes.js'
import { isRotating } from '../secret-key-rotation.js'
import type { Settings } from '../settings.js'
import { keyProblem, openFile } from '../store.js'
import { fields, table } from '../table.js'
import type { Terminal } from '../terminal.js'
import type { Output } from '../world.js'

/** What one look at the installation found. A problem makes the doctor fail, a warning does not. */
interface Findings {
  readonly facts: Readonly<Record<string, string | number | null>>
  readonly endpoints: readonly DisabledEndpoint[]
  readonly replays: readonly RunningReplay[]
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

interface DisabledEndpoint {
  readonly account_id: string
  readonly id: string
  readonly disabled_at: string
  readonly disabled_reason: string | null
}

interface RunningReplay {
  readonly account_id: string
  readonly id: string
  readonly matched: number
  readonly retried: number
}

/** How long a due delivery may wait before somebody should know: a worker that runs takes it within a second. */
const lateMs = 60_000

export async function doctor({ settings, terminal }: Context): Promise<Output> {
  const found = await examine(settings)
  const { problems, warnings, endpoints, replays } = found
  const facts = { node: process.versions.node, database: settings.database, ...found.facts }
  const text = [
    fields(terminal, Object.entries(facts)),
    table(
      terminal,
      ['SETTING', 'FROM', 'VALUE'],
      settings.inForce.map(({ name, value, from }) => [name, from, value === '' ? null : value]),
      '',
    ),
    ...(endpoints.length === 0 ? [] : [disabledTable(terminal, endpoints)]),
    ...(replays.length === 0 ? [] : [replayTable(terminal, replays)]),
    ...problems.map((problem) => `${terminal.style('red', 'Problem')}: ${problem}`),
    ...warnings.map((warning) => `${terminal.style('yellow', 'Warning')}: ${warning}`),
    problems.length === 0 ? terminal.style('green', 'All is well.') : 'Not well.',
  ].join('\n\n')
  return {
    json: {
      ok: problems.length === 0,
      ...facts,
      disabled_endpoints: endpoints,
      running_replays: replays,
      settings: settings.inForce,
      problems,
      warnings,
    },
    text,
    exitCode: problems.length === 0 ? exitCodes.done : exitCodes.failed,
  }
}

function disabledTable(terminal: Terminal, endpoints: readonly DisabledEndpoint[]): string {
  const rows = endpoints.map(({ account_id, id, disabled_at, disabled_reason }) => [
    id,
    account_id,
    disabled_at,
    disabled_reason,
  ])
  return table(terminal, ['DISABLED ENDPOINT', 'ACCOUNT', 'SINCE', 'REASON'], rows, '')
}

function replayTable(terminal: Terminal, replays: readonly RunningReplay[]): string {
  const rows = replays.map(({ account_id, id, matched, retried }) => [id, account_id, `${retried} of ${matched}`])
  return table(terminal, ['RUNNING RETRY', 'ACCOUNT', 'DONE'], rows, '')
}

async function examine(settings: Settings): Promise<Findings> {
  try {
    const storage = await openFile(settings)
    return await examineStore(storage, settings).finally(() => storage.close())
  } catch (error) {
    if (error instanceof CommandError)
      return { facts: {}, endpoints: [], replays: [], problems: [error.message], warnings: [] }
    throw error
  }
}

async function examineStore(storage: SqliteStorage, settings: Settings): Promise<Findings> {
  const { sqlite_version, journal_mode, synchronous } = storage.facts()
  const pending = await storage.pendingMigrations()
  const wrongKey = await keyProblem(storage, settings)
  const deliveries = pending.length === 0 ? await examineDeliveries(storage) : noDeliveries
  return {
    facts: {
      sqlite: sqlite_version,
      journal_mode,
      synchronous,
      pending_migrations: pending.length,
      secret_key: wrongKey === null ? 'ok' : 'wrong',
      ...deliveries.facts,
    },
    endpoints: deliveries.endpoints,
    replays: deliveries.replays,
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
      ...(wrongKey === null && (await isRotating(settings, storage))
        ? ['The last rotation of the secret key was interrupted: `sav secret-key rotate` completes it.']
        : []),
      ...deliveries.warnings,
    ],
  }
}

const noDeliveries: Omit<Findings, 'problems'> = { facts: {}, endpoints: [], replays: [], warnings: [] }

/** What waits and what failed. None of it makes the installation unwell: a receiver may be the cause. */
async function examineDeliveries(storage: SqliteStorage): Promise<Omit<Findings, 'problems'>> {
  const now = Date.now()
  const oldest = await storage.queue.oldestDue(new Date(now).toISOString())
  const counts = await storage.queue.counts()
  const replays = await storage.queue.runningReplays()
  const endpoints: DisabledEndpoint[] = []
  for (const account of await storage.accounts.list()) {
    for (const { account_id, id, disabled_at, disabled_reason } of await storage.webhooks.listEndpoints(account.id))
      if (disabled_at !== null) endpoints.push({ account_id, id, disabled_at, disabled_reason })
  }
  return {
    facts: {
      oldest_due_at: oldest,
      pending_deliveries: counts.pending,
      failed_deliveries: counts.failed,
    },
    endpoints,
    replays: replays.map(({ account_id, id, matched, retried }) => ({ account_id, id, matched, retried })),
    warnings: [
      ...(oldest === null || now - Date.parse(oldest) < lateMs
        ? []
        : [
            `A delivery is due since ${oldest} (${Math.round((now - Date.parse(oldest)) / 1000)} s): is a \`sav serve\` or \`sav worker\` running?`,
          ]),
      ...endpoints.map(({ id, disabled_at, disabled_reason }) => {
        const why = disabled_reason === null ? '' : ` (${disabled_reason})`
        return `Endpoint ${id} is disabled since ${disabled_at}${why}: \`sav webhooks enable ${id}\`.`
      }),
      ...(counts.failed === 0
        ? []
        : [`Deliveries that failed: ${counts.failed}. \`sav webhooks history --state failed\` shows them.`]),
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
