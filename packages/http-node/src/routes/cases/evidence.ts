import type { EvidenceEntry } from '@sav/core'
import { issue, parse, shapes } from '@sav/core/adapter'
import * as z from 'zod'
import { ok, stretch } from '../declaration/answers.js'
import { readRoute } from '../declaration/declare.js'

const proofQuery = shapes.lazily(() =>
  z.strictObject({
    sequence: z
      .int(issue('not_positive'))
      .positive(issue('not_positive'))
      .optional()
      .describe("Position of the close in the account's chain of evidence."),
  }),
)

const outside = issue('limit_out_of_range', { max: 200 })
const chainQuery = shapes.lazily(() =>
  z.strictObject({
    curseur: z
      .string()
      .regex(/^\d{1,15}$/, issue('not_a_cursor'))
      .optional(),
    limite: z
      .int(outside)
      .min(1, outside)
      .max(200, outside)
      .default(50)
      .describe('The maximum number of entries on a page.'),
  }),
)

/** The records of closes. */
export const evidenceRoutes = [
  readRoute({
    path: '/api/v1/sav/{id}/preuve',
    name: 'getProof',
    summary: 'Read the evidence of a close',
    description: 'The evidence of the latest close, or of the close with this `sequence`.',
    permission: 'sav:read',
    query: proofQuery,
    answers: ok(shapes.proof, 'Everything that is needed to check the close by hand.'),
    failures: ['case_not_found', 'not_found'],
    async handle({ sav, actor, params, query }) {
      const { sequence } = parse(proofQuery, query)
      const { entree, precedente, suivante, ...rest } = await sav.cases.proof(actor.account_id, params.id, sequence)
      return {
        ...rest,
        entree: link(entree),
        precedente: precedente && link(precedente),
        suivante: suivante && link(suivante),
      }
    },
  }),
  readRoute({
    path: '/api/v1/sav/{id}/preuve/verification',
    name: 'checkProof',
    summary: 'Check each close of a case against the stored data',
    description:
      'Oldest first. Empty if the case was never closed. To check the whole chain, use `sav evidence verify`.',
    permission: 'sav:read',
    answers: ok(() => z.array(shapes.closeCheck()), 'The result for each close.'),
    failures: ['case_not_found'],
    handle: ({ sav, actor, params }) => sav.evidence.checkCase(actor.account_id, params.id),
  }),
  readRoute({
    path: '/api/v1/preuves',
    name: 'listEvidence',
    summary: 'List the entries of the chain of evidence, oldest first',
    description:
      'Entries contain only hashes. Each contains the hash of the previous one, so a reader who has kept two entries ' +
      'can check all entries between them. `curseur` may also be the `sequence` of an entry: the list then continues ' +
      'after that entry.',
    permission: 'sav:read',
    query: chainQuery,
    answers: stretch(shapes.evidenceEntry, 'Entries, and the cursor of the next page.'),
    async handle({ sav, actor, query }) {
      const { curseur = '0', limite } = parse(chainQuery, query)
      const afterSequence = Number(curseur)
      const found = await sav.evidence.entries(actor.account_id, {
        afterSequence,
        sequence: afterSequence + limite + 1,
      })
      const items = found.slice(0, limite)
      return { items: items.map(link), curseur: found.length > limite ? String(items.at(-1)?.sequence) : null }
    },
  }),
]

/** An entry as its hash covers it, without the case's id. */
function link({ case_id: _, ...chained }: EvidenceEntry): Omit<EvidenceEntry, 'case_id'> {
  return chained
}
