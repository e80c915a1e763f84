import * as z from 'zod'
import type { HeldFile } from '../files/file-store.js'
import type { Photo } from '../files/stored-file.js'
import type { Company } from '../letters/letter.js'
import { sha256Of } from '../node-crypto.js'
import { examples, hash, instant, named, reference, type Shape } from '../values/shape.js'
import { canonicalJson, holdsBytes } from './canonical-json.js'
import type { ClosingField, SealedCase, SealedClient } from './closing-fields.js'
import type { HistoryHead } from './history-chain.js'
import type { VisitSeal } from './visit-digests.js'

export const evidenceEntryExample = {
  version: 1,
  account: 'default',
  sequence: 1,
  reference: examples.reference,
  date: examples.instant,
  hash_dossier: examples.hash,
  hash_precedent: '0'.repeat(64),
  hash_entree: examples.hash,
} as const

export const evidenceEntryShape = named(
  'EvidenceEntry',
  () =>
    z.object({
      version: z.literal(1).describe('Number of the format.'),
      account: z.string(),
      sequence: z.int().positive().describe("Place in the account's chain of evidence: 1, 2, 3 … without a gap."),
      reference: reference(),
      date: instant(),
      hash_dossier: hash().describe("SHA-256 of the snapshot's canonical JSON."),
      hash_precedent: hash().describe('`hash_entree` of the entry before; 64 zeros for the first.'),
      hash_entree: hash(),
    }),
  evidenceEntryExample,
)

/**
 * One entry of an account's evidence chain, with its case, which no hash covers. `hash_entree` = SHA-256 of the RFC
 * 8785 canonical JSON of `{version, account, sequence, reference, date, hash_dossier, hash_precedent}`.
 */
export interface EvidenceEntry extends Shape<typeof evidenceEntryShape> {
  readonly case_id: number
}

const beforeTheFirst = '0'.repeat(64)

/** The content of a snapshot. Null fields are absent. */
export interface Snapshot extends SealedCase {
  readonly version: 1
  readonly account: string
  readonly societe: Partial<Omit<Company, 'account'>> & { readonly logo?: string }
  readonly client: SealedClient & { readonly id: number }
  readonly poseur_assigne?: { readonly id: number; readonly nom: string }
  readonly photos: readonly Photo[]
  readonly date_cloture: string
  readonly resolution: string
  readonly photo_avant?: string
  readonly photo_apres?: string
  readonly signature_client?: string
  readonly signataire_nom?: string
  readonly reserves: readonly string[]
  /** When it happened on site, by the phone's clock, for a close that arrived later. */
  readonly survenu_a?: string
  /** How many milliseconds the phone's clock was ahead of the service's. */
  readonly decalage_ms?: number
  /** SHA-256 of the text that the customer read before signing. */
  readonly vu?: string
  /** Closes on site that arrived after the case was closed; absent: none. */
  readonly addenda?: readonly AddendumSeal[]
  /** The head of the case's history, including the close. */
  readonly historique: HistoryHead
  /** Salted digest of the internal notes. */
  readonly notes_internes?: string
  /** The media type of each file that the snapshot names. */
  readonly fichiers: readonly HeldFile[]
  /** The visits until the close. */
  readonly interventions: readonly VisitSeal[]
}

/** The state of a case after an erasure, without personal data. */
export type ErasedCase = {
  readonly [Field in keyof SealedCase]-?: SealedCase[Field] | null
} & {
  readonly client: { readonly id: number }
  readonly poseur_assigne: { readonly id: number } | null
  readonly photos: readonly Photo[]
  readonly notes_internes: string | null
} & { readonly [Field in ClosingField]: Snapshot[Field] | null }

/** A close on site that arrived too late, with the SHA-256 of its files. */
export interface AddendumSeal {
  readonly date: string
  readonly survenu_a: string
  readonly resolution: string
  readonly signataire_nom?: string | null
  readonly reserves: readonly string[]
  readonly fichiers: readonly string[]
}

/** The SHA-256 of each file that a case or its snapshot names. */
export function filesNamed(told: {
  readonly photos?: readonly Photo[] | null
  readonly photo_avant?: string | null | undefined
  readonly photo_apres?: string | null | undefined
  readonly signature_client?: string | null | undefined
  readonly vu?: string | null | undefined
  readonly addenda?: Snapshot['addenda'] | null | undefined
}): string[] {
  const { photos, photo_avant, photo_apres, signature_client, vu, addenda } = told
  const ofPhotos = (photos ?? []).map((photo) => ('sha256' in photo ? photo.sha256 : null))
  const ofAddenda = (addenda ?? []).flatMap(({ fichiers }) => fichiers)
  const named = [...ofPhotos, photo_avant, photo_apres, signature_client, vu, ...ofAddenda]
  return named.filter((sha256) => typeof sha256 === 'string')
}

