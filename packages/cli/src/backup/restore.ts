import { chmod, copyFile, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { EvidenceReport } from '@sav/core'
import { type BackupNote, completeBackup, isIntact, readBackupNote, takeIntoUse } from '@sav/storage-kysely/backup'
import { openSqlite } from '@sav/storage-kysely/sqlite'
import { copyStore } from '../installation/copy-store.js'
import { openOrMakeDatabase } from '../installation/database.js'
import { keyProblem } from '../installation/store.js'
import { CommandError, usageError } from '../invocation/command-error.js'
import type { Context } from '../invocation/context.js'
import { exitCodes } from '../invocation/exit-codes.js'
import type { Output } from '../invocation/output.js'
import { type DatabaseAddress, locate, parseDatabase } from '../settings/database-address.js'
import { refuseRemote } from '../settings/remote.js'
import { counted } from '../terminal/counted.js'
import { progressLine } from '../terminal/progress-line.js'
import { countOf } from './backup.js'
import { verifyStore } from './verify-store.js'
import { writeWhole } from './whole-file.js'

export interface RestoreOptions {
  readonly to?: string
}

type Progress = (what: string, done: number) => void

/** Makes a store of a backup, on the schema of this release, where there is none yet. */
export async function restore(context: Context, backup: string, { to }: RestoreOptions): Promise<Output> {
  refuseRemote(context.settings)
  const target = to === undefined ? context.settings.database : addressOf(context, to)
  const from = resolve(context.cwd, backup)
  const note = await noteOf(from)
  const line = progressLine(context)
  const show: Progress = (what, done) => line.show(`${what}: ${done}`)
  const restored =
    target.kind === 'sqlite'
      ? await intoFile(context, { from, note, path: target.path, show })
      : await intoServer(context, { from, note, target, show })
  line.clear()
  return outputOf(context, { ...restored, from, note, target })
}

function addressOf({ cwd }: Context, text: string): DatabaseAddress {
  const parsed = parseDatabase(text)
  if (parsed === undefined) throw usageError('--to: must be sqlite:PATH or postgres://…')
  return locate(parsed, { cwd, direct: 'none' })
}

async function noteOf(file: string): Promise<BackupNote> {
  if ((await stat(file).catch(() => null))?.isFile() !== true)
    throw new CommandError('not_found', `There is no file ${file}.`, { exitCode: exitCodes.notFound })
  const note = readBackupNote(file)
  if (note === null)
    throw usageError(`${file} is no backup that sav has made, or it is damaged. To copy a store: sav copy.`)
  if (!isIntact(file)) throw new CommandError('damaged', `${file} is damaged: take another backup.`)
  return note
}

interface Source {
  readonly from: string
  readonly note: BackupNote
  readonly show: Progress
}

interface Restored {
  readonly cases: number
  readonly entries: number
  readonly migrations: readonly string[]
  readonly evidence: EvidenceReport
}

async function intoFile(context: Context, { path, ...source }: Source & { readonly path: string }): Promise<Restored> {
  for (const file of [path, `${path}-wal`])
    if ((await stat(file).catch(() => null)) !== null)
      throw new CommandError(
        'not_empty',
        `${file} is there already: nothing is restored over a store. Move it away, with ${path}-wal and ${path}-shm, or name another file.`,
      )
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  return writeWhole(path, async (unfinished) => {
    await copyForOwner(source.from, unfinished)
    return madeStore(context, unfinished, source)
  })
}

/** By way of a file of its own, since what is brought over has to be on the schema of this release. */
async function intoServer(
  context: Context,
  { target, ...from }: Source & { readonly target: DatabaseAddress },
): Promise<Restored> {
  const directory = await mkdtemp(join(tmpdir(), 'sav-restore-'))
  try {
    const path = join(directory, 'sav.db')
    await copyForOwner(from.from, path)
    const made = await madeStore(context, path, from)
    const [source, storage] = [await openSqlite(path), await openOrMakeDatabase(target)]
    try {
      await copyStore({ kind: 'sqlite', name: from.from, storage: source }, { ...target, storage }, from.show)
      return { ...made, ...(await countOf(storage)) }
    } finally {
      await source.close()
      await storage.close()
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Whatever mode a backup was given meanwhile. */
async function copyForOwner(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  await chmod(to, 0o600)
}

async function madeStore({ settings }: Context, file: string, { note, show }: Source): Promise<Restored> {
  const storage = await openSqlite(file)
  let made: Restored
  try {
    const migrations = await storage.migrate()
    await takeIntoUse(storage.db)
    const evidence = await verifyStore(settings, storage, {
      files: note.files === undefined ? 'all' : 'none',
      progress: (entries) => show('entries of the chain checked', entries),
    })
    made = { ...(await countOf(storage)), migrations, evidence }
  } finally {
    await storage.close()
  }
  await completeBackup(file)
  return made
}

interface Outcome extends Restored {
  readonly from: string
  readonly note: BackupNote
  readonly target: DatabaseAddress
}

async function outputOf(
  { settings }: Context,
  { from, note, target, cases, entries, migrations, evidence }: Outcome,
): Promise<Output> {
  const { broken } = evidence
  const storage = await openOrMakeDatabase(target)
  const wrongKey = await keyProblem(storage, { ...settings, database: target }).finally(() => storage.close())
  const lines = [
    `Restored ${from} of ${note.at} to ${target.name}: ${counted(cases, 'case')}, ${counted(entries, 'entry', 'entries')} of evidence.`,
    broken.length === 0
      ? 'The chain of evidence of every account is whole.'
      : `The chain of evidence is broken in ${counted(broken.length, 'place')}, as in the backup: sav evidence verify.`,
    ...(migrations.length === 0 ? [] : [`Brought to this release: ${migrations.join(', ')}.`]),
    ...(wrongKey === null ? [] : [wrongKey]),
    ...(note.files === undefined
      ? []
      : [
          `The contents of its files stayed at ${note.files}: name it with SAV_FILES. A copy to try something out gets keys that may only read there.`,
        ]),
    'What waited to be sent is sent when a service starts; what was erased since the backup has to be erased again.',
  ]
  return {
    json: { from, to: target.name, cases, entries, migrations, broken, secret_key: wrongKey === null ? 'ok' : 'wrong' },
    text: lines.join('\n'),
    exitCode: broken.length === 0 ? exitCodes.done : exitCodes.failed,
  }
}
