import { stat } from 'node:fs/promises'
import { UnavailableError } from '@sav/core'
import { CommandError } from '../command-error.js'
import type { StoreStorage } from '../database.js'
import { isRotating } from '../secret-key-rotation.js'
import type { Settings } from '../settings.js'
import { keyProblem, openInitialised } from '../store.js'
import { oneLine } from '../terminal.js'
import { examineChannels } from './channels.js'
import { examineDatabase } from './database.js'
import { examineDeliveries } from './deliveries.js'
import { type ExpiringKey, type FailedReport, type Findings, nothing } from './findings.js'

/** How long before its expiry somebody should replace a key. */
const expiryNoticeMs = 30 * 86_400_000

export async function examine(settings: Settings): Promise<Findings> {
  const channels = await examineChannels(settings)
  try {
    const storage = await openInitialised(settings)
    const found = await examineStore(storage, settings).finally(() => storage.close())
    return {
      ...found,
      facts: { ...found.facts, ...channels.facts },
      warnings: [...found.warnings, ...channels.warnings],
    }
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof UnavailableError)) throw error
    return { ...nothing, ...channels, problems: [error.message] }
  }
}

async function examineStore(storage: StoreStorage, settings: Settings): Promise<Findings> {
  const database = await examineDatabase(storage)
  const pending = await storage.pendingMigrations()
  const wrongKey = await keyProblem(storage, settings)
  const isCurrent = pending.length === 0
  const deliveries = isCurrent ? await examineDeliveries(storage) : nothing
  const keys = isCurrent ? await expiringKeys(storage) : []
  const reports = isCurrent ? await failedReports(storage) : []
  return {
    facts: {
      ...database.facts,
      pending_migrations: pending.length,
      secret_key: wrongKey === null ? 'ok' : 'wrong',
      ...deliveries.facts,
    },
    endpoints: deliveries.endpoints,
    replays: deliveries.replays,
    keys,
    reports,
    problems: [
      ...database.problems,
      ...(isCurrent ? [] : [`Migrations are pending (${pending.join(', ')}): run \`sav migrate\`.`]),
      ...(wrongKey === null ? [] : [wrongKey]),
    ],
    warnings: [
      ...(await openKeyFile(settings)),
      ...(wrongKey === null && (await isRotating(settings, storage))
        ? ['The last rotation of the secret key was interrupted: `sav secret-key rotate` completes it.']
        : []),
      ...keys.map(
        ({ account_id, id, nom, expires_at }) =>
          `Key ${id} (${oneLine(nom)}, account ${account_id}) expires at ${expires_at}: make its successor with \`sav keys roll ${id}\`.`,
      ),
      ...database.warnings,
      ...deliveries.warnings,
      ...(reports.length === 0
        ? []
        : [`Reception reports that reached nobody: ${reports.length}. \`sav cases show REFERENCE\` says why.`]),
    ],
  }
}

async function expiringKeys(storage: StoreStorage): Promise<ExpiringKey[]> {
  const now = Date.now()
  const found: ExpiringKey[] = []
  for (const account of await storage.accounts.list()) {
    for (const { account_id, id, nom, expires_at, revoked_at } of await storage.keys.list(account.id)) {
      const leftMs = Date.parse(expires_at) - now
      if (revoked_at === null && leftMs > 0 && leftMs <= expiryNoticeMs) found.push({ account_id, id, nom, expires_at })
    }
  }
  return found
}

const mostReports = 20

/** The latest ones; an earlier close of a case that was closed again since does not matter any more. */
async function failedReports({ db }: StoreStorage): Promise<FailedReport[]> {
  return db
    .selectFrom('reports')
    .select(['account_id', 'reference', 'created_at'])
    .where('statut', '=', 'echec')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('reports as later')
            .select('later.sequence')
            .whereRef('later.account_id', '=', 'reports.account_id')
            .whereRef('later.case_id', '=', 'reports.case_id')
            .whereRef('later.sequence', '>', 'reports.sequence'),
        ),
      ),
    )
    .orderBy('created_at', 'desc')
    .limit(mostReports)
    .execute()
}

async function openKeyFile({ secretKey, secretKeyFile }: Settings): Promise<string[]> {
  if (secretKey !== null || process.platform === 'win32') return []
  const mode = await stat(secretKeyFile).then(
    (found) => found.mode & 0o777,
    () => 0o600,
  )
  return (mode & 0o077) === 0 ? [] : [`Others can read ${secretKeyFile}: chmod 600 ${secretKeyFile}`]
}
