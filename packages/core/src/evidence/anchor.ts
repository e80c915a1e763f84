import type { Reads } from '../storage.js'
import type { EvidenceEntry } from './evidence.js'

/** The end of an account's chain, for an outside party to keep: it reveals a rewritten chain. */
export interface Anchor {
  readonly account: string
  readonly sequence: number
  readonly hash_entree: string
}

/** The ends of all chains. An account that never closed a case has none. */
export async function anchorsOf(reads: Pick<Reads, 'accounts' | 'evidence'>): Promise<Anchor[]> {
  const anchors: Anchor[] = []
  for (const { id } of await reads.accounts.list()) {
    const head = await reads.evidence.head(id)
    if (head !== null) anchors.push({ account: id, sequence: head.sequence, hash_entree: head.hash_entree })
  }
  return anchors
}

/**
 * Compares an anchor with the entry of its sequence (null: there is no such entry). Returns the fault; null if they
 * match.
 */
export function faultOfAnchor(
  { sequence, hash_entree }: Anchor,
  entry: Pick<EvidenceEntry, 'hash_entree'> | null,
): string | null {
  if (entry === null) return `an anchor holds entry ${sequence}, which is not in the chain: the chain was cut off`
  return entry.hash_entree === hash_entree ? null : 'an anchor holds another hash_entree: the chain was rewritten'
}
