import type { Context } from '../invocation/context.js'
import type { Output } from '../invocation/output.js'
import { withFiles } from '../running/compose.js'
import { confirm } from '../terminal/confirmation.js'
import { counted } from '../terminal/counted.js'
import { progressLine } from '../terminal/progress-line.js'

export interface PurgeOptions {
  readonly dryRun?: boolean
  readonly yes?: boolean
}

/** Of every account: retention is a rule of the installation. */
export async function purge(context: Context, { dryRun = false, yes }: PurgeOptions): Promise<Output> {
  const { sav, storage } = await context.open()
  const matched = await sav.retention.purgeable()
  if (dryRun) return { json: { matched, deleted: 0 }, text: `${counted(matched, 'row')} would go.` }
  await confirm(context, {
    yes,
    question: `Delete ${counted(matched, 'row')} of old deliveries, events and audit for good?`,
  })
  const progress = progressLine(context)
  const deleted = await sav.retention.purge((rows) => progress.show(`${rows} of ${matched} deleted`))
  progress.keep()
  // Files that an erasure or an interrupted call has left, where they lie in a directory.
  const files = await withFiles(storage, context.settings).sweep()
  const swept = files === 0 ? '' : ` ${counted(files, 'file')} that no case holds deleted.`
  return { json: { matched, deleted, files }, text: `${counted(deleted, 'row')} deleted.${swept}` }
}
