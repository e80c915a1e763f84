import * as z from 'zod'
import { receiverHealthExample, receiverHealthShape } from '../receivers/receiver-health.js'
import { lazily } from '../values/lazily.js'
import { count, examples, instant, named, reference, type Shape } from '../values/shape.js'
import { deliveryStates } from '../values/vocabulary.js'

const errorCode = lazily(() =>
  z
    .string()
    .nullable()
    .describe(
      'The code of the failure: `connection_refused`, `name_not_found`, `timeout`, `tls_…`, `status_503` …; null if ' +
        'it has none.',
    ),
)

const fields = lazily(() => ({
  id: z.string().describe('`dlv_…`'),
  event_id: z.string(),
  event: z.string(),
  reference: reference().nullable().describe('Reference of its case; null if none, or if the caller may not read it.'),
  endpoint_id: z.string(),
  channel: z.string(),
  state: z.enum(deliveryStates),
  attempt_count: count('How many attempts were made so far, over all runs.'),
  next_attempt_at: instant().nullable().describe('When the next attempt is due; null once the state is final.'),
  last_status: z
    .int()
    .nullable()
    .describe('Status of the answer to the last attempt: HTTP, or SMTP for e-mail; null if there was none.'),
  last_error: z.string().nullable(),
  last_error_code: errorCode(),
  created_at: instant(),
}))
const example = {
  id: examples.delivery,
  event_id: examples.event,
  event: 'sav.created',
  reference: examples.reference,
  endpoint_id: examples.endpoint,
  channel: 'webhook',
  state: 'failed' as const,
  attempt_count: 6,
  next_attempt_at: null,
  last_status: 500,
  last_error: 'answered 500',
  last_error_code: 'status_500',
  created_at: examples.instant,
}

export const deliveryShape = named('Delivery', () => z.object(fields()), example)
/** A delivery as its account may see it. */
export type DeliveryView = Shape<typeof deliveryShape>

/** One event for one target, as stored. Ids are time-ordered. */
export interface Delivery extends Omit<DeliveryView, 'reference'> {
  readonly account_id: string
}

const attempt = lazily(() =>
  z.object({
    n: z.int().positive().describe('The number of the attempt, from 1 over all runs.'),
    started_at: instant(),
    duration_ms: z.number().nonnegative().describe('How many milliseconds the attempt took.'),
    status: z.int().nullable().describe('Status of the answer: HTTP, or SMTP for e-mail; null if there was none.'),
    error: z.string().nullable(),
    error_code: errorCode(),
    response_headers: z.record(z.string(), z.string()).nullable(),
    response: z.string().nullable().describe('At most 16 KiB of the answer.'),
  }),
)
/** One attempt: `n` counts from 1 over all runs of a delivery. */
export type AttemptRecord = Shape<typeof attempt>

export const deliveryDetailShape = named(
  'DeliveryWithAttempts',
  () =>
    z.object({
      ...fields(),
      attempts: z.array(attempt()),
      body: z
        .string()
        .nullable()
        .describe(
          'The exact text that every attempt sends. Null for a letter, and without the permission to read the event: ' +
            '`sav:read`, or `planning:read` for appointments.',
        ),
    }),
  {
    ...example,
    body: `{"event":"sav.created","timestamp":"${examples.instant}","data":{"event_id":"${examples.event}"}}`,
    attempts: [
      {
        n: 6,
        started_at: examples.instant,
        duration_ms: 87,
        status: 500,
        error: 'answered 500',
        error_code: 'status_500',
        response_headers: { 'content-type': 'text/plain' },
        response: 'out of order',
      },
    ],
  },
)
/** One delivery with all its attempts, oldest first. */
export type DeliveryDetail = Shape<typeof deliveryDetailShape>

export const activityShape = named(
  'Activity',
  () =>
    z.object({
      heures: z
        .array(
          z.object({
            debut: instant(),
            livrees: count('How many were delivered.'),
            echecs: count('How many failed.'),
            en_attente: count('How many wait.'),
          }),
        )
        .describe(
          'The deliveries created in each of the last 24 hours, by their current state. The current hour is last.',
        ),
      derniere_erreur: z
        .object({
          date: instant(),
          statut: z.int().nullable().describe('HTTP status.'),
          erreur: z.string(),
          code: errorCode(),
        })
        .nullable()
        .describe('The newest failed delivery among the newest 100.'),
      sante: receiverHealthShape(),
    }),
  {
    heures: [{ debut: '2026-01-15T10:00:00.000Z', livrees: 17, echecs: 0, en_attente: 1 }],
    derniere_erreur: { date: examples.instant, statut: 503, erreur: 'answered 503', code: 'status_503' },
    sante: receiverHealthExample,
  },
)
/** The deliveries to an endpoint in the last 24 hours, and the endpoint's state. */
export type EndpointActivity = Shape<typeof activityShape>

export const deliveryHealthShape = named(
  'DeliveryHealth',
  () =>
    z.object({
      en_attente: count('How many are not final: due, being attempted, or planned.'),
      dues: count('How many are due and claimed by no process, including those to disabled endpoints.'),
      en_cours: count('How many are being attempted, or claimed to be attempted next.'),
      plus_ancienne: instant().nullable().describe('When the oldest waiting delivery was created.'),
      par_seconde: z
        .number()
        .nonnegative()
        .describe('Deliveries a second, to the hundredth. Counts those created and delivered in the last minute.'),
      livrees_24h: count('How many were delivered, of those created in the last 24 hours.'),
      echecs_24h: count('How many failed, of those created in the last 24 hours.'),
      canaux: z
        .array(z.string())
        .describe('The channels of the service: `webhook`, and those of letters, such as `email` or `whatsapp`.'),
      base: z
        .object({
          moteur: z.string().describe('The kind of database.'),
          schema: z.string().nullable().describe('The newest migration that ran.'),
        })
        .nullable()
        .describe('The store of the service; null: unknown.'),
    }),
  {
    en_attente: 3,
    dues: 0,
    en_cours: 1,
    plus_ancienne: '2026-01-15T10:29:58.000Z',
    par_seconde: 0.35,
    livrees_24h: 412,
    echecs_24h: 1,
    canaux: ['webhook', 'email'],
    base: { moteur: 'PostgreSQL', schema: '0021-traces' },
  },
)
/** The state of the account's deliveries, and of the service's parts. */
export type DeliveryHealth = Shape<typeof deliveryHealthShape>
