import { mkdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { EvidenceReport } from '@sav/core'
import { type BackupNote, completeBackup, readBackupNote, takeIntoUse } from '@sav/storage-kysely/backup'
import { copyStore } from '@sav/storage-kysely/copy'
import { openSqlite } from '@sav/storage-kysely/sqlite'
import type { Erasure } from '../directory/erasures.js'
import { type RepeatedErasures, readErasures, repeatErasures, sentenceOnRepeated } from '../directory/erasures-again.js'
import type { Context, OpenedStore } from '../invocation/context.js'
import { closedAfter } from '../process/closing.js'
import { CommandError, usageError } from '../process/command-error.js'
import { exitCodes, type Output } from '../process/outcome.js'
import { keepHeapSmall } from '../process/small-heap.js'
import { inUnfinishedFile, takeFreeName, writeWhole } from '../process/whole-file.js'
import { type DatabaseAddress, locate, parseDatabase } from '../settings/database-address.js'
import { refuseRemote } from '../settings/remote.js'
import type { Settings } from '../settings/settings.js'
import { compose } from '../store/compose.js'
import { refusedInWords } from '../store/copy-refusals.js'
import { heldIn, openOrMakeDatabase, type StoreStorage } from '../store/database.js'
import { commandCall } from '../store/local-actor.js'
import { refuseNewer } from '../store/store.js'
import { keyProblem } from '../store/store-key.js'
import { peopleTime } from '../terminal/people-time.js'
import { progressLine } from '../terminal/progress-line.js'
import { counted } from '../terminal/terminal.js'
import { countOf } from './backup.js'
import { copySealed, copyUnsealed } from './taken.js'
import { verifyStore } from './verify-store.js'

export interface RestoreOptions {
  readonly to?: string
  /** A list of erasures to repeat: a file, or the URL of a store. */
  readonly erasures?: string
  /** Restores the rows even if the file's seal is wrong, missing or made with another key. */
  readonly unsealed?: true
}

/** Restores a backup into a new store, on the schema of this release. */
export async function restore(context: Context, backup: string, options: RestoreOptions): Promise<Output> {
  keepHeapSmall()
  const { to, erasures, unsealed = false } = options
  refuseRemote(context.settings)
  const target = to === undefined ? context.settings.database : addressOf(context, to)
  const from = resolve(context.cwd, backup)
  if ((await stat(from).catch(() => null))?.isFile() !== true)
    throw new CommandError('not_found', `There is no file ${from}.`)
  const line = progressLine(context)
  const source: Source = {
    from,
    unsealed,
    erasures: erasures === undefined ? null : await readErasures(context, erasures, '--erasures'),
    show: (what, done) => line.show(`${what}: ${done}`),
  }
  const restored =
    target.kind === 'sqlite' ? await intoFile(context, source, target.path) : await intoServer(context, source, target)
  line.clear()
  return outputOf(context, { ...restored, from, target, unsealed })
}

function addressOf({ cwd, settings }: Context, text: string): DatabaseAddress {
  const parsed = parseDatabase(text)
  if (parsed === undefined) throw usageError('--to: must be sqlite:PATH or postgres://…')
  return locate(parsed, { cwd, direct: 'none', tables: settings.database.tables })
}

interface Source {
  readonly from: string
  readonly unsealed: boolean
  /** The erasures to repeat; null if no list was given. */
  readonly erasures: readonly Erasure[] | null
  readonly show: (what: string, done: number) => void
}

interface RestoreResult {
  readonly note: BackupNote
  readonly cases: number
  readonly entries: number
  readonly migrations: readonly string[]
  readonly evidence: EvidenceReport
  /** The outcome of repeating the erasures; null if no list was given. */
  readonly repeated: RepeatedErasures | null
}

async function intoFile(context: Context, source: Source, path: string): Promise<RestoreResult> {
  await refuseStore(path)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const work = (unfinished: string) => madeStore(context, unfinished, source)
  return writeWhole(path, work, async (unfinished) => {
    // A service may have started meanwhile, and created the store.
    await refuseStore(path)
    await takeFreeName(unfinished, path).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? isThere(path, path) : error
    })
  })
}

/** @throws CommandError if there are files that SQLite would treat as part of the store */
async function refuseStore(path: string): Promise<void> {
  for (const file of [path, `${path}-wal`, `${path}-journal`])
    if ((await stat(file).catch(() => null)) !== null) throw isThere(file, path)
}

const isThere = (file: string, path: string) =>
  new CommandError(
    'not_empty',
    `${file} exists already: a restore never overwrites a store. Move it away, with ${path}-wal and ${path}-shm, or name another file.`,
  )

/** Restores into PostgreSQL. A temporary SQLite file comes first, in which the rows get the schema of this release. */
async function intoServer(context: Context, from: Source, target: DatabaseAddress): Promise<RestoreResult> {
  return inUnfinishedFile(join(tmpdir(), 'sav-restore.db'), async (path) => {
    const made = await madeStore(context, path, from)
    const features = await heldInFile(path, target)
    const [source, storage] = [
      await openSqlite(path, { features }),
      await openOrMakeDatabase({ ...target, tables: async () => features }),
    ]
    try {
      const unfinished = { kind: 'sqlite', name: from.from, storage: source, isTemporary: true } as const
      await refusedInWords(copyStore(unfinished, { ...target, storage }, from.show))
      return { ...made, ...(await countOf(storage)) }
    } finally {
      await source.close()
      await storage.close()
    }
  })
}

