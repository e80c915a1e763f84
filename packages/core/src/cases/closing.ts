import type { StoredFile } from '../files/stored-file.js'
import type { ClosedCase, Closing, OpenCase } from './case.js'
import type { CaseClosing } from './inputs.js'

/** A close decided: the case as it will be, and the files that it brings. */
export interface ClosingDecision {
  readonly closed: ClosedCase
  readonly closing: Closing
  readonly files: readonly StoredFile[]
}

/** `now` is the instant of the close. */
export function decideClose(found: OpenCase, input: CaseClosing, now: string): ClosingDecision {
  const { photo_avant, photo_apres, signature_client } = input
  const closing: Closing = {
    date_cloture: now,
    resolution: input.resolution,
    photo_avant: photo_avant?.sha256 ?? null,
    photo_apres: photo_apres?.sha256 ?? null,
    signature_client: signature_client?.sha256 ?? null,
    signataire_nom: input.signataire_nom ?? null,
    reserves: input.reserves,
    survenu_a: null,
    vu: null,
  }
  return {
    closed: { ...found, ...closing, statut: 'clos', date_modification: now, version: found.version + 1 },
    closing,
    files: filesOf(input),
  }
}

/** The files that a close brings. */
export function filesOf({ photo_avant, photo_apres, signature_client }: CaseClosing): StoredFile[] {
  return [photo_avant, photo_apres, signature_client].filter((file) => file !== undefined)
}
