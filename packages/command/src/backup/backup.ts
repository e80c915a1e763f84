import { stat } from 'node:fs/promises'
import type { EvidenceReport } from '@sav/core'
import { type BackedUp, backUp, completeBackup, readBackupNote } from '@sav/storage-kysely/backup'
import { openSqlite } from '@sav/storage-kysely/sqlite'
import type { Context } from '../invocation/context.js'
import { closedAfter } from '../process/closing.js'
import { exitCodes, type Output } from '../process/outcome.js'
import { keepHeapSmall } from '../process/small-heap.js'
import { writeWhole } from '../process/whole-file.js'
import { refuseRemote } from '../settings/remote.js'
import { refusedInWords } from '../store/copy-refusals.js'
import { asHeld, openToRead, type StoreStorage } from '../store/database.js'
import { contentsOf } from '../store/file-contents.js'
import { noteBackup } from '../store/last-backup.js'
import { noteFor, withoutSeal } from '../store/note.js'
import { seal } from '../store/seal.js'
import { openInitialised } from '../store/store.js'
import { storeKey } from '../store/store-key.js'
import { progressLine } from '../terminal/progress-line.js'
import { counted } from '../terminal/terminal.js'
import { type Generations, generationsOf } from './generations.js'
import { type VerifyHow, verifyStore } from './verify-store.js'

export interface BackupOptions {
  readonly to: string
  readonly keep?: number
}

/** Backs up the store. The backup is sealed with the secret key, if there is one, and never contains the key. */
export async function backup(context: Context, { to, keep }: BackupOptions): Promise<Output> {
  keepHeapSmall()
  const { settings, cwd } = context
  refuseRemote(settings)
  const { database, files } = settings
  const stays = files?.kind === 's3'
  return closedAfter(openInitialised(settings, asHeld(openToRead)), async (storage) => {
    const secretKey = await storeKey(storage, settings)
    const note = { ...noteFor({ of: database.name, secretKey }), ...(stays && { files: files.name }) }
    const live = database.kind === 'sqlite' ? database.path : null
    const generations = await generationsOf({ cwd, to, keep, note, live, readNote: readBackupNote })
    const made = await writeWhole(generations.file, async (file) => {
      const progress = progressLine(context)
      const show = (what: string, done: number, of?: number) =>
        progress.show(of === undefined ? `${what}: ${done}` : `${what}: ${Math.floor((100 * done) / of)} %`)
      const contents = files && contentsOf(files)
      const found = await refusedInWords(
        backUp(
          {
            storage,
            name: database.name,
            ...(database.kind === 'sqlite' && { prefix: database.prefix }),
            contents,
            withContents: !stays,
          },
          { file, note, progress: show },
        ),
      )
      const held = await examined(context, file, {
        files: stays ? 'none' : 'all',
        progress: (entries) => show('entries of the chain checked', entries),
        features: storage.features,
      })
      await completeBackup(file)
      if (secretKey !== null) await seal(file, secretKey)
      await generations.makeWay()
      progress.clear()
      return { ...found, ...held }
    })
    if (isWhole(made)) await noteBackup(storage, { at: new Date().toISOString(), file: generations.file })
    return await outputOf({ ...made, place: stays ? files.name : null, sealedBy: note.sealed_by ?? null }, generations)
  })
}

interface BackupContents {
  readonly cases: number
  readonly entries: number
  /**
   * The result of checking the evidence. Null for a store of an earlier release, whose chain can only be checked after
   * a migration.
   */
  readonly evidence: EvidenceReport | null
}

async function examined(
  { settings }: Context,
  file: string,
  { features, ...how }: VerifyHow & Pick<StoreStorage, 'features'>,
): Promise<BackupContents> {
  return closedAfter(openSqlite(file, { features }), async (storage) => {
    const isCurrent = (await storage.pendingMigrations()).length === 0
    return {
      ...(await countOf(storage)),
      evidence: isCurrent ? await verifyStore(settings, storage, how) : null,
    }
  })
}

/** Counts that are printed after a backup and after a restore, so that a person can compare them. */
export async function countOf({ db }: StoreStorage): Promise<Pick<BackupContents, 'cases' | 'entries'>> {
  const count = async (table: 'cases' | 'evidence_entries') => {
    const { rows } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
    return rows
  }
  return { cases: await count('cases'), entries: await count('evidence_entries') }
}

interface FinishedBackup extends BackupContents, BackedUp {
  /** The bucket in which the contents of files stay; null if the backup contains them. */
  readonly place: string | null
  /** The id of the secret key that sealed the backup; null if it has no seal. */
  readonly sealedBy: string | null
}

/** Whether nothing is broken or missing. If something is, no older backup is removed: it may be the last good one. */
const isWhole = ({ evidence, missing }: Pick<FinishedBackup, 'evidence' | 'missing'>) =>
  (evidence?.broken ?? []).length === 0 && missing === 0

async function outputOf(made: FinishedBackup, generations: Generations): Promise<Output> {
  const { cases, entries, evidence, files, elsewhere, missing, place, sealedBy } = made
  const { file } = generations
  const { size: bytes } = await stat(file)
  const broken = evidence?.broken ?? []
  const removed = isWhole(made) ? await generations.removeOldest() : []
  const lines = [
    `Backed up to ${file}: ${counted(bytes, 'byte')}, ${counted(cases, 'case')}, ${counted(entries, 'entry', 'entries')} of evidence.`,
    evidence === null
      ? 'The store is from an earlier release: its chain of evidence is checked when the backup is restored.'
      : broken.length === 0
        ? 'The chain of evidence of every account is whole.'
        : `The chain of evidence is broken in ${counted(broken.length, 'place')}, as it is in the store: \`sav evidence verify\` shows where. Older backups are kept.`,
    ...(place === null ? [] : [`${counted(elsewhere, 'file')} found at ${place}, where their contents stay.`]),
    ...(missing === 0
      ? []
      : [`${counted(missing, 'file')} of the store missing in SAV_FILES. Older backups are kept.`]),
    ...removed.map((path) => `Removed ${path}.`),
    ...(sealedBy === null ? [withoutSeal] : []),
    'The backup does not contain the secret key: keep a copy of the key elsewhere.',
  ]
  return {
    json: {
      file,
      bytes,
      cases,
      entries,
      files,
      files_elsewhere: elsewhere,
      missing_files: missing,
      broken,
      removed,
      sealed_by: sealedBy,
    },
    text: lines.join('\n'),
    exitCode: isWhole(made) ? exitCodes.done : exitCodes.failed,
  }
}
