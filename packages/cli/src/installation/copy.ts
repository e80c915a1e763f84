import type { EvidenceReport } from '@sav/core'
import { usageError } from '../invocation/command-error.js'
import type { Context } from '../invocation/context.js'
import { exitCodes } from '../invocation/exit-codes.js'
import type { Output } from '../invocation/output.js'
import { compose } from '../running/compose.js'
import { locate, parseDatabase } from '../settings/database-address.js'
import { progressLine } from '../terminal/progress-line.js'
import { type Copied, copyStore } from './copy-store.js'
import { openDatabase, openOrMakeDatabase, type StoreStorage } from './database.js'

export interface CopyOptions {
  readonly from: string
  readonly to: string
}

export async function copy(context: Context, options: CopyOptions): Promise<Output> {
  const [from, to] = [addressOf(context, '--from', options.from), addressOf(context, '--to', options.to)]
  if (from.name === to.name) throw usageError('--from and --to name the same store.')
  const source = await openDatabase(from)
  try {
    const target = await openOrMakeDatabase(to)
    try {
      const progress = progressLine(context)
      const show = (what: string, rows: number) => progress.show(`${what}: ${rows} rows`)
      const copied = await copyStore({ ...from, storage: source }, { ...to, storage: target }, show)
      progress.clear()
      const evidence = await verifyAll(context, target)
      return outputOf(copied, { evidence, from: from.name, to: to.name })
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

function addressOf({ cwd }: Context, flag: string, text: string) {
  const parsed = parseDatabase(text)
  if (parsed === undefined) throw usageError(`${flag}: must be sqlite:PATH or postgres://…`)
  return locate(parsed, { cwd, direct: 'none' })
}

/** Of every account; nothing of it needs the secret key. */
async function verifyAll({ settings }: Context, storage: StoreStorage): Promise<EvidenceReport> {
  const { accounts, evidence } = compose(settings, {
    storage,
    secretKey: new Uint8Array(32),
    findSecretKey: () => undefined,
  })
  const reports: EvidenceReport[] = []
  for (const { id } of await accounts.list()) reports.push(await evidence.verify(id))
  return {
    checked: reports.reduce((sum, { checked }) => sum + checked, 0),
    uncovered: reports.reduce((sum, { uncovered }) => sum + uncovered, 0),
    broken: reports.flatMap(({ broken }) => broken),
  }
}

interface Outcome {
  readonly evidence: EvidenceReport
  readonly from: string
  readonly to: string
}

function outputOf({ tables, copied }: Copied, { evidence, from, to }: Outcome): Output {
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0)
  const lines = [
    `Copied ${from} to ${to}: ${rows} rows in ${Object.keys(tables).length} tables, each compared with its source.`,
    evidence.broken.length === 0
      ? `The chain of evidence is whole: ${evidence.checked} entries.`
      : `The chain of evidence is broken in ${evidence.broken.length} places, as in the source: sav evidence verify.`,
    'The secret key goes with the store: name its file with SAV_SECRET_KEY_FILE where it is not beside it.',
  ]
  return {
    json: { rows, copied, tables, evidence },
    text: lines.join('\n'),
    exitCode: evidence.broken.length === 0 ? exitCodes.done : exitCodes.failed,
  }
}
