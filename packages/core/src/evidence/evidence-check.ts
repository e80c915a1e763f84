import { hash } from 'node:crypto'
import type { Reads } from '../storage.js'
import { type Erasure, type EvidenceEntry, erasedBy, erasureOf, faultsOf, type Snapshot } from './evidence.js'

export interface BrokenEvidence {
  readonly sequence: number | null
  readonly reference: string
  readonly problem: string
}

export interface EvidenceReport {
  /** Chain entries checked. */
  readonly checked: number
  readonly broken: readonly BrokenEvidence[]
}

const batch = 200

/**
 * Recomputes the account's whole chain from its first entry, and compares it with the cases: every closed case must
 * have an entry that tells what the case tells, so that a chain cut off at its end is found as well.
 * @param case_id report on this case only; the chain is walked all the same
 * @param progress called after each batch with the number of entries checked so far
 */
export async function checkEvidence(
  reads: Reads,
  account_id: string,
  { case_id, progress }: { readonly case_id?: number; readonly progress?: (checked: number) => void } = {},
): Promise<EvidenceReport> {
  const broken: BrokenEvidence[] = []
  /** By case: its newest close. */
  const latest = new Map<number, Pick<EvidenceEntry, 'sequence' | 'hash_dossier'>>()
  /** By sequence: closes whose snapshot says that it was erased, until the erasure is met that it names. */
  const unproven = new Map<number, { readonly entry: EvidenceEntry; readonly by: Erasure }>()
  const concerns = (id: number) => case_id === undefined || case_id === id
  let previous: EvidenceEntry | null = null
  let checked = 0

  for (;;) {
    const page = await reads.evidence.walk(account_id, { afterSequence: previous?.sequence ?? 0, limit: batch })
    for (const { entry, snapshot } of page) {
      if (concerns(entry.case_id)) {
        checked += 1
        const problems = [...faultsOf(entry, previous, snapshot), ...(await fileFaults(reads, entry, snapshot))]
        for (const problem of problems) broken.push({ sequence: entry.sequence, reference: entry.reference, problem })
        if (problems.length === 0 && snapshot !== null) follow(entry, snapshot)
        else latest.set(entry.case_id, entry)
      }
      previous = entry
    }
    progress?.(checked)
    if (page.length < batch) break
  }
  for (const { entry, by } of unproven.values()) {
    const problem = `the snapshot says that entry ${by.sequence} erased it on ${by.date}, and no such entry stands in the chain`
    broken.push({ sequence: entry.sequence, reference: entry.reference, problem })
  }
  await compareWithCases()
  return { checked, broken }

  /** Takes note of a close, of one whose snapshot is gone, and of the erasure that is to prove it. */
  function follow(entry: EvidenceEntry, snapshot: string): void {
    const by = erasureOf(entry, snapshot)
    const erased = by === null ? erasedBy(snapshot) : null
    if (erased === null) latest.set(entry.case_id, entry)
    if (by !== null) unproven.set(entry.sequence, { entry, by })
    for (const { sequence, hash_dossier } of erased ?? []) {
      const { entry: close, by = null } = unproven.get(sequence) ?? {}
      const isProven = close?.hash_dossier === hash_dossier && by?.sequence === entry.sequence && by.date === entry.date
      if (isProven) unproven.delete(sequence)
      else {
        const problem = `it erases entry ${sequence}, whose snapshot does not say so`
        broken.push({ sequence: entry.sequence, reference: entry.reference, problem })
      }
    }
  }

  async function compareWithCases(): Promise<void> {
    let afterId = 0
    for (;;) {
      const page = await reads.cases.listClosed(account_id, { afterId, limit: batch })
      for (const { id, reference } of page) {
        afterId = id
        if (!concerns(id)) continue
        const held = latest.get(id)
        const problem =
          held === undefined
            ? 'the case is closed, but the chain has no entry for it'
            : differenceOf(
                await reads.cases.find(account_id, id),
                await reads.evidence.snapshot(account_id, held.hash_dossier),
                held.hash_dossier,
              )
        if (problem !== null) broken.push({ sequence: held?.sequence ?? null, reference, problem })
      }
      if (page.length < batch) return
    }
  }
}

/** Every file that the snapshot names is still there, byte for byte. */
async function fileFaults(reads: Reads, entry: EvidenceEntry, snapshot: string | null): Promise<string[]> {
  if (snapshot === null || hash('sha256', snapshot) !== entry.hash_dossier) return []
  const { photos = [], photo_avant, photo_apres, signature_client } = JSON.parse(snapshot)
  const named: unknown[] = [photo_avant, photo_apres, signature_client]
  for (const { sha256 } of photos) named.push(sha256)

  const faults: string[] = []
  for (const sha256 of named) {
    if (typeof sha256 !== 'string') continue
    const file = await reads.files.find(entry.account, entry.case_id, sha256)
    if (file === null) faults.push(`file ${sha256} is missing`)
    else if (hash('sha256', file.content) !== sha256) faults.push(`file ${sha256} has other bytes than its hash says`)
  }
  return faults
}

/** How a closed case differs from what its snapshot says of it; names of people may change afterwards. */
function differenceOf(
  found: Awaited<ReturnType<Reads['cases']['find']>>,
  snapshot: string | null,
  hash_dossier: string,
): string | null {
  if (found?.statut !== 'clos' || snapshot === null || hash('sha256', snapshot) !== hash_dossier) return null
  const told: Told = JSON.parse(snapshot)
  const then = comparable(told)
  const changed = Object.entries(comparable(found))
    .filter(([field, value]) => JSON.stringify(then[field] ?? null) !== JSON.stringify(value))
    .map(([field]) => field)
  return changed.length === 0 ? null : `the case differs from its snapshot: ${changed.join(', ')}`
}

/** What a closed case and its snapshot both tell; the one has null where the other has nothing. */
type Told = { readonly [Field in keyof Omit<Snapshot, 'account' | 'societe'>]?: Snapshot[Field] | null }

function comparable(told: Told): Record<string, unknown> {
  return {
    id: told.id,
    reference: told.reference,
    client: told.client?.id,
    description: told.description,
    type_probleme: told.type_probleme,
    priorite: told.priorite,
    date_creation: told.date_creation,
    poseur_assigne: told.poseur_assigne?.id ?? null,
    photos: told.photos,
    date_cloture: told.date_cloture,
    resolution: told.resolution,
    photo_avant: told.photo_avant,
    photo_apres: told.photo_apres,
    signature_client: told.signature_client,
    signataire_nom: told.signataire_nom,
    reserves: told.reserves,
  }
}
