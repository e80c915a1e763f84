import { withFiles } from '../compose.js'
import { confirm } from '../confirmation.js'
import type { Context } from '../context.js'
import { terminalOf } from '../terminal.js'
import type { Output } from '../world.js'

export interface PurgeOptions {
  readonly dryRun?: boolean
  readonly yes?: boolean
}

/** Of every account: retention is a rule of the installation. */
export async function purge(context: Context, { dryRun = false, yes }: PurgeOptions): Promise<Output> {
  const { sav, storage } = await context.open()
  const matched = await sav.retention.purgeable()
  if (dryRun) return { json: { matched, deleted: 0 }, text: `${matched} rows would go.` }
  await confirm(context, { yes, question: `Delete ${matched} rows of old deliveries, events and audit for good?` })
  const showsProgress = terminalOf(context.stderr, context.env).isTerminal
  const deleted = await sav.retention.purge((rows) => {
    if (showsProgress) context.stderr.write(`\r${rows} of ${matched} deleted`)
  })
  if (showsProgress) context.stderr.write('\n')
  // Files that an erasure or an interrupted call has left, where they lie in a directory.
  const files = await withFiles(storage, context.settings).sweep()
  const swept = files === 0 ? '' : ` ${files} files that no case holds deleted.`
  return { json: { matched, deleted, files }, text: `${deleted} rows deleted.${swept}` }
}