const heldInFile = async (file: string, database: Pick<DatabaseAddress, 'tables'>) =>
  closedAfter(openSqlite(file, { features: await database.tables() }), (storage) => heldIn(storage, database))

/** Creates a complete store in an empty file. */
async function madeStore(context: Context, file: string, source: Source): Promise<RestoreResult> {
  const { settings } = context
  const { from, unsealed, erasures, show } = source
  const features = await settings.database.tables()
  if (unsealed) await copyUnsealed(from, file, features)
  else await copySealed(from, file, settings)
  const note = readBackupNote(file)
  if (note === null) throw new Error(`${from} lacks the note that sav writes into each backup.`)
  const storage = await openSqlite(file, { features: await heldInFile(file, settings.database) })
  let made: RestoreResult
  try {
    await refuseNewer(storage, from)
    const migrations = await storage.migrate()
    await takeIntoUse(storage)
    const repeated = erasures && (await repeatErasures(await inStoreAlone(settings, storage), erasures))
    const evidence = await verifyStore(settings, storage, {
      files: note.files === undefined ? 'all' : 'none',
      progress: (entries) => show('entries of the chain checked', entries),
    })
    made = { note, ...(await countOf(storage)), migrations, evidence, repeated }
  } finally {
    await storage.close()
  }
  await completeBackup(file)
  return made
}

/** The use cases on a restored file, with neither the store's secret key nor its files outside the database. */
async function inStoreAlone(
  settings: Settings,
  storage: StoreStorage,
): Promise<Pick<OpenedStore, 'sav' | 'storage' | 'record'>> {
  const startedAt = Date.now()
  const store = { storage, secretKey: new Uint8Array(32), findSecretKey: () => undefined }
  const sav = await compose({ ...settings, files: null }, store)
  return {
    sav,
    storage,
    record: (tx, { account_id, target }) =>
      sav.audit.record(tx, commandCall(account_id, { command: 'sav restore', startedAt, target })),
  }
}

interface Outcome extends RestoreResult {
  readonly from: string
  readonly target: DatabaseAddress
  readonly unsealed: boolean
}

async function outputOf({ settings }: Context, outcome: Outcome): Promise<Output> {
  const { from, note, target, unsealed, cases, entries, migrations, evidence, repeated } = outcome
  const { broken } = evidence
  const at = peopleTime({ settings }).zoned(note.at)
  const storage = await openOrMakeDatabase(target)
  const wrongKey = await keyProblem(storage, { ...settings, database: target }).finally(() => storage.close())
  const onErasures = sentenceOn(repeated, at)
  const beside = [...(unsealed ? [unverified] : []), ...(repeated === null ? [onErasures] : [])]
  const lines = [
    `Restored ${from} of ${at} to ${target.name}: ${counted(cases, 'case')}, ${counted(entries, 'entry', 'entries')} of evidence.`,
    ...(unsealed ? [unverified] : []),
    broken.length === 0
      ? 'The chain of evidence of every account is whole.'
      : `The chain of evidence is broken in ${counted(broken.length, 'place')}, as it is in the backup: \`sav evidence verify\` shows where.`,
    ...(migrations.length === 0 ? [] : [`Migrated to the schema of this release: ${migrations.join(', ')}.`]),
    ...(wrongKey === null ? [] : [wrongKey]),
    ...(note.files === undefined
      ? []
      : [
          `The contents of the store's files are still at ${note.files}: set SAV_FILES to that address. If this store is only for a trial, use S3 keys that may only read.`,
        ]),
    onErasures,
    'Deliveries and letters that were waiting are sent as soon as a service starts on this store.',
  ]
  return {
    json: {
      from,
      to: target.name,
      cases,
      entries,
      migrations,
      broken,
      secret_key: wrongKey === null ? 'ok' : 'wrong',
      sealed: !unsealed,
      erasures: repeated,
    },
    text: lines.join('\n'),
    ...(beside.length > 0 && { beside: beside.join('\n') }),
    exitCode: broken.length === 0 ? exitCodes.done : exitCodes.failed,
  }
}

const unverified =
  'Only the rows were restored, and no seal protects them: any of them may have been changed. Look at `sav users list` and `sav keys list` before you start a service.'

/**
 * Says what was done about clients that were erased after the backup, or what to do about them.
 * @param at the time of the backup, in local time
 */
function sentenceOn(repeated: RepeatedErasures | null, at: string): string {
  if (repeated === null)
    return `Clients who were erased since ${at} are back. \`sav clients erasures\` of the lost store lists them, and \`sav restore --erasures FILE|URL\` erases them in the same run. If you have no such list, erase each one again with \`sav clients erase ID\`.`
  return sentenceOnRepeated(repeated)
}
