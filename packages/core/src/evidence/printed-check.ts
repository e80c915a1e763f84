import { hash } from 'node:crypto'
import { CaseNotFoundError } from '../errors.js'
import type { Reads } from '../storage.js'
import { type EvidenceEntry, erasedBy, erasureOf, linkFaults } from './evidence.js'

/** Whether what was recorded of a close still stands. */
export interface CloseCheck {
  /** Of its snapshot: what its report prints. */
  readonly hash_sha256: string
  /** When the close was recorded. */
  readonly date: string
  /**
   * `conforme`: what is stored of the case has this hash; `efface`: it was erased at the customer's request, as the chain
   * tells; `altere`: it is gone, or is something else.
   */
  readonly dossier: 'conforme' | 'efface' | 'altere'
  /** Whether the entry fits itself and the one before it. */
  readonly chaine: boolean
  /** When the same case was closed again, the latest time; null: this is its latest report. */
  readonly remplace_le: string | null
}

/**
 * What anyone may learn of a close by the hash on its report, or by the beginning of that: whether it stands, and nothing of
 * whom it is about.
 */
export interface PrintedCheck extends CloseCheck {
  /** IANA name of the zone that the account lives by. */
  readonly fuseau: string
}

/** At least so many digits of a hash: nobody meets one by chance, and they can be typed. */
export const shortHashLength = 16

const isHash = new RegExp(`^[0-9a-f]{${shortHashLength},64}$`)

export interface PrintedCheckDeps {
  readonly reads: Reads
  /** The zone of an account, by its own setting. */
  readonly zoneOf: (fuseau: string | null) => string
}

/** @param printed the hash on a report, or its first 16 digits or more. Null for one that nobody knows, or that is none */
export async function checkPrinted({ reads, zoneOf }: PrintedCheckDeps, printed: string): Promise<PrintedCheck | null> {
  const asked = printed.toLowerCase()
  const entry = isHash.test(asked) ? await reads.evidence.findByHash(asked) : null
  if (entry === null) return null
  return {
    ...(await checkClose(reads, entry)),
    fuseau: zoneOf((await reads.accounts.find(entry.account))?.fuseau ?? null),
  }
}

/**
 * Each close of a case, oldest first, checked against what is stored and against the entry before it: in a time that does not
 * grow with the chain, whose whole `checkEvidence` walks.
 * @throws {CaseNotFoundError}
 */
export async function checkCase(
  reads: Reads,
  account_id: string,
  id: number,
): Promise<(CloseCheck & { readonly sequence: number })[]> {
  if ((await reads.cases.find(account_id, id)) === null) throw new CaseNotFoundError(id)
  const entries = await reads.evidence.ofCase(account_id, id)
  return Promise.all(entries.map(async (entry) => ({ sequence: entry.sequence, ...(await checkClose(reads, entry)) })))
}

async function checkClose(reads: Reads, entry: EvidenceEntry): Promise<CloseCheck> {
  const { account, case_id, sequence, hash_dossier, date } = entry
  const previous = sequence === 1 ? null : await reads.evidence.find(account, sequence - 1)
  const later = (await reads.reports.ofCase(account, case_id)).at(-1)
  return {
    hash_sha256: hash_dossier,
    date,
    dossier: await stateOf(reads, entry),
    chaine: linkFaults(entry, previous).length === 0,
    remplace_le: later !== undefined && later.sequence > sequence ? later.created_at : null,
  }
}

async function stateOf(reads: Reads, entry: EvidenceEntry): Promise<PrintedCheck['dossier']> {
  const { account, hash_dossier, sequence } = entry
  const snapshot = await reads.evidence.snapshot(account, hash_dossier)
  if (snapshot === null) return 'altere'
  if (hash('sha256', snapshot) === hash_dossier) return 'conforme'
  // A marker alone says nothing: the erasure stands in the chain as well.
  const erasure = erasureOf(entry, snapshot)
  const by = erasure && (await reads.evidence.find(account, erasure.sequence))
  const told = by && (await reads.evidence.snapshot(account, by.hash_dossier))
  const isProven = told !== null && erasedBy(told)?.some((erased) => erased.sequence === sequence)
  return isProven ? 'efface' : 'altere'
}
