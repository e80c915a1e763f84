import { resolve } from 'node:path'
import type { Anchor } from '@sav/core/adapter'
import type { Context } from '../invocation/context.js'
import type { Output } from '../process/outcome.js'
import { type Column, wholeList } from '../terminal/columns.js'
import { appendAnchors } from './anchors.js'

export interface AnchorOptions {
  /** A file to which a line is appended for each anchor. */
  readonly to?: string
}

/** Prints the last entry of every account's chain, to be kept outside the store. */
export async function anchorEvidence(context: Context, { to }: AnchorOptions): Promise<Output> {
  const { sav } = await context.open()
  const anchors = await sav.evidence.anchors()
  if (to !== undefined) await appendAnchors(resolve(context.cwd, to), anchors)
  const columns: Column<Anchor>[] = [
    { field: 'account', head: 'ACCOUNT', cell: ({ account }) => account },
    { field: 'sequence', head: 'ENTRY', cell: ({ sequence }) => sequence, whole: true },
    { field: 'hash_entree', head: 'HASH', cell: ({ hash_entree }) => hash_entree, whole: true },
  ]
  return wholeList(context, { columns, empty: 'No case was closed yet.' }, anchors)
}
