import * as z from 'zod'
import type { Actor } from '../access/actor.js'
import type { Sealer } from '../crypto/sealing.js'
import { found } from '../errors.js'
import type { Inputs } from '../input-types.gen.js'
import { withHealth } from '../receivers/receiver-records.js'
import { issue } from '../refusals/reason.js'
import type { Storage } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { lazily } from '../values/lazily.js'
import type { Shape } from '../values/shape.js'
import { line, oneLine, overlap } from '../values/validation.js'
import type { EndpointRecord, EndpointView, EndpointWithHealth, newEndpointShape, newSecretShape } from './endpoint.js'
import { type AnyEventKind, eventKind } from './event-kind.js'
import { openHeaders, sealedAs } from './sealed-endpoint.js'

/** Headers that the sender writes itself, or that concern the connection: an endpoint may not set them. */
const reservedHeader =
  /^(content-(type|length|encoding)|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|host|user-agent|proxy-.*|traceparent|x-webhook-.*|webhook-.*)$/i

/** Whether a secret has the form and length that Standard Webhooks requires. */
const isWebhookSecret = (secret: string): boolean => {
  const base64 = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(secret)?.[1]
  const length = Buffer.from(base64 ?? '', 'base64').length
  return length >= 24 && length <= 64
}

const maxHeaders = 20
/** The most bytes of names and values together: what most receivers accept, minus our own headers. */
const maxHeaderBytes = 8192

const headersInput = lazily(() =>
  z
    // A zod record drops the name `__proto__` without an error.
    .custom<Record<string, string>>((value) => !Object.hasOwn(Object(value), '__proto__'), {
      message: issue('header_name_invalid'),
      path: ['__proto__'],
    })
    .refine((value) => typeof value !== 'object' || Object.keys(Object(value)).length <= maxHeaders, {
      message: issue('too_many_headers', { max: maxHeaders }),
    })
    .pipe(
      z
        .record(
          z
            .string()
            .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, { error: issue('header_name_invalid'), abort: true })
            .refine((name) => !reservedHeader.test(name), issue('header_name_reserved')),
          z.string().regex(/^[\x20-\x7e]{0,4000}$/, issue('header_value_invalid')),
        )
        .refine((headers) => Object.entries(headers).flat().join('').length <= maxHeaderBytes, {
          message: issue('headers_too_long', { max: maxHeaderBytes }),
        }),
    )
    .meta({ type: 'object', additionalProperties: { type: 'string' }, maxProperties: maxHeaders }),
)

/**
 * A new receiver: a URL of at most 2048 characters that the service's `ReceiverPolicy` allows; at least one kind of
 * event; at most 20 custom headers, 8192 bytes in all.
 */
export const addEndpointInput = lazily(() =>
  z.strictObject({
    url: oneLine().meta({ format: 'uri' }),
    events: z.array(eventKind()).min(1),
    description: line({ max: 500 }).nullable().default(null),
    headers: headersInput().default({}),
  }),
)
/** The kinds of events that a receiver chooses, including those of features. */
export interface ChosenKinds {
  /** The kinds of events to send to it. */
  events: AnyEventKind[]
}

/** What `webhooks.endpoints.add` takes. */
export type AddEndpointInput = Omit<Inputs['addEndpoint'], 'events'> & ChosenKinds

/**
 * A receiver moved from another sending service. Its secret (`whsec_` and the base64 of 24 to 64 bytes) continues to
 * sign.
 */
export const takeOverEndpointInput = lazily(() =>
  addEndpointInput().extend({ secret: z.string().refine(isWebhookSecret, issue('not_a_webhook_secret')) }),
)

/** Only the given fields change; `headers` replaces all headers. The bounds are those of `addEndpointInput`. */
export const updateEndpointInput = lazily(() =>
  z
    .strictObject({
      url: oneLine().meta({ format: 'uri' }),
      events: z.array(eventKind()).min(1),
      description: line({ max: 500 }).nullable(),
      headers: headersInput(),
    })
    .partial(),
)
/** What `webhooks.endpoints.update` takes. */
export type UpdateEndpointInput = Omit<Inputs['updateEndpoint'], 'events'> & {
  /** The kinds of events to send to it. */
  events?: ChosenKinds['events'] | undefined
}

/** How long a secret overlaps with its successor. */
export const rotateSecretInput = lazily(() =>
  z.strictObject({
    chevauchement_secondes: overlap(
      'For how many seconds the old secret still signs beside the new one; 0 for a secret that has leaked.',
    ),
  }),
)
/** What `webhooks.endpoints.rotateSecret` takes. */
export type RotateSecretInput = Inputs['rotateSecret']

