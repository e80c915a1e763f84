import { SavError } from '../errors.js'
import type { Reads } from '../storage.js'
import type { Random } from '../values/random.js'
import { type Anchor, faultOfAnchor } from './anchor.js'
import { faultsOfCase, type RecordedEntry } from './case-check.js'
import { type Erasure, type EvidenceEntry, erasedBy, erasureOf, faultsOf, filesNamed } from './evidence.js'
import { type FilesChecked, fileChecker } from './file-check.js'
import type { StampVerifier } from './timestamper.js'

/** One thing that does not fit; `sequence` is null where no entry of the chain tells where. */
export interface BrokenEvidence {
  readonly sequence: number | null
  /** Empty where no entry says it. */
  readonly reference: string
  readonly problem: string
}

/** What a check of the evidence found: all of it fits where `broken` is empty. */
export interface EvidenceReport {
  /** Chain entries checked. */
  readonly checked: number
  /** Lines of history, of the cases checked, from before histories had a chain: nothing tells whether they changed. */
  readonly uncovered: number
  /** Visits, of the cases checked, from before they were part of the evidence, and no close since. */
  readonly uncovered_interventions: number
  readonly broken: readonly BrokenEvidence[]
}

/** What `evidence.verify` looks at; without any, the whole chain and every file. */
export interface EvidenceCheckOptions {
  /** Report on this case only; the chain is walked all the same. */
  readonly case_id?: number
  /** Which files are read and hashed; that they are there is checked for each. `all` by default. */
  readonly files?: FilesChecked
  /** Ends of chains that somebody outside has held; those of other accounts are passed over. */
  readonly anchors?: readonly Anchor[]
  /** Called after each batch with the number of entries checked so far. */
  readonly progress?: (checked: number) => void
}

export interface EvidenceCheckDeps {
  readonly reads: Reads
  readonly random: Random
  /** Null: that a stamp belongs to its entry is checked, what the authority signed is not. */
  readonly stampVerifier: StampVerifier | null
}

const batch = 200

/**
 * Recomputes the account's whole chain from its first entry, and compares both ways: each entry with the case that it is
 * of, and each case that was ever closed with its entries, its history, files and reports; then the time stamps and
 * what anchors outside say of the chain.
 */
