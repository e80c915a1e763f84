import { resolve } from 'node:path'
import type { Context } from '../invocation/context.js'
import type { Output } from '../process/outcome.js'
import { table } from '../terminal/table.js'
import { appendAnchors } from './anchors.js'

export interface AnchorOptions {
  /** A file that gets a line for each anchor. */
  readonly to?: string
}

/** The end of every account's chain, for somebody outside to keep. */
export async function anchorEvidence(context: Context, { to }: AnchorOptions): Promise<Output> {
  const { sav } = await context.open()
  const anchors = await sav.evidence.anchors()
  if (to !== undefined) await appendAnchors(resolve(context.cwd, to), anchors)
  const rows = anchors.map(({ account, sequence, hash_entree }) => [account, sequence, hash_entree])
  return { json: anchors, text: table(context.terminal, ['ACCOUNT', 'ENTRY', 'HASH'], rows, 'No case was closed yet.') }
}
