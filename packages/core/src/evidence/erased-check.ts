import type { Reads } from '../storage.js'
import { type Anchor, faultOfAnchor } from './anchor.js'
import { linkFaults } from './evidence.js'
import type { BrokenEvidence, ErasedChain, EvidenceReport } from './evidence-report.js'

const batch = 500

/**
 * Checks what remains of an erased account: the links of its chain if the digests were kept, otherwise only its end.
 * Compares both with outside anchors. Null for an account that was never erased.
 */
export async function checkErased(
  reads: Pick<Reads, 'erasedAccounts'>,
  account: string,
  anchors: readonly Anchor[],
): Promise<(EvidenceReport & { readonly erased: readonly ErasedChain[] }) | null> {
  const found = await reads.erasedAccounts.find(account)
  if (found === null) return null
  const { date, sequence, hash_entree, begun_by, chain_erased_at, chain_erased_by } = found
  const left = { account, date, begun_by, chain_erased_by, sequence, hash_entree }
  const report = { erased: [left] }
  if (date === null) return { checked: 0, ...report, broken: [] }

  const end = { account, sequence: sequence ?? 0, hash_entree: hash_entree ?? '' }
  const asked = anchors.filter((anchor) => anchor.account === account)
  if (chain_erased_at !== null) {
    const broken = asked.flatMap((anchor) => {
      const problem = anchor.sequence < end.sequence ? null : faultOfEnd(anchor, end)
      return problem === null ? [] : [{ sequence: anchor.sequence, reference: '', problem }]
    })
    return { checked: 0, ...report, broken }
  }
  const { checked, broken } = await checkKept(reads, end, asked)
  return { checked, ...report, broken }
}

type End = Pick<Anchor, 'sequence' | 'hash_entree'>

const faultOfEnd = (anchor: Anchor, end: End): string | null =>
  anchor.sequence > end.sequence
    ? `an anchor holds entry ${anchor.sequence}, but the account was recorded as erased after entry ${end.sequence}`
    : faultOfAnchor(anchor, end)

async function checkKept(
  reads: Pick<Reads, 'erasedAccounts'>,
  end: Anchor,
  anchors: readonly Anchor[],
): Promise<{ checked: number; broken: BrokenEvidence[] }> {
  const broken: BrokenEvidence[] = []
  const report = (sequence: number, reference: string, problem: string | null) => {
    if (problem !== null) broken.push({ sequence, reference, problem })
  }
  const bySequence = Map.groupBy(anchors, ({ sequence }) => sequence)
  let previous: Parameters<typeof linkFaults>[1] = null
  let checked = 0
  for (let page = batch; page === batch; ) {
    const entries = await reads.erasedAccounts.walk(end.account, {
      afterSequence: previous?.sequence ?? 0,
      limit: batch,
    })
    for (const each of entries) {
      const { sequence, reference } = each
      const entry = { ...each, case_id: 0 }
      for (const problem of linkFaults(entry, previous)) report(sequence, reference, problem)
      for (const anchor of bySequence.get(sequence) ?? []) report(sequence, reference, faultOfAnchor(anchor, entry))
      previous = entry
      checked += 1
    }
    page = entries.length
  }
  const last = previous?.sequence ?? 0
  if (last !== end.sequence || (previous?.hash_entree ?? '') !== end.hash_entree)
    report(last, '', `the account was erased after entry ${end.sequence}, but its digests do not end with that entry`)
  for (const anchor of anchors) if (anchor.sequence > last) report(anchor.sequence, '', faultOfAnchor(anchor, null))
  return { checked, broken }
}
