import type { ToldOnSite } from '../evidence/told-on-site.js'
import type { StoredFile } from '../files/stored-file.js'
import type { Company, ReplacedReport } from '../letters/letter.js'
import type { TypeProbleme } from '../values/vocabulary.js'

/** A photo of the report; `file` is null for a link, which is never fetched, and for a file that has gone. */
export interface ReportPhoto {
  readonly sha256: string | null
  readonly url: string | null
  readonly file: StoredFile | null
  /** When it was added, where that was after the case was created. */
  readonly date?: string | undefined
}

/**
 * Everything that a reception report prints: what the evidence snapshots of the close, and of the one that it replaces,
 * say, and the files that they name. Nothing else, so that the report and the evidence can never tell different stories.
 */
export interface ReportContent {
  readonly societe: Company
  readonly logo: StoredFile | null
  readonly reference: string
  readonly date_creation: string
  /** Of its arrival, where it was closed on site and told later. */
  readonly date_cloture: string
  /** Null, or absent: it was not closed from the field. */
  readonly sur_place?: ToldOnSite | null
  readonly remplace: ReplacedReport | null
  readonly client: {
    readonly nom: string
    readonly prenom: string
    /** Null, or absent: a private person. */
    readonly raison_sociale?: string | null
    readonly telephone: string | null
    readonly adresse: string | null
  }
  readonly description: string
  readonly type_probleme: TypeProbleme
  readonly poseur: string | null
  /** Photos of the problem, sent when the case was created or added since. */
  readonly photos: readonly ReportPhoto[]
  readonly photo_avant: ReportPhoto | null
  readonly photo_apres: ReportPhoto | null
  readonly resolution: string
  readonly reserves: readonly string[]
  /** Null: nobody signed, and the report is no reception. */
  readonly signature: StoredFile | null
  readonly signataire_nom: string | null
  readonly preuve: { readonly sequence: number; readonly hash_sha256: string; readonly hash_entree: string }
  /** Where anyone may check the hash, for the QR code; null: none is printed. */
  readonly check_url: string | null
  /** The same page, by an address that may be typed; null with `check_url`. */
  readonly check_address: string | null
}

/** Draws a reception report. */
export interface ReportRenderer {
  /** A PDF of at most 5 MiB. A file that cannot be drawn is named in its place; it never makes the report fail. */
  render(content: ReportContent): Promise<Uint8Array>
  /** Makes a photo small, for lists: at most 40 kB. Null: of this one it cannot. Absent: of none. */
  thumbnail?(file: StoredFile): Promise<StoredFile | null>
}

/** The report of one close, as stored. */
export interface ReportRecord {
  readonly account_id: string
  /** Of the evidence entry of the close. */
  readonly sequence: number
  readonly case_id: number
  readonly reference: string
  /** What its deliveries belong to; null when there was no channel to send it by. */
  readonly event_id: string | null
  readonly statut: ReportStatut
  /** By which channel it was sent, once it was. */
  readonly canal: string | null
  /** SHA-256 of the PDF; null until it is drawn, and after an erasure. */
  readonly pdf: string | null
  /** Since when nothing of it is to be drawn or sent any more. */
  readonly erased_at: string | null
  readonly created_at: string
}

/** `non_configure`: there was no channel; `en_file`: on its way; `envoye`: a channel accepted it; `echec`: none did. */
export const reportStatuts = ['non_configure', 'en_file', 'envoye', 'echec'] as const
/** Whether a report has reached its customer: see `reportStatuts`. */
export type ReportStatut = (typeof reportStatuts)[number]
