import type { InterventionBody, Moment, Piece, Resultat } from '../api.js'

/** A photo of a draft, already stored on the phone. */
export interface DraftPhoto {
  /** The id of the row of the photo on this phone, which stays the same when the photo is reduced. */
  readonly id: string
  readonly moment: Moment
}

/** A photo of a draft on this phone: the original of the camera (`raw`), or the reduced photo (`ready`). */
export interface PhotoRow {
  readonly id: string
  readonly rdv_id: number
  readonly moment: Moment
  readonly state: 'raw' | 'ready'
  readonly type: string
  /** The hash of the file to send; null while the photo is raw. */
  readonly sha256: string | null
  readonly size: number
}

/** An unfinished report on a visit. */
export interface Draft {
  readonly resultat: Resultat | null
  readonly texte: string
  readonly pieces: readonly Piece[]
  readonly reserves: string
  readonly photos: readonly DraftPhoto[]
  readonly prochain: { readonly jeton: string; readonly debut: string } | { readonly souhait: string } | null
  readonly signataire: string
  /** A part that is typed but not added yet. */
  readonly piece?: string | undefined
  /** A comment that is not sent yet. */
  readonly commentaire?: string | undefined
  /** A text about an absence that is not sent yet. */
  readonly absence?: string | undefined
}

export const emptyDraft: Draft = {
  resultat: null,
  texte: '',
  pieces: [],
  reserves: '',
  photos: [],
  prochain: null,
  signataire: '',
}

/** The service's limit for the parts of a report. */
const maxPieces = 50

/** Adds the typed part to the others. */
export function withTypedPart(draft: Draft): Draft {
  const designation = draft.piece?.trim() ?? ''
  if (designation === '' || draft.pieces.length >= maxPieces) return draft
  return { ...draft, piece: undefined, pieces: [...draft.pieces, { designation, quantite: 1 }] }
}

/** Adds a photo, once. */
export function withPhoto(draft: Draft, { id, moment }: DraftPhoto): Draft {
  const isThere = draft.photos.some((photo) => photo.id === id)
  return isThere ? draft : { ...draft, photos: [...draft.photos, { id, moment }] }
}

export const isBegun = (draft: Draft): boolean => JSON.stringify(draft) !== JSON.stringify(emptyDraft)

/** What a draft lacks before it can be sent. The app has a sentence for each. */
export type MissingPart = 'resultat' | 'texte' | 'resolution' | 'signataire'

/** The minimum length that the service requires of a resolution, and of a report. */
const minResolution = 10

/** @param closes whether the report closes the case */
export function lackingOf({ resultat, texte }: Draft, closes: boolean): MissingPart | null {
  if (resultat === null) return 'resultat'
  if (closes && texte.trim().length < minResolution) return 'resolution'
  return texte.trim() === '' ? 'texte' : null
}

/** Whether a visit with this result may close its case. */
export const mayClose = ({ resultat }: Draft, hasCase: boolean): boolean => hasCase && resultat === 'resolu'

export const reservesOf = ({ reserves }: Pick<Draft, 'reserves'>): string[] =>
  reserves
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

interface DraftSignature {
  /** SHA-256 of the picture of the signature; null: there is none. */
  readonly signature: string | null
  /** The text shown to the signer. */
  readonly vu: string
}

/**
 * The content of a draft, as it is sent.
 * @param photos the photos that the draft has now
 * @param signed null: the case stays open
 */
export function interventionOf(
  draft: Draft & { readonly resultat: Resultat },
  photos: InterventionBody['photos'],
  signed: DraftSignature | null,
): InterventionBody {
  const texte = draft.texte.trim()
  const reserves = reservesOf(draft)
  const { prochain } = draft
  return {
    resultat: draft.resultat,
    compte_rendu: texte,
    ...(draft.pieces.length > 0 && { pieces: draft.pieces }),
    photos,
    ...(prochain !== null && {
      prochain: 'jeton' in prochain ? { jeton: prochain.jeton } : { souhait: prochain.souhait },
    }),
    ...(signed !== null && {
      cloture: {
        resolution: texte,
        ...(reserves.length > 0 && { reserves }),
        ...(signed.signature !== null && {
          signature: signed.signature,
          signataire_nom: draft.signataire.trim(),
          vu: signed.vu,
        }),
      },
    }),
  }
}
