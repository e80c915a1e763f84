import { existsSync } from 'node:fs'
import type { Settings } from '../settings/settings.js'
import type { StoreStorage } from '../store/database.js'
import { placesAndBackup, problemAt, shortShare } from '../store/free-space.js'
import type { PeopleTime } from '../terminal/people-time.js'
import { amountOfBytes } from '../terminal/terminal.js'
import type { Findings } from './findings.js'

/** The age at which the last backup is late: a day and two hours. */
const backupLateMs = 26 * 3_600_000

/** Checks the free space of every place on this machine, and the age of the last backup. */
export async function examinePlaces(
  { facts, problems, warnings }: Findings,
  storage: StoreStorage,
  { settings, local }: { readonly settings: Settings; readonly local: PeopleTime },
): Promise<void> {
  const { backup, places } = await placesAndBackup(storage, settings)
  for (const place of places) {
    const { what, path, space } = place
    const room = space && `${amountOfBytes(space.freeBytes)} of ${amountOfBytes(space.sizeBytes)}`
    facts[`free_${what}`] = room
    const problem = problemAt(place)
    // A full backup disk is only a warning: the service still works.
    if (problem !== null) (what === 'backup' ? warnings : problems).push(problem)
    else if (space !== null && space.freeBytes < shortShare * space.sizeBytes)
      warnings.push(`${path} (${what}) has ${room} free: make room before it is full.`)
  }
  const isPlaceThere = places.some(({ what, space }) => what === 'backup' && space !== null)
  if (backup !== null && isPlaceThere && !existsSync(backup.file))
    warnings.push(`The last backup, ${backup.file}, is missing: was it moved, or is its volume not mounted?`)
  facts['last_backup_at'] = backup?.at ?? null
  facts['last_backup'] = backup?.file ?? null
  if (backup === null) {
    const [oldest] = (await storage.reads.accounts.list()).map(({ created_at }) => created_at).sort()
    if (oldest !== undefined && Date.now() - Date.parse(oldest) > backupLateMs)
      warnings.push('No backup of this store was made with `sav backup --to FILE` yet.')
  } else if (Date.now() - Date.parse(backup.at) > backupLateMs)
    warnings.push(
      `The last backup was made on ${local.zoned(backup.at)}, ${local.ageOf(backup.at)} ago: run \`sav backup --to FILE\`, or check the timer that should run this command.`,
    )
}
