import { mkdir } from 'node:fs/promises'
import { isIntact } from '@sav/core/adapter'
import type { FileContents, StoredFile } from '@sav/core/ports'
import type { Context } from '../invocation/context.js'
import { closedAfter } from '../process/closing.js'
import { CommandError, usageError } from '../process/command-error.js'
import { exitCodes, type Output } from '../process/outcome.js'
import { locateFiles, parseFilePlace } from '../settings/file-place.js'
import { refuseRemote } from '../settings/remote.js'
import { refuseBesideService } from '../store/copy-refusals.js'
import type { StoreStorage } from '../store/database.js'
import { contentsOf } from '../store/file-contents.js'
import { openInitialised, refusePending } from '../store/store.js'
import { progressLine } from '../terminal/progress-line.js'
import { counted } from '../terminal/terminal.js'

export interface MoveFilesOptions {
  readonly from: string
  readonly to: string
}

/** The source or target of a move. `contents` is null if it is the database. */
interface FileLocation {
  readonly name: string
  readonly contents: FileContents | null
  readonly directory: string | null
}

/** The last file that a move handled. After an interruption, the same move continues with the next file. */
interface Position {
  readonly from: string
  readonly to: string
  readonly account_id: string
  readonly sha256: string
}

/**
 * How many files, of at most 5 MiB each, are in memory at once. After each such batch, the move records its progress.
 */
const atOnce = 8
const fact = 'files_move'

/** Moves all files to another place. The service must be stopped: it would still read the files from the old place. */
export async function moveFiles(context: Context, options: MoveFilesOptions): Promise<Output> {
  const { settings } = context
  refuseRemote(settings)
  const [from, to] = [placeOf(context, '--from', options.from), placeOf(context, '--to', options.to)]
  if (from.name === to.name) throw usageError('--from and --to name the same place.')
  return closedAfter(openInitialised(settings), async (storage) => {
    await refusePending(storage)
    await refuseBesideService({ ...settings.database, storage })
    if (to.directory !== null) await mkdir(to.directory, { recursive: true, mode: 0o700 })
    const progress = progressLine(context)
    const move = { storage, from, to, show: (what: string, done: number) => progress.show(`${what}: ${done}`) }
    const moved = await copyAll(move)
    if (moved.faulty.length === 0) await deleteCopied(move)
    progress.clear()
    return outputOf(moved, { from, to })
  })
}

function placeOf({ cwd, settings }: Context, flag: string, text: string): FileLocation {
  if (text === 'database') return { name: 'database', contents: null, directory: null }
  const written = parseFilePlace(text)
  if (written === undefined) throw usageError(`${flag}: must be a directory, s3://BUCKET/PREFIX, or database`)
  const place = locateFiles(written, { cwd, access: settings.s3 })
  if (place === null) throw usageError(`${flag}: a bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`)
  return { name: place.name, contents: contentsOf(place), directory: place.kind === 'directory' ? place.path : null }
}

interface Move {
  readonly storage: StoreStorage
  readonly from: FileLocation
  readonly to: FileLocation
  readonly show: (what: string, done: number) => void
}

interface MoveResult {
  readonly files: number
  /** The account and SHA-256 of each file that is missing or changed. */
  readonly faulty: readonly string[]
}

async function copyAll({ storage, from, to, show }: Move): Promise<MoveResult> {
  const faulty: string[] = []
  let files = 0
  let after = await positionOf(storage, from, to)
  for (;;) {
    const rows = await rowsAfter(storage, after)
    for (const row of rows) {
      const file = await fileFrom(from, row)
      if (file === undefined) continue
      if (file === null || !isIntact(file)) faulty.push(`${row.account_id}/${row.sha256}`)
      else {
        await bring(storage, to, { account_id: row.account_id, file })
        files += 1
        show('files moved', files)
      }
    }
    const last = rows.at(-1)
    if (last === undefined) break
    after = { from: from.name, to: to.name, account_id: last.account_id, sha256: last.sha256 }
    // Once a file is faulty, no position is recorded, so that the next move starts from the beginning.
    if (faulty.length === 0) await note(storage, JSON.stringify(after))
  }
  if (faulty.length > 0) await note(storage, '')
  return { files, faulty }
}

