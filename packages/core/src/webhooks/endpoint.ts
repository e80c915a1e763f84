import * as z from 'zod'
import { receiverHealthExample, receiverHealthShape } from '../receivers/receiver-health.js'
import { lazily } from '../values/lazily.js'
import { examples, instant, named, type Shape } from '../values/shape.js'
import { eventKind } from './event-kind.js'

const id = lazily(() => z.string().describe('`wh_…`'))
const secret = lazily(() => z.string().describe('The secret, `whsec_…`. Only this answer contains it.'))

const fields = lazily(() => ({
  id: id(),
  url: z.string(),
  description: z.string().nullable(),
  events: z.array(eventKind()),
  headers: z.array(z.string()).describe('Names of the custom headers.'),
  disabled_at: instant().nullable(),
  disabled_reason: z.string().nullable(),
  created_at: instant(),
  updated_at: instant(),
}))
const example = {
  id: examples.endpoint,
  url: 'https://receiver.example/hook',
  description: 'Caisse',
  events: ['sav.created' as const, 'sav.closed' as const],
  headers: ['X-Token'],
  disabled_at: null,
  disabled_reason: null,
  created_at: examples.instant,
  updated_at: examples.instant,
}
const secretExample = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='

export const endpointShape = named('Endpoint', () => z.object(fields()), example)
/** An endpoint as its account may see it: without its secret and the values of its headers. */
export type EndpointView = Shape<typeof endpointShape>

export const endpointWithHealthShape = named(
  'EndpointWithHealth',
  () => z.object({ ...fields(), sante: receiverHealthShape() }),
  { ...example, sante: receiverHealthExample },
)
/** An endpoint with its health. */
export type EndpointWithHealth = Shape<typeof endpointWithHealthShape>

export const newEndpointShape = named('NewEndpoint', () => z.object({ ...fields(), secret: secret() }), {
  ...example,
  secret: secretExample,
})
export const newSecretShape = named(
  'NewSecret',
  () =>
    z.object({
      id: id(),
      secret: secret(),
      previous_expires_at: instant().nullable().describe('When the old secret stops signing; null if it already has.'),
    }),
  { id: example.id, secret: secretExample, previous_expires_at: examples.instant },
)
export const testDeliveryShape = named('TestDelivery', () => z.object({ delivery_id: z.string() }), {
  delivery_id: examples.delivery,
})
export const removedShape = named('Removed', () => z.object({ id: id() }), { id: example.id })

/** A sealed secret that a rotation has replaced, and that signs until `expires_at`. */
export interface PreviousSecret {
  readonly sealed: string
  readonly expires_at: string
}

/** A receiver as stored. Secrets and custom headers are sealed (see sealing.ts). Ids are time-ordered. */
export interface EndpointRecord extends Omit<EndpointView, 'headers'> {
  readonly account_id: string
  readonly sealed_secret: string
  /** Earlier secrets that still sign during a rotation, oldest first, with their ends. */
  readonly previous_secrets: readonly PreviousSecret[]
  readonly sealed_headers: string | null
  readonly removed_at: string | null
  /** Since when no attempt has succeeded; null after a success, or before the first failure. */
  readonly failing_since: string | null
  /** Null while no delivery has failed since the last success. */
  readonly failures: EndpointFailures | null
}

/** The failed deliveries since the last success. All times are instants. */
export interface EndpointFailures {
  /** The earliest failure that is compared with the next one. A later failure replaces it when it is too old. */
  readonly first: string
  /** The latest failure, stored at most once a minute, until `counted_since` is set. */
  readonly last: string
  /** When the failures had lasted long enough to begin the time until the endpoint is disabled. */
  readonly counted_since: string | null
}
