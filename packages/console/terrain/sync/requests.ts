import type { Item, SentFile } from './item.js'

export interface WriteRequest {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body: unknown
}

/** The request of a report: the same bytes at every attempt, so that the service recognises repetitions. */
export function requestOf(item: Item): WriteRequest {
  const { rdv_id, sav_id, survenu_a, decalage_ms, version, body } = item
  switch (item.operation) {
    case 'commentaire':
      return { method: 'POST', path: `/api/v1/sav/${sav_id}/commentaires`, body }
    case 'rdv':
      return { method: 'POST', path: '/api/v1/planning/rdv', body }
    case 'reprise':
      return { method: 'PATCH', path: `/api/v1/planning/${rdv_id}`, body }
    default:
      return {
        method: 'POST',
        path: `/api/v1/planning/${rdv_id}/${item.operation}`,
        body: { survenu_a, decalage_ms, version, ...body },
      }
  }
}

/** The size of a part: five seconds on a slow line, so that little is lost when the network fails. */
export const partBytes = 256 * 1024

export interface PartRequest {
  readonly path: string
  /** The header `Content-Range`; null if the whole file is sent in one piece. */
  readonly contentRange: string | null
  readonly from: number
  /** The position after the last byte to send. If it equals `from`, the request only asks for the progress. */
  readonly to: number
}

/** The next part of a file. */
export function partOf({ sha256, size, sent, isDoubtful }: SentFile): PartRequest {
  const path = `/api/v1/fichiers/${sha256}`
  if (size <= partBytes) return { path, contentRange: null, from: 0, to: size }
  if (isDoubtful) return { path, contentRange: `bytes */${size}`, from: 0, to: 0 }
  const to = Math.min(size, sent + partBytes)
  return { path, contentRange: `bytes ${sent}-${to - 1}/${size}`, from: sent, to }
}