/** The content of an entry, without its position in the chain. */
interface EntryContent {
  readonly account: string
  readonly case_id: number
  readonly reference: string
  /** The instant of the close, or of the erasure. */
  readonly date: string
  readonly snapshot: string
}

/** The entry that follows `head` in the account's chain (null: the first one). */
export function nextEntry(head: EvidenceEntry | null, recorded: EntryContent): EvidenceEntry {
  const { account, case_id, reference, date, snapshot } = recorded
  const link = {
    version: 1,
    account,
    sequence: (head?.sequence ?? 0) + 1,
    reference,
    date,
    hash_dossier: sha256Of(snapshot),
    hash_precedent: head?.hash_entree ?? beforeTheFirst,
  } as const
  return { ...link, case_id, hash_entree: sha256Of(canonicalJson(link)) }
}

/** A close whose snapshot was erased. Its hash stays in the chain. */
export type ErasedClose = Pick<EvidenceEntry, 'sequence' | 'hash_dossier'>

/**
 * The record of an erasure in the chain, instead of a snapshot: the erased closes of a case, and the remaining data.
 */
export function erasureSnapshot(
  account: string,
  date: string,
  erased: readonly ErasedClose[],
  left: { readonly dossier: ErasedCase; readonly historique: HistoryHead },
): string {
  const { id, reference } = left.dossier
  const efface = erased.map(({ sequence, hash_dossier }) => ({ sequence, hash_dossier }))
  return canonicalJson({ version: 1, type: 'effacement', account, id, reference, date, efface, ...left })
}

/** Replaces an erased snapshot: the instant, and the entry of the erasure. */
export function erasureMarker(date: string, sequence: number): string {
  return canonicalJson({ efface: { date, sequence } })
}

/**
 * The closes that an entry's snapshot lists as erased. Null for the snapshot of a close, and for a snapshot that does
 * not match the entry's hash.
 */
export function erasedBy(entry: Pick<EvidenceEntry, 'hash_dossier'>, snapshot: string): readonly ErasedClose[] | null {
  if (sha256Of(snapshot) !== entry.hash_dossier) return null
  const told = JSON.parse(snapshot)
  return told.type === 'effacement' ? told.efface : null
}

/** An erasure, as the marker of an erased snapshot names it. */
export interface Erasure {
  readonly date: string
  readonly sequence: number
}

/** The erasure that a marker names; null for a snapshot that was not erased. */
export function erasureOf(entry: Pick<EvidenceEntry, 'hash_dossier'>, snapshot: string): Erasure | null {
  const match = /^\{"efface":\{"date":"([^"]+)","sequence":(\d{1,15})\}\}$/.exec(snapshot)
  if (match === null || sha256Of(snapshot) === entry.hash_dossier) return null
  return { date: match[1] ?? '', sequence: Number(match[2]) }
}

/** The faults of an entry, given its predecessor and its snapshot, one sentence each; none when it is valid. */
export function faultsOf(entry: EvidenceEntry, previous: EvidenceEntry | null, snapshot: string | null): string[] {
  const faults = linkFaults(entry, previous)
  if (holdsBytes(entry)) faults.push('the entry has bytes instead of a text')
  if (snapshot === null) faults.push('the snapshot is missing')
  else if (holdsBytes(snapshot)) faults.push('the snapshot is stored as bytes')
  else if (erasureOf(entry, snapshot) !== null) return faults
  else if (entry.hash_dossier !== sha256Of(snapshot)) faults.push('hash_dossier does not match the snapshot')
  else if (JSON.parse(snapshot).id !== entry.case_id) faults.push(`the snapshot is not of case ${entry.case_id}`)
  return faults
}

/** The faults of an entry's position in the chain. Its snapshot is not checked. */
export function linkFaults(entry: EvidenceEntry, previous: EvidenceEntry | null): string[] {
  const { case_id: _, hash_entree, ...link } = entry
  const faults: string[] = []
  if (entry.sequence !== (previous?.sequence ?? 0) + 1)
    faults.push(`sequence ${entry.sequence} follows ${previous?.sequence ?? 0}: entries are missing`)
  if (entry.hash_precedent !== (previous?.hash_entree ?? beforeTheFirst))
    faults.push('hash_precedent is not the hash_entree of the entry before')
  if (hash_entree !== sha256Of(canonicalJson(link))) faults.push('hash_entree does not match the entry')
  return faults
}
