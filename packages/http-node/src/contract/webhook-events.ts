import type { EventDeclarations } from '@sav/core/feature'
import { type ExampleEvent, shapes } from '@sav/core/internal'
import { rdvStatuts, rdvTypes } from '@sav/core/names'
import { type EventDataByKind, type EventKind, eventKinds, type TestData } from '@sav/webhook-verify'
import * as z from 'zod'

const { exampleOf, examples, hash, idOf, instant, lazily, named, reference } = shapes

/** What receivers get, for the contract. What verifies it, and the types that these schemas are held to, are in `@sav/webhook-verify`. */

const event_id = lazily(() => z.string().describe('`evt_…`, the same over every attempt: de-duplicate on it.'))

const fieldValue = lazily(() =>
  z.union([z.string(), z.number()]).nullable().describe('A word, or the number of what it names.'),
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
  version: z.int().positive().describe('Grows by one with every change: order is not promised, so keep the highest.'),
  changements: z
    .array(
      z.object({
        champ: z.string(),
        ancien: fieldValue().exactOptional(),
        nouveau: fieldValue().exactOptional(),
      }),
    )
    .describe('Free text and notes are named only.'),
}))

const savExample = {
  event_id: examples.event,
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

const savData = named('SavEventData', () => z.object(sav()), savExample)

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

const savReportData = named(
  'SavReportEventData',
  () =>
    z.object({
      ...sav(),
      sequence: z.int().positive().describe("Place of the close in the account's chain of evidence."),
      canal: z.string().nullable().describe('The first channel that accepted it; null where none did.'),
    }),
  {
    ...savExample,
    statut: 'clos',
    version: 3,
    changements: [{ champ: 'pv', ancien: 'en_file', nouveau: 'envoye' }],
    sequence: 1,
    canal: 'email',
  },
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
      equipiers: z.array(z.object({ id: idOf('the installer') })).describe('Who comes along.'),
      type: z.enum(rdvTypes),
      statut: z.enum(rdvStatuts),
      debut: instant(),
      fin: instant(),
      version: sav().version,
      changements: sav().changements,
    }),
  {
    event_id: examples.event,
    id: 5,
    sav: { id: 42, reference: examples.reference },
    client: { id: 7 },
    poseur: { id: 3 },
    equipiers: [],
    type: 'sav',
    statut: 'planifie',
    debut: examples.instant,
    fin: '2026-01-15T12:00:00.000Z',
    version: 1,
    changements: [],
  },
)

const testData = named('TestEventData', () => z.object({ event_id: event_id(), endpoint_id: z.string() }), {
  event_id: examples.event,
  endpoint_id: examples.endpoint,
})

type SchemasOf<Data> = { readonly [Kind in keyof Data]: shapes.Lazy<z.ZodType<Data[Kind], Data[Kind]>> }
type KindsOf<Subject extends string> = Extract<EventKind, `${Subject}.${string}`>

const each = <Subject extends string, S>(subject: Subject, schema: S) =>
  Object.fromEntries(eventKinds.filter((kind) => kind.startsWith(`${subject}.`)).map((kind) => [kind, schema])) as {
    readonly [kind in KindsOf<Subject>]: S
  }

/** The data of each kind: that of its subject, but where it tells more. One that says anything else than its type does not compile. */
export const eventData = {
  ...each('sav', savData),
  ...each('rdv', rdvData),
  'sav.closed': savClosedData,
  'sav.report_sent': savReportData,
  'sav.report_failed': savReportData,
  'webhook.test': testData,
} as const satisfies SchemasOf<EventDataByKind & { 'webhook.test': TestData }>

const webhookKinds = [...eventKinds, 'webhook.test' as const]

const changed = (champ: string, ancien: string | number | null, nouveau: string | number | null) => ({
  version: 2,
  changements: [{ champ, ancien, nouveau }],
})

/** What the example of a kind says otherwise than that of its subject, which is a creation: what has changed. */
const told: Partial<Record<EventKind, object>> = {
  'sav.status_changed': { statut: 'en_cours', ...changed('statut', 'ouvert', 'en_cours') },
  'sav.assigned': { poseur: { id: 3 }, ...changed('poseur_id', null, 3) },
  'sav.updated': changed('priorite', 'normale', 'haute'),
  'sav.reopened': { statut: 'en_cours', ...changed('statut', 'clos', 'en_cours'), version: 3 },
  'sav.report_failed': { ...changed('pv', 'en_file', 'echec'), version: 3, canal: null },
  'rdv.rescheduled': {
    ...changed('debut', '2026-01-14T10:30:00.000Z', examples.instant),
    changements: [
      { champ: 'debut', ancien: '2026-01-14T10:30:00.000Z', nouveau: examples.instant },
      { champ: 'fin', ancien: '2026-01-14T12:00:00.000Z', nouveau: '2026-01-15T12:00:00.000Z' },
    ],
  },
  'rdv.confirmed': { statut: 'confirme', ...changed('statut', 'planifie', 'confirme') },
  'rdv.cancelled': { statut: 'annule', ...changed('statut', 'planifie', 'annule') },
  'rdv.completed': { statut: 'realise', ...changed('statut', 'confirme', 'realise'), version: 3 },
}

const exampleData = (kind: (typeof webhookKinds)[number]): object => ({
  ...Object(exampleOf(eventData[kind]())),
  ...(kind === 'webhook.test' ? {} : told[kind]),
})

/** The contract's example of a kind, without the id that each event has of its own. */
export function exampleEvent(kind: EventKind): ExampleEvent {
  const { event_id: _, ...data } = Object(exampleData(kind))
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
  example: () => object,
  summary: string = kind,
): WebhookBody<Kind> => ({
  kind,
  summary,
  schema: lazily(() => z.object({ event: z.literal(kind), timestamp: instant(), data: data() })),
  example: () => ({ event: kind, timestamp: examples.instant, data: example() }),
})

/** The body of an event of each kind of the core. */
export const webhookBodies = webhookKinds.map((kind) => bodyOf(kind, eventData[kind], () => exampleData(kind)))

/** The same of kinds of a feature. */
export const bodiesOf = (events: EventDeclarations): WebhookBody[] =>
  Object.entries(events).map(([kind, { description, data, example }]) =>
    bodyOf(
      kind,
      lazily(() => z.object({ event_id: event_id() }).extend(data().shape)),
      () => ({ event_id: examples.event, ...example }),
      description,
    ),
  )

const base64 = () => z.string().regex(/^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$/)
const seconds = () => z.string().regex(/^\d+$/)
const text = () => z.string()

/** The headers of every delivery: the specification's own, and those of Standard Webhooks. */
export const webhookHeaders = {
  'X-Webhook-Signature': {
    description: 'HMAC-SHA256 of the raw body in hexadecimal, keyed with the secret exactly as it was shown.',
    schema: () => z.string().regex(/^sha256=[0-9a-f]{64}$/),
  },
  'X-Webhook-Timestamp': {
    description: 'Unix time of the attempt in seconds. No signature covers it.',
    schema: seconds,
  },
  'X-Webhook-Event': { description: 'The kind. No signature covers it: dispatch on the body.', schema: text },
  'webhook-id': { description: '`event_id`, the same over every attempt.', schema: text },
  'webhook-timestamp': { description: 'Unix time of the attempt in seconds, signed.', schema: seconds },
  'webhook-signature': {
    description: 'HMAC-SHA256 of `id.timestamp.body` in base64, keyed with the decoded secret; during a rotation two.',
    schema: base64,
  },
} as const
