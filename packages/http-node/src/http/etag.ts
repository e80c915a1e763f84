import type { CaseDetail } from '@sav/core'
import { bareTag } from './representation.js'

/** `"42-3"`: the case and its version. */
export function etagOf({ id, version }: Pick<CaseDetail, 'id' | 'version'>): string {
  return `"${id}-${version}"`
}

/**
 * The versions of the case that an If-Match header accepts; undefined: any. A weak tag, a tag of something else and an
 * invalid header accept none (RFC 9110 §13.1.1: the comparison is strong).
 */
export function versionsAccepted(ifMatch: string | undefined, caseId: number): number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (!tags.every((tag) => /^(W\/)?"[^"]*"$/.test(tag))) return []
  return tags.flatMap((tag) => {
    const [, id, version] = /^"(\d{1,16})-(\d{1,16})"$/.exec(bareTag(tag)) ?? []
    return Number(id) === caseId ? [Number(version)] : []
  })
}
