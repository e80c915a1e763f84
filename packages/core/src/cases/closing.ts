import type { StoredFile } from '../files/stored-file.js'
import type { CaseClose, ClosedCase, OpenCase } from './case.js'
import type { CaseCloseRequest } from './inputs.js'

/** A decided close: the resulting case, and the new files. */
export interface ClosingDecision {
  readonly closed: ClosedCase
  readonly closing: CaseClose
  readonly files: readonly StoredFile[]
}

/** The data of a close on site, sent later. */
export interface OnSiteClose {
  /** When the close happened, by the phone's corrected clock. */
  readonly survenu_a: string
  /** How far the phone's clock was ahead of the server's, in milliseconds. */
  readonly decalage_ms: number
  /** The text that the customer read before signing. */
  readonly vu: StoredFile | null
}

/** Decides a close at the instant `now`. */
export function decideClose(
  found: OpenCase,
  input: CaseCloseRequest,
  now: string,
  onSite: OnSiteClose | null = null,
): ClosingDecision {
  const { photo_avant, photo_apres, signature_client } = input
  const closing: CaseClose = {
    date_cloture: now,
    resolution: input.resolution,
    photo_avant: photo_avant?.sha256 ?? null,
    photo_apres: photo_apres?.sha256 ?? null,
    signature_client: signature_client?.sha256 ?? null,
    signataire_nom: input.signataire_nom ?? null,
    reserves: input.reserves,
    survenu_a: onSite?.survenu_a ?? null,
    decalage_ms: onSite?.decalage_ms ?? null,
    vu: onSite?.vu?.sha256 ?? null,
  }
  return {
    closed: { ...found, ...closing, statut: 'clos', date_modification: now, version: found.version + 1 },
    closing,
    files: [...filesOf(input), ...(onSite?.vu ? [onSite.vu] : [])],
  }
}

/** The new files of a close. */
export function filesOf({ photo_avant, photo_apres, signature_client }: CaseCloseRequest): StoredFile[] {
  return [photo_avant, photo_apres, signature_client].filter((file) => file !== undefined)
}
