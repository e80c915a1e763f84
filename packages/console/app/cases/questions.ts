import { type CaseFilter, sav } from '../api/client.js'
import { question } from '../api/read.js'

export const someCases = question((query: CaseFilter, signal) => sav.get('/api/v1/sav', { query, signal }))

/** All visits of a case, past and future. */
export const visitsOfCase = question(
  async (id: number, signal) => (await sav.get('/api/v1/sav/{id}/rdv', { params: { id }, signal })).data,
)

/** A case, and the tag that a change of the case must send. */
export const caseById = question(async (id: number, signal) => {
  const { data, headers } = await sav.get('/api/v1/sav/{id}', { params: { id }, signal })
  return { found: data, etag: headers.get('etag') ?? '' }
})
