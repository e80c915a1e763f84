import type { EvidenceReport } from '@sav/core'
import { type Copied, copyStore } from '@sav/storage-kysely/copy'
import { verifyStore } from '../backup/verify-store.js'
import type { Context } from '../invocation/context.js'
import { closedAfter } from '../process/closing.js'
import { usageError } from '../process/command-error.js'
import { exitCodes, type Output } from '../process/outcome.js'
import { keepHeapSmall } from '../process/small-heap.js'
import { locate, parseDatabase } from '../settings/database-address.js'
import { refusedInWords, refuseUnfitSource } from '../store/copy-refusals.js'
import { openOrMakeDatabase } from '../store/database.js'
import { openInitialised } from '../store/store.js'
import { progressLine } from '../terminal/progress-line.js'
import { counted } from '../terminal/terminal.js'

export interface CopyOptions {
  readonly from: string
  readonly from_schema?: string
  readonly to: string
  readonly to_schema?: string
}

export async function copy(context: Context, options: CopyOptions): Promise<Output> {
  keepHeapSmall()
  const from = addressOf(context, '--from', options.from, options.from_schema)
  const to = addressOf(context, '--to', options.to, options.to_schema)
  if (from.name === to.name) throw usageError('--from and --to name the same store.')
  return closedAfter(openInitialised({ database: from }), async (source) => {
    await refuseUnfitSource({ ...from, storage: source })
    return closedAfter(openOrMakeDatabase({ ...to, tables: async () => source.features }), async (target) => {
      const progress = progressLine(context)
      const show = (what: string, rows: number) => progress.show(`${what}: ${rows} rows`)
      const copied = await refusedInWords(copyStore({ ...from, storage: source }, { ...to, storage: target }, show))
      progress.clear()
      const { files } = context.settings
      const evidence = await verifyStore(context.settings, target, { files: files === null ? 'all' : 'none' })
      return outputOf(copied, { evidence, from: from.name, to: to.name, files: files?.name ?? null })
    })
  })
}

function addressOf({ cwd, settings }: Context, flag: string, text: string, schema: string | null = null) {
  const parsed = parseDatabase(text)
  if (parsed === undefined) throw usageError(`${flag}: must be sqlite:PATH or postgres://…`)
  const address = locate(parsed, { cwd, direct: 'none', tables: settings.database.tables, schema })
  if (schema !== null && address.kind === 'sqlite') throw usageError(`${flag}-schema: ${address.name} has no schemas.`)
  return address
}

interface Outcome {
  readonly evidence: EvidenceReport
  readonly from: string
  readonly to: string
  /** The place where the contents of files stay; null if they are in the stores themselves. */
  readonly files: string | null
}

function outputOf({ tables, copied }: Copied, { evidence, from, to, files }: Outcome): Output {
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0)
  const lines = [
    `Copied ${from} to ${to}: ${counted(rows, 'row')} in ${Object.keys(tables).length} tables, each compared with its source.`,
    evidence.broken.length === 0
      ? `The chain of evidence is whole: ${counted(evidence.checked, 'entry', 'entries')}.`
      : `The chain of evidence is broken in ${counted(evidence.broken.length, 'place')}, as it is in the source: \`sav evidence verify\` shows where.`,
    ...(files === null ? [] : [`The contents of files stay at ${files}: set SAV_FILES to it for the new store too.`]),
    'The new store needs the same secret key: if its file is not beside the new store, name it with SAV_SECRET_KEY_FILE.',
  ]
  return {
    json: { rows, copied, tables, evidence },
    text: lines.join('\n'),
    exitCode: evidence.broken.length === 0 ? exitCodes.done : exitCodes.failed,
  }
}
