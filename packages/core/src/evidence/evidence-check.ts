import { SavError } from '../errors.js'
import type { Reads } from '../storage.js'
import type { Random } from '../values/random.js'
import { type Anchor, faultOfAnchor } from './anchor.js'
import { type CaseFaults, faultsOfCase, type RecordedEntry } from './case-check.js'
import { checkErased } from './erased-check.js'
import { type Erasure, type EvidenceEntry, erasedBy, erasureOf, faultsOf, filesNamed } from './evidence.js'
import type { BrokenEvidence, EvidenceReport } from './evidence-report.js'
import { type FileCheckScope, fileChecker } from './file-check.js'
import { type ImportedClose, importedBy, importReference } from './imported.js'
import type { StampVerifier } from './timestamper.js'

/** The scope of `evidence.verify`; by default the whole chain and every file. */
export interface EvidenceCheckOptions {
  /** Reports on this case only. The whole chain is still checked. */
  readonly case_id?: number
  /** Which files are read and hashed. The existence of all files is checked. Default: `all`. */
  readonly files?: FileCheckScope
  /** Ends of chains that an outside party has kept. Those of other accounts are ignored. */
  readonly anchors?: readonly Anchor[]
  /** Called after each batch with the number of entries checked so far. */
  readonly progress?: (checked: number) => void
}

export interface EvidenceCheckDeps {
  readonly reads: Reads
  readonly random: Random
  /** Verifies the signatures of stamps. Null: each stamp is only compared with its entry. */
  readonly stampVerifier: StampVerifier | null
}

const batch = 200

/**
 * Recomputes the account's whole chain. Compares each entry with its case, and each case that was ever closed with its
 * entries, history, files and reports. Then checks the time stamps and the outside anchors. `checkErased` checks what
 * remains of an erased account.
 */
export const checkEvidence = async (
  deps: EvidenceCheckDeps,
  account_id: string,
  options: EvidenceCheckOptions = {},
): Promise<EvidenceReport> =>
  (await checkErased(deps.reads, account_id, options.anchors ?? [])) ?? new ChainCheck(deps, account_id, options).run()

class ChainCheck {
  readonly #reads: Reads
  readonly #stampVerifier: StampVerifier | null
  readonly #account_id: string
  readonly #options: EvidenceCheckOptions
  readonly #fileChecks: ReturnType<typeof fileChecker>
  readonly #broken: BrokenEvidence[] = []
  /** The entries of each case, oldest first. */
  readonly #recorded = new Map<number, RecordedEntry[]>()
  /** The state of each case that was imported closed, and its entry. */
  readonly #imported = new Map<number, ImportedClose & { readonly sequence: number }>()
  /**
   * Closes whose snapshot is marked as erased, by sequence. A close is removed from here when the erasure that its
   * marker names is found.
   */
  readonly #unproven = new Map<number, { readonly entry: EvidenceEntry; readonly by: Erasure }>()
  /** The last entry read so far, of any case. */
  #last: EvidenceEntry | null = null
  /** The number of entries read so far. */
  #checked = 0

  constructor({ reads, random, stampVerifier }: EvidenceCheckDeps, account_id: string, options: EvidenceCheckOptions) {
    this.#reads = reads
    this.#stampVerifier = stampVerifier
    this.#account_id = account_id
    this.#options = options
    this.#fileChecks = fileChecker({ reads, random, account_id, files: options.files ?? 'all' })
  }

