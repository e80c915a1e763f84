import type { Cases, EvidenceEntry } from '@sav/core'
import { parse } from '@sav/core'
import * as z from 'zod'
import { idOf, ok, type Route, read } from './route.js'

const proofQuery = z.strictObject({
  sequence: z.int('must be a positive integer').positive('must be a positive integer').optional(),
})

/** What was recorded of a case when it was closed. */
export function evidenceRoutes(cases: Cases): Route[] {
  return [
    read({ pattern: '/api/v1/sav/{id}/preuve', permission: 'sav:read', query: proofQuery }, async (call, query) => {
      const { sequence } = parse(proofQuery, query)
      const { entree, precedente, suivante, ...proof } = await cases.proof(call.actor.account_id, idOf(call), sequence)
      return ok({ ...proof, entree: link(entree), precedente: link(precedente), suivante: link(suivante) })
    }),
  ]
}

/** An entry as its hash sees it: the case's id is no part of the chain. */
function link(entry: EvidenceEntry | null): Omit<EvidenceEntry, 'case_id'> | null {
  if (entry === null) return null
  const { case_id: _, ...chained } = entry
  return chained
}
