import type { CaseDetail } from '@sav/core'
import type { CheckUrl, shapes } from '@sav/core/adapter'

/** A case as the API shows it: with links to its files, which also need a key. */
export type CaseOnTheWire = shapes.Shape<typeof shapes.caseDetail>

/**
 * A case as the API shows it, with links.
 * @param base the API's `basePath`
 */
export function caseOnTheWire(detail: CaseDetail, base = ''): CaseOnTheWire {
  const linked = (sha256: string | null) => sha256 && fileUrl(detail.id, sha256, base)
  return {
    ...detail,
    photos: photosOnTheWire(detail.photos, (sha256) => fileUrl(detail.id, sha256, base)),
    photo_avant: linked(detail.photo_avant),
    photo_apres: linked(detail.photo_apres),
    signature_client: linked(detail.signature_client),
    vu: linked(detail.vu),
    addenda: detail.addenda.map((addendum) => ({
      ...addendum,
      photo_avant: linked(addendum.photo_avant),
      photo_apres: linked(addendum.photo_apres),
      signature_client: linked(addendum.signature_client),
      vu: linked(addendum.vu),
    })),
  }
}

/** Photos of a case as the API shows them. @param urlOf the address of a file of the case */
export function photosOnTheWire(
  photos: CaseDetail['photos'],
  urlOf: (sha256: string) => string,
): CaseOnTheWire['photos'] {
  return photos.map(({ id, date, rdv_id, ...photo }) => ({
    id,
    url: 'url' in photo ? photo.url : urlOf(photo.sha256),
    ...(date !== undefined && { date }),
    ...(rdv_id !== undefined && { rdv_id }),
  }))
}

/** @param base as for `caseOnTheWire` */
export const fileUrl = (case_id: number, sha256: string, base: string) =>
  `${base}/api/v1/sav/${case_id}/fichiers/${sha256}`

/**
 * The addresses of the check page.
 * @param publicUrl the service's public URL. If null, only accounts with an `url_publique` have a check page
 */
export function checkUrlOf(publicUrl: string | null): CheckUrl {
  const base = publicUrl?.replace(/\/{1,9}$/, '')
  return (hash_sha256, url_publique) => {
    const under = url_publique ?? base
    return under === undefined ? null : `${under}/verifier/${hash_sha256}`
  }
}
