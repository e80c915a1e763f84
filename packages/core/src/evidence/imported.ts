import type { Photo } from '../files/stored-file.js'
import { sha256Of } from '../node-crypto.js'
import { picked } from '../values/picked.js'
import { canonicalJson } from './canonical-json.js'
import { closingFields } from './closing-fields.js'
import type { EvidenceEntry } from './evidence.js'
import { type HistoryHead, type HistoryLink, saltedDigest } from './history-chain.js'

/**
 * Cases that were closed in another system have no entry of their own. Each transaction of an import that brings such
 * cases appends one entry, which lists them with their digests.
 */

/** The reference in an import's entry, which covers many cases. */
export const importReference = 'IMPORT'

/** A closed case, as it was imported. */
export interface ImportedClose {
  readonly id: number
  readonly reference: string
  /** The head of its history at that time. */
  readonly historique: HistoryHead
  /** See `digestOfImported`. */
  readonly empreinte: string
  /** See `digestOfClosing`. */
  readonly cloture: string
  /** SHA-256 of each file of its close. */
  readonly fichiers: readonly string[]
}

/** The text that an import's entry hashes. It has no personal data, so it stays when a client is erased. */
export const importSnapshot = (account: string, date: string, dossiers: readonly ImportedClose[]): string =>
  canonicalJson({
    version: 1,
    type: 'import',
    account,
    id: dossiers[0]?.id,
    date,
    dossiers: dossiers.map((dossier) => ({ ...dossier })),
  })

/** The closed cases that an import's snapshot lists; null for a snapshot of another kind. */
export function importedBy(
  { hash_dossier, reference }: Pick<EvidenceEntry, 'hash_dossier' | 'reference'>,
  snapshot: string,
): readonly ImportedClose[] | null {
  if (reference !== importReference || sha256Of(snapshot) !== hash_dossier) return null
  const told = JSON.parse(snapshot)
  return told.type === 'import' ? told.dossiers : null
}

/** The fields that the digest contains unchanged. The form of the digest is frozen, like that of a snapshot. */
const digestedFields = [
  'id',
  'client_id',
  'type_probleme',
  'priorite',
  'poseur_id',
  'date_creation',
  'date_cloture',
] as const

/** The data of a case that a digest covers. */
export interface DigestedCase extends Pick<StoredCase, 'id' | 'type_probleme' | 'priorite' | 'date_creation'> {
  readonly client_id: number
  readonly poseur_id: number | null
  readonly date_cloture: string
  readonly description: string
  readonly resolution: string
  readonly notes_internes: string | null
  readonly photos: readonly Photo[]
}

/**
 * SHA-256 of the canonical JSON of a case as it was imported. Texts are included as digests, salted by its closing
 * line.
 */
export function digestOfImported(digested: DigestedCase, sel: string): string {
  const { description, resolution, notes_internes, photos } = digested
  const told = photos.map((photo) => canonicalJson({ ...photo }))
  const textes = saltedDigest(sel, JSON.stringify([description, resolution, notes_internes, told]))
  return sha256Of(canonicalJson({ ...picked(digested, digestedFields), textes }))
}

/** SHA-256 of the fields of a close, with the salt of its line. */
export const digestOfClosing = (closing: object, sel: string): string => {
  const fields: Readonly<Record<string, unknown>> = { ...closing }
  return saltedDigest(sel, JSON.stringify(closingFields.map((field) => fields[field] ?? null)))
}

/** An imported case, as it is now. */
interface StoredCase {
  readonly id: number
  readonly reference: string
  readonly statut: string
  readonly client: { readonly id: number }
  readonly poseur_assigne: { readonly id: number } | null
  readonly type_probleme: string
  readonly priorite: string
  readonly date_creation: string
  readonly description: string
  readonly notes_internes: string | null
  readonly photos: readonly Photo[]
}

/** An imported case as it was at its import, computed from its current state and its later history. */
interface Original {
  readonly digested: DigestedCase
  readonly close: HistoryLink
  /** The history since the import. */
  readonly since: readonly HistoryLink[]
}

/** The case as it was at its import; null if the history does not match the entry. */
export function originalOf(
  found: StoredCase,
  lines: readonly HistoryLink[],
  { historique }: Pick<ImportedClose, 'historique'>,
): Original | null {
  const last = lines.findIndex(({ numero }) => numero === historique.numero)
  const close = closeOfImport(lines, { historique })
  if (lines[last]?.hash !== historique.hash || close === undefined || close.commentaire === null) return null
  const since = lines.slice(last + 1)
  const before = <T>(champ: string, now: T) => {
    const changed = since.find((line) => line.champ === champ)
    return (changed === undefined ? now : changed.ancienne_valeur) as T
  }
  const digested: DigestedCase = {
    id: found.id,
    client_id: found.client.id,
    type_probleme: before('type_probleme', found.type_probleme),
    priorite: before('priorite', found.priorite),
    poseur_id: Number(before('poseur_id', found.poseur_assigne?.id ?? null)) || null,
    date_creation: found.date_creation,
    date_cloture: close.date,
    description: found.description,
    resolution: close.commentaire,
    notes_internes: before('notes_internes', found.notes_internes),
    photos: found.photos.filter((photo) => !('date' in photo)),
  }
  return { digested, close, since }
}

/** How a case differs from its import's entry in what no erasure changes: its reference and its history line. */
export function faultsOfPlace(
  found: Pick<StoredCase, 'reference'>,
  lines: readonly HistoryLink[],
  { reference, historique }: Pick<ImportedClose, 'reference' | 'historique'>,
): string[] {
  if (reference !== found.reference) return ['its reference differs from the one in the entry of its import']
  const line = lines.find(({ numero }) => numero === historique.numero)
  if (line?.hash === historique.hash) return []
  return [`line ${historique.numero} of the history differs from the one in the entry of its import`]
}

/** How a case differs from what its import recorded. */
export function faultsOfImported(found: StoredCase, lines: readonly HistoryLink[], imported: ImportedClose): string[] {
  const { historique, empreinte, cloture } = imported
  const misplaced = faultsOfPlace(found, lines, imported)
  if (misplaced.length > 0) return misplaced
  const original = originalOf(found, lines, imported)
  const sel = original?.close.sel ?? null
  if (original === null || sel === null)
    return [`line ${historique.numero} of the history differs from the one in the entry of its import`]
  const { digested, since } = original
  const faults: string[] = []
  if (digestOfImported(digested, sel) !== empreinte) faults.push('the case differs from what its import recorded')
  const stands = found.statut === 'clos' && digestOfClosing(found, sel) === cloture
  if (!stands && !since.some(({ type }) => type === 'reouverture'))
    faults.push('its close differs from what its import recorded')
  return faults
}

/** The closing line that an import brought. */
export const closeOfImport = (
  lines: readonly HistoryLink[],
  { historique }: Pick<ImportedClose, 'historique'>,
): HistoryLink | undefined => lines.findLast(({ type, numero }) => type === 'cloture' && numero <= historique.numero)
