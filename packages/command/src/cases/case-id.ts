import { NotFoundError } from '@sav/core'
import type { SavClient } from '@sav/http-node/client'

/**
 * The path parameters of a case, given its id or reference.
 * @throws NotFoundError for an unknown reference
 */
export async function caseParams(api: SavClient, text: string): Promise<{ readonly id: number }> {
  const id = idOrReference(text)
  if (typeof id === 'number') return { id }
  const { data } = await api.get('/api/v1/sav', { query: { recherche: id } })
  const found = data.find(({ reference }) => reference === id)
  if (found === undefined) throw new NotFoundError('case', id)
  return { id: found.id }
}

/** The id in a text, as a number. A text that cannot be an id is returned as it is: it may be a reference. */
export function idOrReference(text: string): number | string {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : text
}
