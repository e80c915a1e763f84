import * as z from 'zod'
import { CaseNotFoundError } from '../errors.js'
import { sha256Of } from '../node-crypto.js'
import type { Reads } from '../storage.js'
import { examples, hash, instant, named, type Shape, sequence } from '../values/shape.js'
import { type EvidenceEntry, erasedBy, erasureOf, linkFaults } from './evidence.js'
import { type OnSiteTime, toldOnSite } from './told-on-site.js'

export const closeCheckShape = named(
  'CloseCheck',
  () =>
    z.object({
      sequence: sequence(),
      hash_sha256: hash(),
      date: instant(),
      dossier: z
        .enum(['conforme', 'efface', 'altere'])
        .describe(
          '`conforme`: the stored case has this hash; `efface`: it was erased at the customer’s request, as the ' +
            'chain shows; `altere`: it is missing or differs.',
        ),
      chaine: z.boolean().describe('Whether the entry is valid and follows the one before it.'),
      remplace_le: instant().nullable().describe('When the case was last closed again.'),
    }),
  {
    sequence: 1,
    hash_sha256: examples.hash,
    date: examples.instant,
    dossier: 'conforme',
    chaine: true,
    remplace_le: null,
  },
)
/** Whether the record of a close is still valid. */
export type CloseCheck = Omit<Shape<typeof closeCheckShape>, 'sequence'>

/**
 * What anyone may learn about a close by the hash on its report, or the beginning of that hash: whether it is valid,
 * and nothing about people.
 */
export interface PrintedCheck extends CloseCheck {
  /** IANA name of the account's time zone. */
  readonly fuseau: string
  /** The time of a close on site; null for any other close, and if its record is gone. */
  readonly sur_place: OnSiteTime | null
}

/** The fewest digits of a hash that are accepted: too many to guess, and few enough to type. */
export const shortHashLength = 16

const isHash = new RegExp(`^[0-9a-f]{${shortHashLength},64}$`)

export interface PrintedCheckDeps {
  readonly reads: Reads
  /** The time zone of an account, given its own setting. */
  readonly zoneOf: (fuseau: string | null) => string
}

/**
 * @param printed the hash on a report, or its first 16 digits or more. Null for an unknown hash, or a text that is not
 *   a hash
 */
export async function checkPrinted({ reads, zoneOf }: PrintedCheckDeps, printed: string): Promise<PrintedCheck | null> {
  const asked = printed.toLowerCase()
  const entry = isHash.test(asked) ? await reads.evidence.findByHash(asked) : null
  if (entry === null) return null
  const { account, case_id } = entry
  const check = await checkClose(reads, entry, await reads.reports.ofCase(account, case_id))
  if (check === null) return null
  const fuseau = zoneOf((await reads.accounts.find(account))?.fuseau ?? null)
  const told = check.dossier === 'conforme' ? await reads.evidence.snapshot(account, check.hash_sha256) : null
  return { ...check, fuseau, sur_place: told === null ? null : toldOnSite(JSON.parse(told)) }
}

/**
 * Each close of a case, oldest first, checked against the stored data and the previous entry. Its cost does not grow
 * with the chain; `checkEvidence` checks the whole chain.
 * @throws {CaseNotFoundError}
 */
export async function checkCase(
  reads: Reads,
  account_id: string,
  id: number,
): Promise<Shape<typeof closeCheckShape>[]> {
  if ((await reads.cases.find(account_id, id)) === null) throw new CaseNotFoundError(id)
  const entries = await reads.evidence.ofCase(account_id, id)
  const reports = await reads.reports.ofCase(account_id, id)
  const checks = entries.map(async (entry) => {
    const check = await checkClose(reads, entry, reports)
    return check === null ? [] : [{ sequence: entry.sequence, ...check }]
  })
  return (await Promise.all(checks)).flat()
}

/** @param reports the reports of the entry's case. Null for an entry of an erasure, which is not a close */
async function checkClose(
  reads: Reads,
  entry: EvidenceEntry,
  reports: readonly { readonly sequence: number; readonly created_at: string }[],
): Promise<CloseCheck | null> {
  const { account, sequence, hash_dossier, date } = entry
  const snapshot = await reads.evidence.snapshot(account, hash_dossier)
  if (snapshot !== null && erasedBy(entry, snapshot) !== null) return null
  const previous = sequence === 1 ? null : await reads.evidence.find(account, sequence - 1)
  const later = reports.at(-1)
  return {
    hash_sha256: hash_dossier,
    date,
    dossier: await stateOf(reads, entry, snapshot),
    chaine: linkFaults(entry, previous).length === 0,
    remplace_le: later !== undefined && later.sequence > sequence ? later.created_at : null,
  }
}

async function stateOf(reads: Reads, entry: EvidenceEntry, snapshot: string | null): Promise<CloseCheck['dossier']> {
  if (snapshot === null) return 'altere'
  if (sha256Of(snapshot) === entry.hash_dossier) return 'conforme'
  // A marker alone proves nothing: the chain must contain the erasure, with its own hash.
  const erasure = erasureOf(entry, snapshot)
  const by = erasure && (await reads.evidence.find(entry.account, erasure.sequence))
  if (by === null) return 'altere'
  const told = await reads.evidence.snapshot(by.account, by.hash_dossier)
  const erased = told === null ? null : erasedBy(by, told)
  return erased?.some(({ sequence }) => sequence === entry.sequence) ? 'efface' : 'altere'
}
