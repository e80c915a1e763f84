import { type EventKind, eventKinds } from '@sav/core'
import * as z from 'zod'
import {
  exampleOf,
  examples,
  hash,
  instant,
  named,
  number,
  priorite,
  reference,
  statut,
  typeProbleme,
} from './routes/shapes.js'

/** What receivers get, for the contract. Their types, and what verifies them, are in `@sav/webhook-verify`. */

const event_id = z.string().meta({ description: '`evt_…`, the same over every attempt: de-duplicate on it.' })

const sav = {
  event_id,
  id: number,
  reference,
  statut,
  priorite,
  type_probleme: typeProbleme,
  client: z.object({ id: number }),
  poseur: z.object({ id: number }).nullable(),
  version: number.meta({ description: 'Grows by one with every change: order is not promised, so keep the highest.' }),
  changements: z
    .array(
      z.object({
        champ: z.string(),
        ancien: z.union([z.string(), z.number()]).nullable().optional(),
        nouveau: z.union([z.string(), z.number()]).nullable().optional(),
      }),
    )
    .meta({ description: 'Free text and notes are named only.' }),
}

const savExample = {
  event_id: 'evt_01ka0z7m3q8d',
  id: 42,
  reference: examples.reference,
  statut: 'ouvert' as const,
  priorite: 'haute' as const,
  type_probleme: 'quincaillerie' as const,
  client: { id: 7 },
  poseur: null,
  version: 1,
  changements: [],
}

const savData = named('SavEventData', z.object(sav), savExample)

const savClosedData = named(
  'SavClosedEventData',
  z.object({
    ...sav,
    statut: z.literal('clos'),
    hash_sha256: hash,
    date_cloture: instant,
    sequence: number.meta({ description: "Place in the account's chain of evidence." }),
    hash_entree: hash,
  }),
  {
    ...savExample,
    statut: 'clos',
    version: 2,
    changements: [{ champ: 'statut', ancien: 'en_cours', nouveau: 'clos' }],
    hash_sha256: examples.hash,
    date_cloture: examples.instant,
    sequence: 1,
    hash_entree: examples.hash,
  },
)

const rdvData = named('RdvEventData', z.looseObject({ event_id, id: number }), { event_id: 'evt_01ka0z7m3q8d', id: 5 })

/** By what an event is about. */
export const eventData = { sav: savData, closed: savClosedData, rdv: rdvData } as const

function dataOf(kind: EventKind) {
  if (kind === 'sav.closed') return eventData.closed
  return kind.startsWith('sav.') ? eventData.sav : eventData.rdv
}

/** The body of an event of each kind. */
export const webhookBodies = eventKinds.map((kind) => ({
  kind,
  schema: z.object({ event: z.literal(kind), timestamp: instant, data: dataOf(kind) }),
  example: { event: kind, timestamp: examples.instant, data: exampleOf(dataOf(kind)) },
}))

const base64 = z.string().regex(/^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$/)
const seconds = z.string().regex(/^\d+$/)

/** The headers of every delivery: the specification's own, and those of Standard Webhooks. */
export const webhookHeaders = {
  'X-Webhook-Signature': {
    description: 'HMAC-SHA256 of the raw body in hexadecimal, keyed with the secret exactly as it was shown.',
    schema: z.string().regex(/^sha256=[0-9a-f]{64}$/),
  },
  'X-Webhook-Timestamp': {
    description: 'Unix time of the attempt in seconds. No signature covers it.',
    schema: seconds,
  },
  'X-Webhook-Event': { description: 'The kind. No signature covers it: dispatch on the body.', schema: z.string() },
  'webhook-id': { description: '`event_id`, the same over every attempt.', schema: z.string() },
  'webhook-timestamp': { description: 'Unix time of the attempt in seconds, signed.', schema: seconds },
  'webhook-signature': {
    description: 'HMAC-SHA256 of `id.timestamp.body` in base64, keyed with the decoded secret; during a rotation two.',
    schema: base64,
  },
} as const
