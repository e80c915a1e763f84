import type { Settings } from '../settings/settings.js'
import type { StoreStorage } from '../store/database.js'
import { contentsOf } from '../store/file-contents.js'
import { counted } from '../terminal/terminal.js'
import type { Findings } from './findings.js'

/** How late the removal of a file may be before a warning. The worker removes due files every minute. */
const lateRemovalMs = 3_600_000
const maxLate = 1000

/** Checks whether files outside the database can be listed, and whether unused ones are removed on time. */
export async function examineFiles(
  { facts, problems, warnings }: Findings,
  storage: StoreStorage,
  { files }: Pick<Settings, 'files'>,
): Promise<void> {
  facts['files'] = files?.name ?? 'database'
  if (files === null) return
  await firstOf(contentsOf(files).list()).catch((error: unknown) => {
    if (!(error instanceof Error)) throw error
    // `examinePlaces` has already reported a missing directory.
    if (!problems.some((problem) => problem.startsWith(files.name)))
      problems.push(`The files cannot be listed. ${error.message}`)
  })
  const late = await storage.reads.fileRemovals.due(new Date(Date.now() - lateRemovalMs).toISOString(), maxLate)
  if (late.length > 0)
    warnings.push(
      `${counted(late.length, 'file')} that no case uses should have been removed from ${files.name} at ${late[0]?.remove_at}. A worker removes such files: its log says why it could not.`,
    )
}

async function firstOf(names: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of names) return
}