  async run(): Promise<EvidenceReport> {
    await this.#walkOn()
    await this.#checkCases()
    for (const { entry, by } of this.#unproven.values())
      this.#report(
        entry,
        `the snapshot says that entry ${by.sequence} erased it on ${by.date}, but the chain has no such entry`,
      )
    await this.#checkStamps()
    await this.#checkAnchors()
    return { checked: this.#checked, broken: this.#broken }
  }

  /** Checks the entries after the last one read. */
  async #walkOn(): Promise<void> {
    for (;;) {
      const afterSequence = this.#last?.sequence ?? 0
      const page = await this.#reads.evidence.walk(this.#account_id, { afterSequence, limit: batch })
      for (const { entry, snapshot } of page) {
        if (this.#concerns(entry.case_id) || entry.reference === importReference) {
          this.#checked += 1
          const problems = faultsOf(entry, this.#last, snapshot)
          for (const problem of problems) this.#report(entry, problem)
          await this.#follow(entry, problems.length === 0 ? snapshot : null)
        }
        this.#last = entry
      }
      this.#options.progress?.(this.#checked)
      if (page.length < batch) return
    }
  }

  async #checkCases(): Promise<void> {
    const [reads, account_id] = [this.#reads, this.#account_id]
    const visited = new Set(await everyId((page) => reads.cases.listVisited(account_id, page)))
    for (const id of await this.#casesToCheck()) {
      const found = await this.#settledFaults(id, visited.has(id)).catch((error: unknown) => {
        if (error instanceof SavError) throw error
        // A row that cannot be read is a fault of its case, because the service never writes such rows.
        const reference = this.#entriesOf(id).at(-1)?.reference ?? ''
        return { reference, faults: [`case ${id} cannot be read: ${error}`] }
      })
      for (const problem of found.faults)
        this.#report({ sequence: this.#entriesOf(id).at(-1)?.sequence ?? null, ...found }, problem)
    }
  }

  /**
   * Checks a faulty case again while it is being changed: data read before a write does not match data read after it.
   */
  async #settledFaults(id: number, visited: boolean): Promise<CaseFaults> {
    const [reads, account_id] = [this.#reads, this.#account_id]
    let seen: string | null = null
    for (;;) {
      const [entries, imported = null] = [this.#entriesOf(id), this.#imported.get(id)]
      const found = await faultsOfCase(reads, this.#fileChecks, { account_id, id, entries, imported, visited })
      if (found.faults.length === 0) return found
      const now = JSON.stringify([await reads.cases.find(account_id, id), await reads.reports.ofCase(account_id, id)])
      if (now === seen) return found
      seen = now
      // A write that closes or erases the case also adds to the chain.
      await this.#walkOn()
    }
  }

  async #checkAnchors(): Promise<void> {
    for (const anchor of this.#options.anchors ?? []) {
      if (anchor.account !== this.#account_id) continue
      const entry = await this.#reads.evidence.find(this.#account_id, anchor.sequence)
      const problem = faultOfAnchor(anchor, entry)
      if (problem !== null) this.#report(entry ?? { sequence: anchor.sequence, reference: '' }, problem)
    }
  }

  #entriesOf(id: number): readonly RecordedEntry[] {
    return this.#recorded.get(id) ?? []
  }

  #concerns(id: number): boolean {
    return this.#options.case_id === undefined || this.#options.case_id === id
  }

  #report({ sequence, reference }: Omit<BrokenEvidence, 'problem'>, problem: string): void {
    this.#broken.push({ sequence, reference, problem })
  }

  /** Records an entry for its case. For an erased snapshot, also records which erasure must prove it. */
  async #follow(entry: EvidenceEntry, snapshot: string | null): Promise<void> {
    const { sequence, case_id, reference, date, hash_dossier } = entry
    const note = (about: Pick<RecordedEntry, 'kind' | 'historique' | 'files'>) => {
      const entries = this.#recorded.get(case_id) ?? []
      this.#recorded.set(case_id, entries)
      entries.push({ sequence, reference, date, hash_dossier, ...about })
    }
    if (reference === importReference) {
      const brought = snapshot === null ? null : importedBy(entry, snapshot)
      if (brought === null) this.#report(entry, 'the snapshot of an import is missing')
      for (const dossier of brought ?? []) {
        const earlier = this.#imported.get(dossier.id)
        if (earlier === undefined) this.#imported.set(dossier.id, { ...dossier, sequence })
        else this.#report(entry, `it imports case ${dossier.id}, which entry ${earlier.sequence} has imported already`)
      }
      return
    }
    if (snapshot === null) return note({ kind: 'unreadable', historique: null, files: [] })
    const by = erasureOf(entry, snapshot)
    if (by !== null) {
      this.#unproven.set(sequence, { entry, by })
      return note({ kind: 'erased', historique: null, files: [] })
    }
    const erased = erasedBy(entry, snapshot)
    const { historique, fichiers = [], societe, ...told } = JSON.parse(snapshot)
    if (erased === null) {
      if (societe.logo !== undefined)
        for (const problem of await this.#fileChecks.logo(societe.logo)) this.#report(entry, problem)
      const types = new Map<string, string>()
      for (const { sha256, media_type } of fichiers) types.set(sha256, media_type)
      const files = filesNamed(told).map((sha256) => ({ sha256, media_type: types.get(sha256) ?? null }))
      return note({ kind: 'close', historique, files })
    }
    note({ kind: 'erasure', historique, files: [] })
    for (const { sequence, hash_dossier } of erased) {
      const { entry: close, by = null } =
        this.#unproven.get(sequence) ?? (await this.#erasedSince(case_id, sequence)) ?? {}
      const isProven =
        close?.hash_dossier === hash_dossier &&
        close.case_id === case_id &&
        by?.sequence === entry.sequence &&
        by.date === entry.date
      if (isProven) this.#unproven.delete(sequence)
      else this.#report(entry, `it erases entry ${sequence}, but the snapshot of that entry does not say so`)
    }
  }

  /** Corrects the record of a close that was erased after its entry was read. */
  async #erasedSince(case_id: number, sequence: number) {
    const recorded = this.#recorded.get(case_id) ?? []
    const at = recorded.findIndex((entry) => entry.sequence === sequence && entry.kind === 'close')
    const close = recorded[at]
    if (close === undefined) return null
    const [read] = await this.#reads.evidence.walk(this.#account_id, { afterSequence: sequence - 1, limit: 1 })
    const by = read?.snapshot ? erasureOf(read.entry, read.snapshot) : null
    if (read === undefined || by === null) return null
    recorded[at] = { ...close, kind: 'erased', historique: null, files: [] }
    return { entry: read.entry, by }
  }

  /** Every case that has an entry, is closed, or has a close in its history. */
  async #casesToCheck(): Promise<number[]> {
    const closed = async (page: AfterId) =>
      (await this.#reads.cases.listClosed(this.#account_id, page)).map(({ id }) => id)
    const ids = new Set([
      ...this.#recorded.keys(),
      ...this.#imported.keys(),
      ...(await everyId(closed)),
      ...(await everyId((page) => this.#reads.cases.listEverClosed(this.#account_id, page))),
    ])
    return [...ids].filter((id) => this.#concerns(id)).sort((a, b) => a - b)
  }

  /** A stamp covers every entry up to its own. */
  async #checkStamps(): Promise<void> {
    const { case_id } = this.#options
    const first =
      case_id === undefined ? 0 : (this.#imported.get(case_id) ?? this.#recorded.get(case_id)?.[0])?.sequence
    if (first === undefined) return
    for (let afterSequence = Math.max(0, first - 1); ; ) {
      const page = await this.#reads.evidence.stamps(this.#account_id, { afterSequence, limit: batch })
      for (const { sequence, hash_entree, token } of page) {
        afterSequence = sequence
        const entry = await this.#reads.evidence.find(this.#account_id, sequence)
        if (entry === null) {
          const problem = `a time stamp holds entry ${sequence}, which is not in the chain: the chain was cut off`
          this.#report({ sequence, reference: '' }, problem)
        } else if (entry.hash_entree !== hash_entree)
          this.#report(entry, 'its time stamp holds another hash_entree: the chain was rewritten')
        const problem = (await this.#stampVerifier?.check(token, entry?.hash_entree ?? hash_entree)) ?? null
        if (problem !== null)
          this.#report(entry ?? { sequence, reference: '' }, `its time stamp is not valid: ${problem}`)
      }
      if (page.length < batch) return
    }
  }
}

interface AfterId {
  readonly afterId: number
  readonly limit: number
}

/** All ids of `list`, page by page. */
async function everyId(list: (page: AfterId) => Promise<number[]>): Promise<number[]> {
  const ids: number[] = []
  for (;;) {
    const page = await list({ afterId: ids.at(-1) ?? 0, limit: batch })
    ids.push(...page)
    if (page.length < batch) return ids
  }
}