export async function checkEvidence(
  { reads, random, stampVerifier }: EvidenceCheckDeps,
  account_id: string,
  { case_id, files = 'all', anchors = [], progress }: EvidenceCheckOptions = {},
): Promise<EvidenceReport> {
  const broken: BrokenEvidence[] = []
  /** By case: its entries, oldest first. */
  const recorded = new Map<number, RecordedEntry[]>()
  /** By sequence: closes whose snapshot says that it was erased, until the erasure is met that it names. */
  const unproven = new Map<number, { readonly entry: EvidenceEntry; readonly by: Erasure }>()
  const concerns = (id: number) => case_id === undefined || case_id === id
  const fileChecks = fileChecker({ reads, random, account_id, files })
  let previous: EvidenceEntry | null = null
  let checked = 0
  let uncovered = 0
  let uncovered_interventions = 0

  for (;;) {
    const page = await reads.evidence.walk(account_id, { afterSequence: previous?.sequence ?? 0, limit: batch })
    for (const { entry, snapshot } of page) {
      if (concerns(entry.case_id)) {
        checked += 1
        const problems = faultsOf(entry, previous, snapshot)
        for (const problem of problems) report(entry, problem)
        await follow(entry, problems.length === 0 ? snapshot : null)
      }
      previous = entry
    }
    progress?.(checked)
    if (page.length < batch) break
  }
  for (const { entry, by } of unproven.values())
    report(
      entry,
      `the snapshot says that entry ${by.sequence} erased it on ${by.date}, and no such entry stands in the chain`,
    )
  const visited = new Set(await everyId((page) => reads.cases.listVisited(account_id, page)))
  for (const id of await casesToCheck()) {
    const entries = recorded.get(id) ?? []
    const found = await faultsOfCase(reads, fileChecks, { account_id, id, entries, visited: visited.has(id) }).catch(
      (error: unknown) => {
        if (error instanceof SavError) throw error
        // Somebody has left something there that the service never writes.
        return {
          reference: entries.at(-1)?.reference ?? '',
          uncovered: 0,
          uncovered_interventions: 0,
          faults: [`case ${id} cannot be read: ${error}`],
        }
      },
    )
    uncovered += found.uncovered
    uncovered_interventions += found.uncovered_interventions
    for (const problem of found.faults) report({ sequence: entries.at(-1)?.sequence ?? null, ...found }, problem)
  }
  await checkStamps()
  for (const anchor of anchors) {
    if (anchor.account !== account_id) continue
    const entry = await reads.evidence.find(account_id, anchor.sequence)
    const problem = faultOfAnchor(anchor, entry)
    if (problem !== null) report(entry ?? { sequence: anchor.sequence, reference: '' }, problem)
  }
  return { checked, uncovered, uncovered_interventions, broken }

  function report({ sequence, reference }: Omit<BrokenEvidence, 'problem'>, problem: string): void {
    broken.push({ sequence, reference, problem })
  }

  /** Takes note of an entry for its case, and of the erasures that are to prove that a snapshot is gone. */
  async function follow(entry: EvidenceEntry, snapshot: string | null): Promise<void> {
    const { sequence, case_id, reference, date, hash_dossier } = entry
    const note = (about: Pick<RecordedEntry, 'kind' | 'historique' | 'files' | 'told'>) => {
      const entries = recorded.get(case_id) ?? []
      recorded.set(case_id, entries)
      entries.push({ sequence, reference, date, hash_dossier, ...about })
    }
    if (snapshot === null) return note({ kind: 'unreadable', historique: null, files: [], told: false })
    const by = erasureOf(entry, snapshot)
    if (by !== null) {
      unproven.set(sequence, { entry, by })
      return note({ kind: 'erased', historique: null, files: [], told: false })
    }
    const erased = erasedBy(entry, snapshot)
    const { version, historique = null, fichiers = [], societe, ...told } = JSON.parse(snapshot)
    if (erased === null) {
      if (societe.logo !== undefined) for (const problem of await fileChecks.logo(societe.logo)) report(entry, problem)
      const types = new Map<string, string>()
      for (const { sha256, media_type } of fichiers) types.set(sha256, media_type)
      const files = filesNamed(told).map((sha256) => ({ sha256, media_type: types.get(sha256) ?? null }))
      return note({ kind: 'close', historique, files, told: true })
    }
    note({ kind: 'erasure', historique, files: [], told: version >= 2 })
    for (const { sequence, hash_dossier } of erased) {
      const { entry: close, by = null } = unproven.get(sequence) ?? {}
      const isProven =
        close?.hash_dossier === hash_dossier &&
        close.case_id === case_id &&
        by?.sequence === entry.sequence &&
        by.date === entry.date
      if (isProven) unproven.delete(sequence)
      else report(entry, `it erases entry ${sequence}, whose snapshot does not say so`)
    }
  }

  /** Every case that has an entry, is closed, or tells in its history of a close. */
  async function casesToCheck(): Promise<number[]> {
    const closed = async (page: AfterId) => (await reads.cases.listClosed(account_id, page)).map(({ id }) => id)
    const ids = new Set([
      ...recorded.keys(),
      ...(await everyId(closed)),
      ...(await everyId((page) => reads.cases.listEverClosed(account_id, page))),
    ])
    return [...ids].filter(concerns).sort((a, b) => a - b)
  }

  /** A stamp covers every entry up to its own. */
  async function checkStamps(): Promise<void> {
    const first = case_id === undefined ? 0 : recorded.get(case_id)?.[0]?.sequence
    if (first === undefined) return
    for (let afterSequence = Math.max(0, first - 1); ; ) {
      const page = await reads.evidence.stamps(account_id, { afterSequence, limit: batch })
      for (const { sequence, hash_entree, token } of page) {
        afterSequence = sequence
        const entry = await reads.evidence.find(account_id, sequence)
        if (entry === null) {
          const problem = `a time stamp holds entry ${sequence}, which is not in the chain: its end was cut off`
          report({ sequence, reference: '' }, problem)
        } else if (entry.hash_entree !== hash_entree)
          report(entry, 'its time stamp holds another hash_entree: the chain was written anew')
        const problem = (await stampVerifier?.check(token, entry?.hash_entree ?? hash_entree)) ?? null
        if (problem !== null) report(entry ?? { sequence, reference: '' }, `its time stamp does not stand: ${problem}`)
      }
      if (page.length < batch) return
    }
  }
}

interface AfterId {
  readonly afterId: number
  readonly limit: number
}

/** What `list` gives, page by page. */
async function everyId(list: (page: AfterId) => Promise<number[]>): Promise<number[]> {
  const ids: number[] = []
  for (;;) {
    const page = await list({ afterId: ids.at(-1) ?? 0, limit: batch })
    ids.push(...page)
    if (page.length < batch) return ids
  }
}
