import { UnavailableError } from '@sav/core'
import { expiryNoticeMs, readiness } from '@sav/core/adapter'
import { systemClock } from '@sav/http-node/runtime'
import { closedAfter } from '../process/closing.js'
import { CommandError } from '../process/command-error.js'
import { exitCodes } from '../process/outcome.js'
import type { Settings } from '../settings/settings.js'
import { unknownSettingSentence } from '../settings/unknown-settings.js'
import { asHeld, openToRead, type StoreStorage } from '../store/database.js'
import { isRotating } from '../store/secret-key-rotation.js'
import { openInitialised } from '../store/store.js'
import { refuseUnwritable } from '../store/store-files.js'
import { keyProblem } from '../store/store-key.js'
import { inAccount } from '../syntax/in-account.js'
import { type PeopleTime, peopleTime } from '../terminal/people-time.js'
import { oneLine } from '../terminal/terminal.js'
import { examineBackups } from './backups.js'
import { examineChannels } from './channels.js'
import { examineDatabase } from './database.js'
import { examineDeliveries } from './deliveries.js'
import { examineFileModes } from './file-modes.js'
import { examineFiles } from './files.js'
import { Findings, type Warning } from './findings.js'
import { examinePlaces } from './places.js'
import { examineStamps } from './stamps.js'

/** @param backups backup files whose seals are verified */
export async function examine(settings: Settings, backups: readonly string[]): Promise<Findings> {
  const found = new Findings()
  found.warnings.push(...settings.unknown.map(unknownSettingSentence))
  const sealed = [...backups]
  try {
    await closedAfter(openInitialised(settings, asHeld(openToRead)), (storage) =>
      examineStore(found, storage, settings),
    )
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

/** Checks the store. If one check cannot read its data, the others still run. */
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
  // The other checks read tables that a pending migration may still have to create or change.
  if (pending.length > 0) return
  const known = problems.length
  await look(() => examinePlaces(found, storage, { settings, local }))
  // If `examinePlaces` found a problem, such as a full disk, a failed write would only report it again.
  if (problems.length === known) await look(() => tryToWrite(storage))
  await look(() => examineDeliveries(found, storage, local))
  await look(() => examineKeys(found, storage, local))
  await look(() => examineSenders(found, storage, settings))
  await look(() => examineFiles(found, storage, settings))
  await look(() => examineStamps(found, storage, { settings, local }))
  found.reports.push(...((await look(() => storage.failedReports(maxReports))) ?? []))
  const [report] = found.reports
  if (report !== undefined) {
    const remedy = inAccount(`sav cases show ${report.reference}`, report.account_id)
    warnings.push(`Reception reports that reached no customer: ${found.reports.length}. \`${remedy}\` says why.`)
  }
}

/**
 * Checks that the store can be written to: with a full disk, it can still be read.
 * @throws UnavailableError
 */
const tryToWrite = (storage: StoreStorage) => readiness({ storage, clock: systemClock, worker: null, timeoutMs: 0 })()

/** Warns about keys that expire soon. */
async function examineKeys(found: Findings, storage: StoreStorage, local: PeopleTime): Promise<void> {
  const now = Date.now()
  const soon: Warning[] = []
  for (const account of await storage.reads.accounts.list())
    for (const { account_id, id, nom, expires_at, revoked_at } of await storage.reads.keys.list(account.id)) {
      const leftMs = Date.parse(expires_at) - now
      if (revoked_at !== null || leftMs <= 0 || leftMs > expiryNoticeMs) continue
      found.keys.push({ account_id, id, nom, expires_at })
      soon.push({
        name: `${id} (account ${account_id})`,
        sentence: `Key ${id} (${oneLine(nom)}, account ${account_id}) expires on ${local.zoned(expires_at)}: make its successor with \`${inAccount(`sav keys roll ${id}`, account_id)}\`.`,
      })
    }
  found.warnOf(
    soon,
    (count) => `${count} keys expire within 30 days: make the successor of each with \`sav keys roll\`.`,
  )
}

/** Warns about accounts whose reports have no company name. */
async function examineSenders(found: Findings, storage: StoreStorage, { mail, whatsapp }: Settings): Promise<void> {
  if (mail === null && whatsapp === null) return
  const nameless = (await storage.reads.accounts.list()).filter(({ raison_sociale }) => raison_sociale === null)
  found.warnOf(
    nameless.map(({ id }) => ({
      name: id,
      sentence: `The account ${id} sends reports that name no company: \`sav accounts update ${id} --raison-sociale …\`.`,
    })),
    (count) =>
      `${count} accounts send reports that name no company: \`sav accounts update NAME --raison-sociale …\` for each.`,
  )
}

const maxReports = 20
