import type { EvidenceEntry } from '@sav/core'
import { issue, parse } from '@sav/core'
import * as z from 'zod'
import { examples, hash, instant, named, number, reference } from '../contract/shapes.js'
import { ok, stretch } from './answers.js'
import { readRoute } from './route.js'

const proofQuery = z.strictObject({
  sequence: z.int(issue('not_positive')).positive(issue('not_positive')).optional(),
})

const outside = issue('limit_out_of_range', { max: 200 })
const chainQuery = z.strictObject({
  curseur: z
    .string()
    .regex(/^\d{1,15}$/, issue('not_a_cursor'))
    .optional(),
  limite: z.int(outside).min(1, outside).max(200, outside).default(50),
})

const entryExample = {
  version: 1,
  account: 'default',
  sequence: 1,
  reference: examples.reference,
  date: examples.instant,
  hash_dossier: examples.hash,
  hash_precedent: '0'.repeat(64),
  hash_entree: examples.hash,
} as const

const entry = named(
  'EvidenceEntry',
  z.object({
    version: z.literal(1),
    account: z.string(),
    sequence: number,
    reference,
    date: instant,
    hash_dossier: hash,
    hash_precedent: hash,
    hash_entree: hash,
  }),
  entryExample,
)

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
    entree: entryExample,
    precedente: null,
    suivante: null,
  },
)

const closeCheck = named(
  'CloseCheck',
  z.object({
    sequence: number,
    hash_sha256: hash,
    date: instant,
    dossier: z.enum(['conforme', 'efface', 'altere']).meta({
      description:
        '`conforme`: what is stored of the case has this hash; `efface`: it was erased at the customer’s request, as the ' +
        'chain tells; `altere`: it is gone, or is something else.',
    }),
    chaine: z.boolean().meta({ description: 'Whether the entry fits itself and the one before it.' }),
    remplace_le: instant.nullable().meta({ description: 'When the case was closed again, the latest time.' }),
  }),
  {
    sequence: 1,
    hash_sha256: examples.hash,
    date: examples.instant,
    dossier: 'conforme',
    chaine: true,
    remplace_le: null,
  },
)

/** What was recorded of cases when they were closed. */
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
  readRoute({
    path: '/api/v1/sav/{id}/preuve/verification',
    name: 'checkProof',
    summary: 'Check each close of a case against what is stored',
    description:
      'Oldest first; empty for a case that was never closed. The whole chain is checked by `sav evidence verify`.',
    permission: 'sav:read',
    answers: ok(z.array(closeCheck), 'What the check of each close found.'),
    failures: ['case_not_found'],
    handle: ({ sav, actor, params }) => sav.evidence.checkCase(actor.account_id, params.id),
  }),
  readRoute({
    path: '/api/v1/preuves',
    name: 'listEvidence',
    summary: 'List the entries of the chain of evidence, oldest first',
    description:
      'Hashes alone: each entry holds the hash of the one before it, so that whoever keeps them can check the way from ' +
      'one to another. `curseur` may be the `sequence` of an entry: the list goes on behind it.',
    permission: 'sav:read',
    query: chainQuery,
    answers: stretch(entry, 'Entries, and the cursor of what comes next.'),
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

/** An entry as its hash sees it: the case's id is no part of the chain. */
function link({ case_id: _, ...chained }: EvidenceEntry): Omit<EvidenceEntry, 'case_id'> {
  return chained
}
