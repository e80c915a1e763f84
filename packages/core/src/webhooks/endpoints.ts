import { type EventKind, eventKinds } from '@sav/webhook-verify'
import * as z from 'zod'
import { ConflictError, type FieldProblem } from '../errors.js'
import type { NewId } from '../ids.js'
import type { Clock, Random, Storage } from '../ports.js'
import { toInstant } from '../time.js'
import { parseWith, text } from '../validation.js'
import type { EndpointRecord } from './endpoint.js'
import { type ReceiverPolicy, receiverUrlProblem } from './receiver-url.js'
import type { Sealer } from './sealing.js'

/** What may be shown of an endpoint: neither its secret nor its headers' values. */
export interface EndpointView {
  readonly id: string
  readonly url: string
  readonly description: string | null
  readonly events: readonly EventKind[]
  /** Names of the custom headers. */
  readonly headers: readonly string[]
  readonly disabled_at: string | null
  readonly disabled_reason: string | null
  readonly created_at: string
  readonly updated_at: string
}

const endpointsPerAccount = 100

/** Written by the sender itself, or about the connection: not for an endpoint to set. */
const reservedHeader =
  /^(content-(type|length|encoding)|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|host|user-agent|proxy-.*|x-webhook-.*|webhook-.*)$/i

const headersInput = z
  // A record drops this name without a word.
  .custom<Record<string, string>>((value) => !Object.hasOwn(Object(value), '__proto__'), {
    message: 'is not a header name',
    path: ['__proto__'],
  })
  .pipe(
    z.record(
      z
        .string()
        .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'is not a header name')
        .refine((name) => !reservedHeader.test(name), 'is written by the sender and cannot be set'),
      z.string().regex(/^[\x20-\x7e]{0,4000}$/, 'must be printable ASCII, at most 4000 characters'),
    ),
  )

export const addEndpointInput = z.strictObject({
  url: z.string(),
  events: z.array(z.enum(eventKinds)).min(1),
  description: text({ max: 500 }).nullable().default(null),
  headers: headersInput.default({}),
})
export type AddEndpointInput = z.input<typeof addEndpointInput>

export interface Endpoints {
  /**
   * The secret is in the answer, and nowhere else ever after.
   * @throws ValidationError, ConflictError when the account has 100 endpoints already
   */
  add(account_id: string, input: AddEndpointInput): Promise<EndpointView & { secret: string }>
  /** Oldest first. */
  list(account_id: string): Promise<EndpointView[]>
}

/** Where a sealed text belongs, so that it opens nowhere else. */
export const placeOf = (endpoint: Pick<EndpointRecord, 'account_id' | 'id'>, what: 'secret' | 'headers'): string =>
  `${endpoint.account_id}/${endpoint.id}/${what}`

export interface EndpointsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly random: Random
  readonly newId: NewId
  readonly sealer: Sealer
  readonly receivers: ReceiverPolicy
}

export function createEndpoints({ storage, clock, random, newId, sealer, receivers }: EndpointsDeps): Endpoints {
  const view = (endpoint: EndpointRecord): EndpointView => ({
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    events: endpoint.events,
    headers: Object.keys(openHeaders(sealer, endpoint)),
    disabled_at: endpoint.disabled_at,
    disabled_reason: endpoint.disabled_reason,
    created_at: endpoint.created_at,
    updated_at: endpoint.updated_at,
  })

  /** Anything but text is left to the schema. */
  const urlProblem = async (input: unknown): Promise<FieldProblem | null> => {
    const { url } = Object(input)
    const message = typeof url === 'string' ? receiverUrlProblem(url, receivers) : null
    return message === null ? null : { field: 'url', message }
  }

  return {
    async add(account_id, input) {
      const { url, events, description, headers } = await parseWith(addEndpointInput, input, urlProblem)

      const secret = `whsec_${Buffer.from(random(32)).toString('base64')}`
      const identity = { id: newId('wh'), account_id }
      const at = toInstant(clock.now())
      const endpoint: EndpointRecord = {
        ...identity,
        url: new URL(url).href,
        description,
        events: eventKinds.filter((kind) => events.includes(kind)),
        sealed_secret: sealer.seal(secret, placeOf(identity, 'secret')),
        sealed_previous_secret: null,
        previous_expires_at: null,
        sealed_headers:
          Object.keys(headers).length === 0 ? null : sealer.seal(JSON.stringify(headers), placeOf(identity, 'headers')),
        disabled_at: null,
        disabled_reason: null,
        removed_at: null,
        created_at: at,
        updated_at: at,
      }
      await storage.transaction(async (tx) => {
        if ((await tx.webhooks.listEndpoints(account_id)).length >= endpointsPerAccount)
          throw new ConflictError(`At most ${endpointsPerAccount} endpoints an account: remove one first.`)
        await tx.webhooks.addEndpoint(endpoint)
      })
      return { ...view(endpoint), secret }
    },

    async list(account_id) {
      return (await storage.webhooks.listEndpoints(account_id)).map(view)
    },
  }
}

export function openHeaders(sealer: Sealer, endpoint: EndpointRecord): Record<string, string> {
  if (endpoint.sealed_headers === null) return {}
  return JSON.parse(sealer.open(endpoint.sealed_headers, placeOf(endpoint, 'headers')))
}
