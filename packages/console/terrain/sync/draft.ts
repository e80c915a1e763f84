import type { InterventionBody, Moment, Piece, Resultat } from '../api.js'

/** A photo of a draft, kept on the phone already. */
export interface DraftPhoto {
  /** The id of its row on this phone. It stays when the photo is made smaller. */
  readonly id: string
  readonly moment: Moment
}

/** A photo that a draft has: on this phone, as the camera gave it (`raw`), or made smaller. */
export interface PhotoRow {
  readonly id: string
  readonly rdv_id: number
  readonly moment: Moment
  readonly state: 'raw' | 'ready'
  readonly type: string
  /** Of what is sent; null while it is raw. */
  readonly sha256: string | null
  readonly size: number
}

/** The beginning of a report on a visit. */
export interface Draft {
  readonly resultat: Resultat | null
  readonly texte: string
  readonly pieces: readonly Piece[]
  readonly reserves: string
  readonly photos: readonly DraftPhoto[]
  readonly prochain: { readonly jeton: string; readonly debut: string } | { readonly souhait: string } | null
  readonly signataire: string
  /** A part that is typed, and not added yet. */
  readonly piece?: string | undefined
  /** A comment that is not sent yet. */
  readonly commentaire?: string | undefined
  /** A word on an absence that is not sent yet. */
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

/** As many as the service takes. */
const maxPieces = 50

/** With the part that is typed among the others. */
export function withTypedPart(draft: Draft): Draft {
  const designation = draft.piece?.trim() ?? ''
  if (designation === '' || draft.pieces.length >= maxPieces) return draft
  return { ...draft, piece: undefined, pieces: [...draft.pieces, { designation, quantite: 1 }] }
}

/** With a photo, once. */
export function withPhoto(draft: Draft, { id, moment }: DraftPhoto): Draft {
  const isThere = draft.photos.some((photo) => photo.id === id)
  return isThere ? draft : { ...draft, photos: [...draft.photos, { id, moment }] }
}

export const isBegun = (draft: Draft): boolean => JSON.stringify(draft) !== JSON.stringify(emptyDraft)

/** What keeps a draft from being sent: each has its sentence. */
export type MissingPart = 'resultat' | 'texte' | 'resolution' | 'signataire'

/** As the service takes a resolution, and a report. */
const minResolution = 10

/** @param closes whether the case is closed by it */
export function lackingOf({ resultat, texte }: Draft, closes: boolean): MissingPart | null {
  if (resultat === null) return 'resultat'
  if (closes && texte.trim().length < minResolution) return 'resolution'
  return texte.trim() === '' ? 'texte' : null
}

/** Whether a visit that ended so closes its case. */
export const mayClose = ({ resultat }: Draft, hasCase: boolean): boolean => hasCase && resultat === 'resolu'

export const reservesOf = ({ reserves }: Pick<Draft, 'reserves'>): string[] =>
  reserves
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

interface DraftSignature {
  /** SHA-256 of the picture of the signature; null: there is none. */
  readonly signature: string | null
  /** What the signer was shown. */
  readonly vu: string
}

/**
 * What a draft says, as it is sent.
 * @param photos what the draft's are by now
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
