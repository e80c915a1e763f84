import type { CaseDetail } from '@sav/core'
import type { CheckUrl, shapes } from '@sav/core/internal'

/** A case as the API shows it: its files are links, which the same key opens. */
export type CaseOnTheWire = shapes.Shape<typeof shapes.caseDetail>

/**
 * A case as the API shows it, with the addresses of what belongs to it.
 * @param base under which path the API is reached: its `basePath`
 */
export function caseOnTheWire(detail: CaseDetail, base = ''): CaseOnTheWire {
  const fileUrl = (sha256: string) => `${base}/api/v1/sav/${detail.id}/fichiers/${sha256}`
  const linked = (sha256: string | null) => sha256 && fileUrl(sha256)
  return {
    ...detail,
    photos: detail.photos.map(({ id, ...photo }) => ({ id, url: 'url' in photo ? photo.url : fileUrl(photo.sha256) })),
    photo_avant: linked(detail.photo_avant),
    photo_apres: linked(detail.photo_apres),
    signature_client: linked(detail.signature_client),
  }
}

/** The addresses of the check page. @param publicUrl where the service is reached from outside; null: those of an account's own address alone */
export function checkUrlOf(publicUrl: string | null): CheckUrl {
  const base = publicUrl?.replace(/\/+$/, '')
  return (hash_sha256, url_publique) => {
    const under = url_publique ?? base
    return under === undefined ? null : `${under}/verifier/${hash_sha256}`
  }
}
