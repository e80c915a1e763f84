import type { Storage } from '@sav/core/ports'
import type { Context } from '../invocation/context.js'
import type { Output } from '../process/outcome.js'
import { withFiles } from '../store/compose.js'
import { confirm } from '../terminal/confirmation.js'
import { progressLine } from '../terminal/progress-line.js'
import { counted } from '../terminal/terminal.js'

export interface PurgeOptions {
  readonly dry_run?: boolean
  readonly yes?: boolean
}

/** Purges every account: retention applies to the whole installation. */
export async function purge(context: Context, { dry_run = false, yes }: PurgeOptions): Promise<Output> {
  const { sav, storage } = await context.open()
  const matched = await sav.retention.purgeable()
  if (dry_run) return { json: { matched, deleted: 0 }, text: `${counted(matched, 'row')} would be deleted.` }
  await confirm(context, {
    yes: yes || matched === 0,
    question: `Delete ${counted(matched, 'row')} of old deliveries, events and audit for good?`,
  })
  const progress = progressLine(context)
  const deleted = await sav.retention.purge((rows) => progress.show(`${rows} of ${matched} deleted`))
  progress.keep()
  const files = await purgeFiles(withFiles(storage, context.settings))
  const removed = files.removed === 0 ? '' : ` ${counted(files.removed, 'file')} removed that no case uses.`
  const found =
    files.found === 0 ? '' : ` ${counted(files.found, 'file')} that no table names will be removed in ten minutes.`
  return {
    json: { matched, deleted, files: files.removed, files_found: files.found },
    text: `${counted(deleted, 'row')} deleted.${removed}${found}`,
  }
}

/** Removes the files outside the store that are due for removal, and those without a row in the store. */
async function purgeFiles({ outsideFiles }: Storage): Promise<{ removed: number; found: number }> {
  if (outsideFiles === undefined) return { removed: 0, found: 0 }
  const found = await outsideFiles.sweep()
  let removed = 0
  for (let some = await outsideFiles.removeDue(); some > 0; some = await outsideFiles.removeDue()) removed += some
  return { removed, found }
}