async function positionOf({ reads }: StoreStorage, from: FileLocation, to: FileLocation): Promise<Position | null> {
  const noted = await reads.facts.get(fact)
  if (noted === null || noted === '') return null
  const position: Position = JSON.parse(noted)
  if (position.from === from.name && position.to === to.name) return position
  throw new CommandError(
    'unfinished_move',
    `A move from ${position.from} to ${position.to} is unfinished: complete it first, with the same command.`,
  )
}

const note = ({ transaction }: StoreStorage, value: string) => transaction((tx) => tx.facts.set(fact, value))

interface FileRow {
  readonly account_id: string
  readonly sha256: string
  readonly media_type: string
  readonly content: Uint8Array
}

/** The next files to move, in the order of their key: at most `atOnce` rows, so that memory is bounded. */
function rowsAfter({ db }: StoreStorage, after: Position | null): Promise<FileRow[]> {
  return db
    .selectFrom('files')
    .select(['account_id', 'sha256', 'media_type', 'content'])
    .$if(after !== null, (files) =>
      files.where(({ eb, or, and }) =>
        or([
          eb('account_id', '>', after?.account_id ?? ''),
          and([eb('account_id', '=', after?.account_id ?? ''), eb('sha256', '>', after?.sha256 ?? '')]),
        ]),
      ),
    )
    .orderBy('account_id')
    .orderBy('sha256')
    .limit(atOnce)
    .execute()
}

/** Reads a file from its place: null if it is missing there, undefined if the file is kept in another place. */
async function fileFrom(
  { contents }: FileLocation,
  { account_id, sha256, media_type, content }: FileRow,
): Promise<StoredFile | null | undefined> {
  const isInDatabase = content.length > 0
  if (contents === null) return isInDatabase ? { sha256, media_type, content } : undefined
  if (isInDatabase) return undefined
  const found = await contents.get(account_id, sha256)
  return found && { sha256, media_type, content: found }
}

/** Writes a file to the new place. The file is durable when this resolves. */
async function bring(
  { db }: StoreStorage,
  to: FileLocation,
  { account_id, file }: { readonly account_id: string; readonly file: StoredFile },
): Promise<void> {
  const { sha256, content } = file
  if (to.contents !== null) await to.contents.put(account_id, file)
  await db
    .updateTable('files')
    .set({ content: to.contents === null ? content : new Uint8Array() })
    .where('account_id', '=', account_id)
    .where('sha256', '=', sha256)
    .execute()
}

/** Deletes this store's files at the old place, including those that wait for removal. Any other file there is kept. */
async function deleteCopied({ storage, from, show }: Move): Promise<void> {
  let deleted = 0
  if (from.contents !== null)
    for await (const { account_id, sha256 } of from.contents.list()) {
      const { files, fileRemovals } = storage.reads
      const isOurs = (await files.isHeld(account_id, sha256)) || (await fileRemovals.find(account_id, sha256)) !== null
      if (!isOurs) continue
      await from.contents.remove(account_id, sha256)
      deleted += 1
      show(`deleted at ${from.name}`, deleted)
    }
  await note(storage, '')
}

function outputOf({ files, faulty }: MoveResult, { from, to }: Pick<Move, 'from' | 'to'>): Output {
  const next = to.contents === null ? 'without SAV_FILES' : `with SAV_FILES=${to.name}`
  const lines = [
    `${counted(files, 'file')} moved from ${from.name} to ${to.name}.`,
    ...(faulty.length === 0
      ? [`No file of the store is left at ${from.name}. Start the service ${next}.`]
      : [
          `${counted(faulty.length, 'file')} missing or changed at ${from.name}; nothing was deleted there:`,
          ...faulty,
        ]),
  ]
  return {
    json: { from: from.name, to: to.name, files, faulty },
    text: lines.join('\n'),
    exitCode: faulty.length === 0 ? exitCodes.done : exitCodes.failed,
  }
}
