import { UnavailableError } from '@sav/core'
import { expiryNoticeMs, readiness } from '@sav/core/internal'
import { systemClock } from '@sav/http-node/runtime'
import { closedAfter } from '../process/closing.js'
import { CommandError } from '../process/command-error.js'
import { exitCodes } from '../process/outcome.js'
import type { Settings } from '../settings/settings.js'
import { unknownSettingSentence } from '../settings/unknown-settings.js'
import { openToRead, type StoreStorage } from '../store/database.js'
import { isRotating } from '../store/secret-key-rotation.js'
import { openInitialised } from '../store/store.js'
import { refuseUnwritable } from '../store/store-files.js'
import { keyProblem } from '../store/store-key.js'
import { type PeopleTime, peopleTime } from '../terminal/people-time.js'
import { oneLine } from '../terminal/terminal.js'
import { examineBackups } from './backups.js'
import { examineChannels } from './channels.js'
import { examineDatabase } from './database.js'
import { examineDeliveries } from './deliveries.js'
import { examineFileModes } from './file-modes.js'
import { examineFiles } from './files.js'
import { Findings } from './findings.js'
import { examinePlaces } from './places.js'
import { examineStamps } from './stamps.js'

/** @param backups files whose seals are compared */
export async function examine(settings: Settings, backups: readonly string[]): Promise<Findings> {
  const found = new Findings()
  found.warnings.push(...settings.unknown.map(unknownSettingSentence))
  const sealed = [...backups]
  try {
    await closedAfter(openInitialised(settings, openToRead), (storage) => examineStore(found, storage, settings))
    if (settings.database.kind === 'sqlite') refuseUnwritable(settings.database.path)
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof UnavailableError)) throw error
    const { database } = settings
    if (error.code === 'is_a_backup' && database.kind === 'sqlite') sealed.push(database.path)
    else {
      found.problems.push(error.message)
      if (error.code === 'not_initialised') found.exitCode = exitCodes.unavailable
    }
  }
  await examineChannels(found, settings)
  await examineBackups(found, settings, sealed)
  return found
}

/** Each look on its own: what one of them cannot read, the others may. */
async function examineStore(found: Findings, storage: StoreStorage, settings: Settings): Promise<void> {
  const { facts, problems, warnings } = found
  const local = peopleTime({ settings })
  const look = async <T>(at: () => Promise<T> | T): Promise<T | null> => {
    try {
      return await at()
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      if (!problems.includes(error.message)) problems.push(error.message)
      return null
    }
  }
  const damage = await look(() => ('quickCheck' in storage ? storage.quickCheck() : null))
  if (damage !== null) problems.push(damage)
  await look(() => examineDatabase(found, storage))
  const pending = (await look(() => storage.pendingMigrations())) ?? []
  const wrongKey = await look(() => keyProblem(storage, settings))
  facts['pending_migrations'] = pending.length
  facts['secret_key'] = wrongKey === null ? 'ok' : 'wrong'
  if (pending.length > 0) {
    problems.push(`Migrations are pending (${pending.join(', ')}): run \`sav migrate\`.`)
    found.exitCode = exitCodes.unavailable
  }
  if (wrongKey !== null) problems.push(wrongKey)
  else if (await look(() => isRotating(settings, storage)))
    warnings.push('The last rotation of the secret key was interrupted: `sav secret-key rotate` completes it.')
  await examineFileModes(found, settings)
  // What a migration has yet to make cannot be looked at.
  if (pending.length > 0) return
  await look(() => examinePlaces(found, storage, { settings, local }))
  await look(() => tryToWrite(storage))
  await look(() => examineDeliveries(found, storage, local))
  await look(() => examineKeys(found, storage, local))
  await look(() => examineSenders(found, storage, settings))
  await look(() => examineFiles(found, storage, settings))
  await look(() => examineStamps(found, storage, { settings, local }))
  found.reports.push(...((await look(() => storage.failedReports(maxReports))) ?? []))
  if (found.reports.length > 0)
    warnings.push(
      `Reception reports that reached no customer: ${found.reports.length}. \`sav cases show REFERENCE\` says why.`,
    )
}

/** As a probe does: a full disk can still be read from. @throws UnavailableError */
const tryToWrite = (storage: StoreStorage) => readiness({ storage, clock: systemClock, worker: null, timeoutMs: 0 })()

/** Those that expire soon. */
async function examineKeys({ keys, warnings }: Findings, storage: StoreStorage, local: PeopleTime): Promise<void> {
  const now = Date.now()
  for (const account of await storage.reads.accounts.list())
    for (const { account_id, id, nom, expires_at, revoked_at } of await storage.reads.keys.list(account.id)) {
      const leftMs = Date.parse(expires_at) - now
      if (revoked_at !== null || leftMs <= 0 || leftMs > expiryNoticeMs) continue
      keys.push({ account_id, id, nom, expires_at })
      warnings.push(
        `Key ${id} (${oneLine(nom)}, account ${account_id}) expires on ${local.zoned(expires_at)}: make its successor with \`sav keys roll ${id}\`.`,
      )
    }
}

/** Accounts whose reports go out without a company's name. */
async function examineSenders(
  { warnings }: Findings,
  storage: StoreStorage,
  { mail, whatsapp }: Settings,
): Promise<void> {
  if (mail === null && whatsapp === null) return
  for (const { id, raison_sociale } of await storage.reads.accounts.list())
    if (raison_sociale === null)
      warnings.push(
        `The account ${id} sends reports that name no company: \`sav accounts update ${id} --raison-sociale …\`.`,
      )
}

const maxReports = 20