/** An event to test a receiver with. It gets its own id. */
export interface ExampleEvent {
  readonly event: AnyEventKind
  readonly data: object
}

export interface Endpoints {
  /**
   * Adds a receiver. Only this answer contains its secret.
   * @throws ValidationError, ConflictError when the account already has 100 endpoints
   */
  add(actor: Actor, input: AddEndpointInput): Promise<Shape<typeof newEndpointShape>>
  /**
   * Adds a receiver with the secret that it already checks. If one with this URL and secret exists, nothing changes.
   * @throws ValidationError, ConflictError when the account already has 100 endpoints
   */
  takeOver(
    actor: Actor,
    input: AddEndpointInput & { secret: string },
  ): Promise<{ endpoint: EndpointView; isNew: boolean }>
  /** Oldest first. */
  list(account_id: string): Promise<EndpointWithHealth[]>
  /** @throws NotFoundError */
  get(account_id: string, id: string): Promise<EndpointView>
  /**
   * Replaces the given fields. A new URL also applies to waiting deliveries. If its origin is different, the custom
   * headers are removed, unless new ones are given. @throws ValidationError, NotFoundError
   */
  update(actor: Actor, id: string, input: UpdateEndpointInput): Promise<EndpointView>
  /** Its deliveries wait, at most 30 days, until it is enabled. @throws NotFoundError */
  disable(actor: Actor, id: string): Promise<EndpointView>
  /** Sends waiting deliveries at once. @throws NotFoundError */
  enable(actor: Actor, id: string): Promise<EndpointView>
  /** Fails its waiting deliveries (`endpoint removed`); its history stays. @throws NotFoundError */
  remove(actor: Actor, id: string): Promise<void>
  /**
   * Gives the endpoint a new secret, which only this answer contains. Until `previous_expires_at` the previous one
   * signs as well, and so does each earlier one until its own end: see webhook-channel.ts. Without an overlap, no other
   * secret signs.
   * @throws NotFoundError, ConflictError when five secrets would sign
   */
  rotateSecret(actor: Actor, id: string, input: RotateSecretInput): Promise<Shape<typeof newSecretShape>>
  /**
   * Sends a `webhook.test` to this endpoint only, or `example`: an invented event of a kind that it can choose. @throws
   * NotFoundError, ConflictError while it is disabled
   */
  test(actor: Actor, id: string, example?: ExampleEvent): Promise<{ delivery_id: string }>
  /** Seals every secret of every account again, with the current key. Resolves to the number of changed endpoints. */
  reseal(): Promise<number>
}

/** The view of an endpoint. */
export function endpointView(sealer: Sealer, endpoint: EndpointRecord): EndpointView {
  const { id, url, description, events, disabled_at, disabled_reason, created_at, updated_at } = endpoint
  const headers = Object.keys(openHeaders(sealer, endpoint))
  return { id, url, description, events, headers, disabled_at, disabled_reason, created_at, updated_at }
}

export function endpointQueries({
  storage,
  sealer,
  clock,
}: {
  readonly storage: Storage
  readonly sealer: Sealer
  readonly clock: Pick<Clock, 'now'>
}): Pick<Endpoints, 'get' | 'list' | 'reseal'> {
  const { reads } = storage

  return {
    async list(account_id) {
      const endpoints = await reads.endpoints.list(account_id)
      const found = await withHealth(reads, account_id, { endpoints, now: clock.now() })
      return found.map(({ endpoint, sante }) => ({ ...endpointView(sealer, endpoint), sante }))
    },

    async get(account_id, id) {
      return endpointView(sealer, found(await reads.endpoints.find(account_id, id), 'endpoint', id))
    },

    async reseal() {
      const again = (sealed: string | null, owner: string) => sealed && sealer.seal(sealer.open(sealed, owner), owner)
      let changed = 0
      for (let afterId = ''; ; ) {
        const page = await storage.transaction(async (tx) => {
          const endpoints = await tx.endpoints.every({ afterId, limit: 100 })
          for (const endpoint of endpoints) {
            await tx.endpoints.update({
              ...endpoint,
              sealed_secret: again(endpoint.sealed_secret, sealedAs(endpoint, 'secret')) ?? '',
              previous_secrets: endpoint.previous_secrets.map(({ sealed, expires_at }) => ({
                sealed: again(sealed, sealedAs(endpoint, 'secret')) ?? '',
                expires_at,
              })),
              sealed_headers: again(endpoint.sealed_headers, sealedAs(endpoint, 'headers')),
            })
          }
          return endpoints
        })
        changed += page.length
        const last = page.at(-1)
        if (last === undefined) return changed
        afterId = last.id
      }
    },
  }
}
