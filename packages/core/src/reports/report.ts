import { UnavailableError } from '../errors.js'
import type { SealedCase, SealedClient } from '../evidence/closing-fields.js'
import type { OnSiteTime } from '../evidence/told-on-site.js'
import type { StoredFile } from '../files/stored-file.js'
import type { Company, ReplacedReport } from '../letters/letter.js'

/** A photo of the report; `file` is null for a link, which is never fetched, and for a missing file. */
export interface ReportPhoto {
  readonly sha256: string | null
  readonly url: string | null
  readonly file: StoredFile | null
  /** When the photo was added; absent if it came with the new case. */
  readonly date?: string | undefined
}

/** Optional fields, which may also be null. */
type OrNull<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] | (undefined extends Fields[Name] ? null : never)
}

/**
 * Everything that a reception report prints: the evidence snapshots of the close and of the one that it replaces, with
 * their files. Nothing else is included, so report and evidence can never differ.
 */
export interface ReportContent extends OrNull<Omit<SealedCase, 'id' | 'priorite' | 'statut'>> {
  readonly societe: Company
  readonly logo: StoredFile | null
  /** When the close arrived, even if it was made on site and sent later. */
  readonly date_cloture: string
  /** Null, or absent: it was not closed on site. */
  readonly sur_place?: OnSiteTime | null
  readonly remplace: ReplacedReport | null
  readonly client: OrNull<SealedClient>
  readonly poseur: string | null
  /** Photos of the problem, sent when the case was created or later. */
  readonly photos: readonly ReportPhoto[]
  readonly photo_avant: ReportPhoto | null
  readonly photo_apres: ReportPhoto | null
  readonly resolution: string
  readonly reserves: readonly string[]
  /** Null: there is no signature, and the report is not a reception. */
  readonly signature: StoredFile | null
  readonly signataire_nom: string | null
  readonly preuve: { readonly sequence: number; readonly hash_sha256: string; readonly hash_entree: string }
  /** The page where anyone may check the hash, for the QR code; null: none is printed. */
  readonly check_url: string | null
  /** A short address of that page, for typing; null with `check_url`. */
  readonly check_address: string | null
}

/** Draws a reception report. After `close`, as while a service ends, it rejects with an error named `AbortError`. */
export interface ReportRenderer {
  /** Draws a PDF of at most 5 MiB. A file that cannot be drawn is listed instead, and does not make the report fail. */
  render(content: ReportContent): Promise<Uint8Array>
  /** Makes a thumbnail for lists, at most 40 kB. Null: this photo cannot be drawn. Absent: the renderer makes none. */
  thumbnail?(file: StoredFile): Promise<StoredFile | null>
}

/** The result of a drawing, for a waiting caller. @throws UnavailableError instead of the renderer's AbortError */
export const drawnForCaller = <T>(drawing: Promise<T>): Promise<T> =>
  drawing.catch((error: unknown) => {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error
    throw new UnavailableError('The service is ending.', { cause: error, retryAfterSeconds: 1 })
  })

/** The report of one close, as stored. */
export interface ReportRecord {
  readonly account_id: string
  /** The sequence of the close's evidence entry. */
  readonly sequence: number
  readonly case_id: number
  readonly reference: string
  /** The event of its deliveries; null if there was no channel. */
  readonly event_id: string | null
  readonly statut: ReportStatut
  /** The channel that delivered the report; null until then. */
  readonly canal: string | null
  /** SHA-256 of the PDF; null until it is drawn, and after an erasure. */
  readonly pdf: string | null
  /** When it was erased: it is no longer drawn or sent. */
  readonly erased_at: string | null
  readonly created_at: string
}

/** `non_configure`: there was no channel; `en_file`: being sent; `envoye`: a channel accepted it; `echec`: none did. */
export const reportStatuts = ['non_configure', 'en_file', 'envoye', 'echec'] as const
/** Whether a report has reached its customer: see `reportStatuts`. */
export type ReportStatut = (typeof reportStatuts)[number]
