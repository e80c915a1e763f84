import { UnavailableError } from '@sav/core'
import { expiryNoticeMs } from '@sav/core/internal'
import { CommandError } from '../process/command-error.js'
import type { Settings } from '../settings/settings.js'
import { unknownSettingSentence } from '../settings/unknown-settings.js'
import type { StoreStorage } from '../store/database.js'
import { isRotating } from '../store/secret-key-rotation.js'
import { openInitialised } from '../store/store.js'
import { keyProblem } from '../store/store-key.js'
import { peopleTime } from '../terminal/people-time.js'
import { oneLine } from '../terminal/terminal.js'
import { examineBackups } from './backups.js'
import { addressesWithoutOwner } from './calendars.js'
import { examineChannels } from './channels.js'
import { examineDatabase } from './database.js'
import { examineDeliveries } from './deliveries.js'
import { openToOthers, ownedByOthers } from './file-modes.js'
import { examineFiles } from './files.js'
import { type ExpiringKey, type Findings, nothing } from './findings.js'

/** @param backups files whose seals are compared */
export async function examine(settings: Settings, backups: readonly string[]): Promise<Findings> {
  const found = await examineAll(settings)
  const sealed = await examineBackups(settings, backups)
  return {
    ...found,
    facts: { ...found.facts, ...sealed.facts },
    problems: [...found.problems, ...sealed.problems],
    warnings: [...settings.unknown.map(unknownSettingSentence), ...found.warnings],
  }
}

async function examineAll(settings: Settings): Promise<Findings> {
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
    const { database } = settings
    if (error.code === 'is_a_backup' && database.kind === 'sqlite') {
      const { facts, problems } = await examineBackups(settings, [database.path])
      return { ...nothing, ...channels, facts: { ...channels.facts, ...facts }, problems }
    }
    return { ...nothing, ...channels, problems: [error.message] }
  }
}

async function examineStore(storage: StoreStorage, settings: Settings): Promise<Findings> {
  const database = await examineDatabase(storage)
  const pending = await storage.pendingMigrations()
  const wrongKey = await keyProblem(storage, settings)
  const isCurrent = pending.length === 0
  const local = peopleTime({ settings })
  const deliveries = isCurrent ? await examineDeliveries(storage, local) : nothing
  const keys = isCurrent ? await expiringKeys(storage) : []
  const reports = isCurrent ? await storage.failedReports(maxReports) : []
  const nameless = isCurrent ? await namelessSenders(storage, settings) : []
  const ownerless = isCurrent ? await addressesWithoutOwner(storage) : []
  const files = isCurrent ? await examineFiles(storage, settings) : nothing
  return {
    facts: {
      ...database.facts,
      pending_migrations: pending.length,
      secret_key: wrongKey === null ? 'ok' : 'wrong',
      ...deliveries.facts,
      ...files.facts,
    },
    endpoints: deliveries.endpoints,
    replays: deliveries.replays,
    keys,
    reports,
    problems: [
      ...database.problems,
      ...files.problems,
      ...(isCurrent ? [] : [`Migrations are pending (${pending.join(', ')}): run \`sav migrate\`.`]),
      ...(wrongKey === null ? [] : [wrongKey]),
      ...(await ownedByOthers(settings)),
    ],
    warnings: [
      ...(await openToOthers(settings)),
      ...(wrongKey === null && (await isRotating(settings, storage))
        ? ['The last rotation of the secret key was interrupted: `sav secret-key rotate` completes it.']
        : []),
      ...keys.map(
        ({ account_id, id, nom, expires_at }) =>
          `Key ${id} (${oneLine(nom)}, account ${account_id}) expires on ${local.at(expires_at)} (${local.timeZone}): make its successor with \`sav keys roll ${id}\`.`,
      ),
      ...nameless,
      ...ownerless,
      ...database.warnings,
      ...deliveries.warnings,
      ...files.warnings,
      ...(reports.length === 0
        ? []
        : [`Reception reports that reached nobody: ${reports.length}. \`sav cases show REFERENCE\` says why.`]),
    ],
  }
}

async function expiringKeys(storage: StoreStorage): Promise<ExpiringKey[]> {
  const now = Date.now()
  const found: ExpiringKey[] = []
  for (const account of await storage.reads.accounts.list()) {
    for (const { account_id, id, nom, expires_at, revoked_at } of await storage.reads.keys.list(account.id)) {
      const leftMs = Date.parse(expires_at) - now
      if (revoked_at === null && leftMs > 0 && leftMs <= expiryNoticeMs) found.push({ account_id, id, nom, expires_at })
    }
  }
  return found
}

/** Accounts whose reports go out, and name nobody. */
async function namelessSenders(storage: StoreStorage, { mail, whatsapp }: Settings): Promise<string[]> {
  if (mail === null && whatsapp === null) return []
  const accounts = await storage.reads.accounts.list()
  return accounts
    .filter(({ raison_sociale }) => raison_sociale === null)
    .map(
      ({ id }) =>
        `The account ${id} sends reports that name no company: \`sav accounts update ${id} --raison-sociale …\`.`,
    )
}

const maxReports = 20
