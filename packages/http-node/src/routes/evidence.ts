import type { EvidenceEntry } from '@sav/core'
import { parse } from '@sav/core'
import * as z from 'zod'
import { examples, hash, instant, named, number, reference } from '../contract/shapes.js'
import { ok } from './answers.js'
import { readRoute } from './route.js'

const proofQuery = z.strictObject({
  sequence: z.int('must be a positive integer').positive('must be a positive integer').optional(),
})

const entry = z
  .object({
    version: z.literal(1),
    account: z.string(),
    sequence: number,
    reference,
    date: instant,
    hash_dossier: hash,
    hash_precedent: hash,
    hash_entree: hash,
  })
  .meta({ id: 'EvidenceEntry' })

const proof = named(
  'Proof',
  z.object({
    snapshot: z.string().nullable().meta({ description: 'Canonical JSON; its SHA-256 is `hash_sha256`.' }),
    hash_sha256: hash,
    effacement: z
      .object({ date: instant, sequence: number })
      .nullable()
      .meta({ description: 'When the snapshot was erased, and by which entry.' }),
    entree: entry,
    precedente: entry.nullable(),
    suivante: entry.nullable(),
    horodatage: z
      .object({ sequence: number, hash_entree: hash, date: instant, token: z.base64() })
      .nullable()
      .meta({ description: 'The oldest time stamp (RFC 3161) that covers the entry; `token` is DER in base64.' }),
  }),
  {
    snapshot: '{"account":"default"}',
    hash_sha256: examples.hash,
    effacement: null,
    horodatage: null,
    entree: {
      version: 1,
      account: 'default',
      sequence: 1,
      reference: examples.reference,
      date: examples.instant,
      hash_dossier: examples.hash,
      hash_precedent: '0'.repeat(64),
      hash_entree: examples.hash,
    },
    precedente: null,
    suivante: null,
  },
)

/** What was recorded of a case when it was closed. */
export const evidenceRoutes = [
  readRoute({
    path: '/api/v1/sav/{id}/preuve',
    name: 'getProof',
    summary: 'Read the evidence of a close',
    description: 'Of the latest one, or of the one that `sequence` names.',
    permission: 'sav:read',
    query: proofQuery,
    answers: ok(proof, 'Everything that anyone needs to check the close by hand.'),
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
]

/** An entry as its hash sees it: the case's id is no part of the chain. */
function link({ case_id: _, ...chained }: EvidenceEntry): Omit<EvidenceEntry, 'case_id'> {
  return chained
}
