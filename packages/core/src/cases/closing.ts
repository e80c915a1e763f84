import type { StoredFile } from '../files/stored-file.js'
import type { ClosedCase, Closing, OpenCase } from './case.js'
import type { CaseClosing } from './inputs.js'

/** A close decided: the case as it will be, and the files that it brings. */
export interface ClosingDecision {
  readonly closed: ClosedCase
  readonly closing: Closing
  readonly files: readonly StoredFile[]
}

/** How an installer closes a case on site, where the close is sent later. */
export interface ClosedOnSite {
  /** When it happened, by the phone's clock as far as it could be corrected. */
  readonly survenu_a: string
  /** By how much that clock was ahead of ours. */
  readonly decalage_ms: number
  /** The text that the customer was shown before signing. */
  readonly vu: StoredFile | null
}

/** `now` is the instant of the close. */
export function decideClose(
  found: OpenCase,
  input: CaseClosing,
  now: string,
  onSite: ClosedOnSite | null = null,
): ClosingDecision {
  const { photo_avant, photo_apres, signature_client } = input
  const closing: Closing = {
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

/** The files that a close brings. */
export function filesOf({ photo_avant, photo_apres, signature_client }: CaseClosing): StoredFile[] {
  return [photo_avant, photo_apres, signature_client].filter((file) => file !== undefined)
}
