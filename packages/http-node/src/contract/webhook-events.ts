import { type ExampleEvent, shapes } from '@sav/core/adapter'
import type { EventDeclarations } from '@sav/core/feature'
import { rdvStatuts, rdvTypes } from '@sav/core/names'
import { type EventDataByKind, type EventKind, eventKinds, type TestData } from '@sav/webhook-verify'
import { exampleEvents } from '@sav/webhook-verify/testing'
import * as z from 'zod'

const { hash, idOf, instant, lazily, named, reference, examples } = shapes

/**
 * The bodies of webhooks, for the contract. Verification, and the types that these schemas must match, are in
 * `@sav/webhook-verify`.
 */

const event_id = lazily(() => z.string().describe('`evt_…`, the same in every attempt: de-duplicate by it.'))

const fieldValue = lazily(() =>
  z.union([z.string(), z.number()]).nullable().describe('A word, or the number of the named thing.'),
)

const sav = lazily(() => ({
  event_id: event_id(),
  id: idOf('the case'),
  reference: reference(),
  statut: shapes.statut(),
  priorite: shapes.priorite(),
  type_probleme: shapes.typeProbleme(),
  client: z.object({ id: idOf('the client') }),
  poseur: z.object({ id: idOf('the installer') }).nullable(),
  version: z
    .int()
    .positive()
    .describe('Grows by one with every change. Events may arrive in any order, so keep the highest.'),
  changements: z
    .array(
      z.object({
        champ: z.string(),
        ancien: fieldValue().exactOptional(),
        nouveau: fieldValue().exactOptional(),
      }),
    )
    .describe('Without the values of free text and notes.'),
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
      sequence: z.int().positive().describe("Place of the close in the account's chain of evidence."),
      canal: z.string().nullable().describe('The first channel that accepted the report; null if none did.'),
    }),
  exampleEvents['sav.report_sent'].data,
)

const rdvData = named(
  'RdvEventData',
  () =>
    z.object({
      event_id: event_id(),
      id: idOf('the appointment'),
      sav: z.object({ id: idOf('the case'), reference: reference() }).nullable(),
      client: sav().client,
      poseur: z.object({ id: idOf('the installer') }),
      equipiers: z.array(z.object({ id: idOf('the installer') })).describe('The teammates.'),
      type: z.enum(rdvTypes),
      statut: z.enum(rdvStatuts),
      debut: instant(),
      fin: instant(),
      version: sav().version,
      changements: sav().changements,
    }),
  exampleEvents['rdv.created'].data,
)

const testData = named(
  'TestEventData',
  () => z.object({ event_id: event_id(), endpoint_id: z.string() }),
  exampleEvents['webhook.test'].data,
)

type SchemasOf<Data> = { readonly [Kind in keyof Data]: shapes.Lazy<z.ZodType<Data[Kind], Data[Kind]>> }
type KindsOf<Subject extends string> = Extract<EventKind, `${Subject}.${string}`>

const each = <Subject extends string, S>(subject: Subject, schema: S) =>
  Object.fromEntries(eventKinds.filter((kind) => kind.startsWith(`${subject}.`)).map((kind) => [kind, schema])) as {
    readonly [kind in KindsOf<Subject>]: S
  }

/** The data of each kind: its subject's, and sometimes more. A schema that differs from its type does not compile. */
export const eventData = {
  ...each('sav', savData),
  ...each('rdv', rdvData),
  'sav.closed': savClosedData,
  'sav.report_sent': savReportData,
  'sav.report_failed': savReportData,
  'webhook.test': testData,
} as const satisfies SchemasOf<EventDataByKind & { 'webhook.test': TestData }>

const webhookKinds = [...eventKinds, 'webhook.test' as const]

/** The contract's example of a kind, without the event's id. */
export function exampleEvent(kind: EventKind): ExampleEvent {
  const { event_id: _, ...data } = Object(exampleEvents[kind].data)
  return { event: kind, data }
}

interface WebhookBody<Kind extends string = string> {
  readonly kind: Kind
  readonly summary: string
  readonly schema: shapes.Lazy<z.ZodType>
  readonly example: () => { readonly data: object }
}

const bodyOf = <Kind extends string>(
  kind: Kind,
  data: shapes.Lazy<z.ZodType>,
  example: () => { readonly data: object },
  summary: string = kind,
): WebhookBody<Kind> => ({
  kind,
  summary,
  schema: lazily(() => z.object({ event: z.literal(kind), timestamp: instant(), data: data() })),
  example,
})

/** The body of an event of each kind of the core. */
export const webhookBodies = webhookKinds.map((kind) => bodyOf(kind, eventData[kind], () => exampleEvents[kind]))

/** The bodies of events of a feature. */
export const bodiesOf = (events: EventDeclarations): WebhookBody[] =>
  Object.entries(events).map(([kind, { description, data, example }]) =>
    bodyOf(
      kind,
      lazily(() => z.object({ event_id: event_id() }).extend(data().shape)),
      () => ({ event: kind, timestamp: examples.instant, data: { event_id: examples.event, ...example } }),
      description,
    ),
  )

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
  'X-Webhook-Event': { description: 'The kind. No signature covers it: dispatch on the body.', schema: text },
  'webhook-id': { description: '`event_id`, the same in every attempt.', schema: text },
  'webhook-timestamp': { description: 'Unix time of the attempt in seconds, signed.', schema: seconds },
  'webhook-signature': {
    description:
      'HMAC-SHA256 of `id.timestamp.body` in base64. The key is the decoded secret. During a rotation there are two.',
    schema: base64,
  },
} as const
