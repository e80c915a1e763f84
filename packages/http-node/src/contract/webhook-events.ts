import { type CoreEventKind, type ExampleEvent, shapes } from '@sav/core/adapter'
import type { AnyEventKind, EventDeclarations } from '@sav/core/feature'
import { coreEventKinds } from '@sav/core/names'
import type { EventDataByKind, TestData } from '@sav/webhook-verify'
import { exampleEvents } from '@sav/webhook-verify/testing'
import * as z from 'zod'

const { hash, idOf, instant, lazily, named, reference, examples } = shapes

/**
 * The bodies of webhooks, for the contract. Verification, and the types that these schemas must match, are in
 * `@sav/webhook-verify`.
 */

const event_id = lazily(() => z.string().describe('`evt_…`, the same in every attempt. Use it to detect duplicates.'))

const sav = lazily(() => ({
  event_id: event_id(),
  id: idOf('the case'),
  reference: reference(),
  statut: shapes.statut(),
  priorite: shapes.priorite(),
  type_probleme: shapes.typeProbleme(),
  client: z.object({ id: idOf('the client') }),
  poseur: z.object({ id: idOf('the installer') }).nullable(),
  version: shapes.eventVersion(),
  changements: shapes.changedFields(),
}))

const savData = named('SavEventData', () => z.object(sav()), exampleEvents['sav.created'].data)

const savClosedData = named(
  'SavClosedEventData',
  () =>
    z.object({
      ...sav(),
      statut: z.literal('clos'),
      hash_sha256: hash(),
      date_cloture: instant(),
      sequence: shapes.sequence(),
      hash_entree: hash(),
    }),
  exampleEvents['sav.closed'].data,
)

const savReportData = named(
  'SavReportEventData',
  () =>
    z.object({
      ...sav(),
      sequence: z.int().positive().describe("Position of the close in the account's chain of evidence."),
      canal: z.string().nullable().describe('The first channel that accepted the report; null if none did.'),
    }),
  exampleEvents['sav.report_sent'].data,
)

const testData = named(
  'TestEventData',
  () => z.object({ event_id: event_id(), endpoint_id: z.string() }),
  exampleEvents['webhook.test'].data,
)

type SchemasOf<Data> = { readonly [Kind in keyof Data]: shapes.Lazy<z.ZodType<Data[Kind], Data[Kind]>> }

const ofCases = Object.fromEntries(coreEventKinds.map((kind) => [kind, savData])) as {
  readonly [Kind in CoreEventKind]: typeof savData
}

/** The data of each kind: a case's, sometimes with more. A schema that differs from its type does not compile. */
export const eventData = {
  ...ofCases,
  'sav.closed': savClosedData,
  'sav.report_sent': savReportData,
  'sav.report_failed': savReportData,
  'webhook.test': testData,
} as const satisfies SchemasOf<Pick<EventDataByKind, CoreEventKind> & { 'webhook.test': TestData }>

/** The contract's example of a kind, without the id, which differs for each event. */
export function exampleEvent(kind: AnyEventKind, ofFeatures: EventDeclarations = {}): ExampleEvent {
  const known: Readonly<Record<string, { readonly data: object }>> = exampleEvents
  const { event_id: _, ...data } = Object(known[kind]?.data)
  return { event: kind, data: ofFeatures[kind]?.example ?? data }
}

interface WebhookBody {
  readonly kind: string
  readonly summary: string
  readonly schema: shapes.Lazy<z.ZodType>
  readonly example: () => { readonly data: object }
}

const bodyOf = (
  kind: string,
  data: shapes.Lazy<z.ZodType>,
  example: () => { readonly data: object },
  summary: string = kind,
): WebhookBody => ({
  kind,
  summary,
  schema: lazily(() => z.object({ event: z.literal(kind), timestamp: instant(), data: data() })),
  example,
})

const ofCore = (kind: keyof typeof eventData) => bodyOf(kind, eventData[kind], () => exampleEvents[kind])

/** The bodies of every kind of event: the core's kinds, those of the features in `events`, and `webhook.test`. */
export const webhookBodies = (events: EventDeclarations): WebhookBody[] => [
  ...coreEventKinds.map(ofCore),
  ...Object.entries(events).map(([kind, { data, example, description }]) =>
    bodyOf(
      kind,
      lazily(() => identified(data())),
      () => ({ event: kind, timestamp: examples.instant, data: withId(example) }),
      description,
    ),
  ),
  ofCore('webhook.test'),
]

const withId = (data: object) => ({ event_id: examples.event, ...data })

/** The schema with the event's id; a named schema keeps its name. */
function identified(data: z.ZodObject): z.ZodObject {
  const schema = z.object({ event_id: event_id() }).extend(data.shape)
  const { id } = data.meta() ?? {}
  return id === undefined ? schema : schema.meta({ id, examples: [withId(Object(shapes.exampleOf(data)))] })
}

const base64 = () => z.string().regex(/^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$/)
const seconds = () => z.string().regex(/^\d+$/)
const text = () => z.string()

/** The headers of every delivery: the specification's own, and those of Standard Webhooks. */
export const webhookHeaders = {
  'X-Webhook-Signature': {
    description: 'HMAC-SHA256 of the raw body in hexadecimal. The key is the secret exactly as it was shown.',
    schema: () => z.string().regex(/^sha256=[0-9a-f]{64}$/),
  },
  'X-Webhook-Timestamp': {
    description: 'Unix time of the attempt in seconds. No signature covers it.',
    schema: seconds,
  },
  'X-Webhook-Event': {
    description: 'The kind of the event. No signature covers it, so dispatch on the kind in the body.',
    schema: text,
  },
  'webhook-id': { description: '`event_id`, the same in every attempt.', schema: text },
  'webhook-timestamp': { description: 'Unix time of the attempt in seconds. It is signed.', schema: seconds },
  'webhook-signature': {
    description:
      'HMAC-SHA256 of `id.timestamp.body` in base64. The key is the decoded secret. ' +
      'During a rotation of the secret there are two signatures.',
    schema: base64,
  },
} as const
