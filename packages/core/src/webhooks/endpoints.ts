import { type EventKind, eventKinds } from '@sav/webhook-verify'
import * as z from 'zod'
import { Secret } from '../access/secret.js'
import { ConflictError, type FieldProblem, NotFoundError } from '../errors.js'
import type { NewId } from '../ids.js'
import type { Clock, Random, Storage } from '../ports.js'
import { toInstant } from '../time.js'
import { parse, parseWith, text } from '../validation.js'
import type { EndpointRecord } from './endpoint.js'
import { emitTo } from './outbox.js'
import { type ReceiverPolicy, receiverUrlProblem } from './receiver-url.js'
import type { Sealer } from './sealing.js'
import { expireWaiting } from './upkeep.js'

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
  .meta({ type: 'object', additionalProperties: { type: 'string' } })

export const addEndpointInput = z.strictObject({
  url: z.string().meta({ format: 'uri' }),
  events: z.array(z.enum(eventKinds)).min(1),
  description: text({ max: 500 }).nullable().default(null),
  headers: headersInput.default({}),
})
export type AddEndpointInput = z.input<typeof addEndpointInput>

export const updateEndpointInput = z
  .strictObject({
    url: z.string().meta({ format: 'uri' }),
    events: z.array(z.enum(eventKinds)).min(1),
    description: text({ max: 500 }).nullable(),
    headers: headersInput,
  })
  .partial()
export type UpdateEndpointInput = z.input<typeof updateEndpointInput>

export const rotateSecretInput = z.strictObject({
  /** How long the old secret goes on signing beside the new one; 0 for a secret that has leaked. */
  chevauchement_secondes: z
    .int()
    .min(0)
    .max(7 * 86_400)
    .default(86_400),
})
export type RotateSecretInput = z.input<typeof rotateSecretInput>

export interface Endpoints {
  /**
   * The secret is in the answer, and nowhere else ever after.
   * @throws ValidationError, ConflictError when the account has 100 endpoints already
   */
  add(account_id: string, input: AddEndpointInput): Promise<EndpointView & { secret: string }>
  /** Oldest first. */
  list(account_id: string): Promise<EndpointView[]>
  /** @throws NotFoundError */
  get(account_id: string, id: string): Promise<EndpointView>
  /** Replaces the fields that are given; a new URL applies to what waits already. @throws ValidationError, NotFoundError */
  update(account_id: string, id: string, input: UpdateEndpointInput): Promise<EndpointView>
  /** Its deliveries wait, at most 30 days, until it is enabled again. @throws NotFoundError */
  disable(account_id: string, id: string): Promise<EndpointView>
  /** What waited goes out at once. @throws NotFoundError */
  enable(account_id: string, id: string): Promise<EndpointView>
  /** Fails what waits for it (`endpoint removed`); its history stays. @throws NotFoundError */
  remove(account_id: string, id: string): Promise<void>
  /**
   * The new secret is in the answer, and nowhere else ever after. Until `previous_expires_at` both sign: see
   * webhook-channel.ts. @throws NotFoundError
   */
  rotateSecret(
    account_id: string,
    id: string,
    input: RotateSecretInput,
  ): Promise<{ id: string; secret: string; previous_expires_at: string | null }>
  /** Sends a `webhook.test` to this endpoint alone. @throws NotFoundError, ConflictError while it is disabled */
  test(account_id: string, id: string): Promise<{ delivery_id: string }>
  /** Seals every secret of every account anew, with the key in use. Resolves to how many endpoints it changed. */
  reseal(): Promise<number>
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
  /** Called after a commit that may have left something to deliver. */
  readonly committed: () => void
}

export function createEndpoints(deps: EndpointsDeps): Endpoints {
  const { storage, clock, random, newId, sealer, receivers, committed } = deps
  const now = () => toInstant(clock.now())
  const newSecret = () => new Secret(`whsec_${Buffer.from(random(32)).toString('base64')}`)
  const chosen = (events: readonly EventKind[]) => eventKinds.filter((kind) => events.includes(kind))

  const sealHeaders = (owner: Pick<EndpointRecord, 'account_id' | 'id'>, headers: Record<string, string>) =>
    Object.keys(headers).length === 0
      ? null
      : sealer.seal(new Secret(JSON.stringify(headers)), placeOf(owner, 'headers'))

  /** Replaces what `decide` says, in a transaction that resolves to what `answer` makes of it. @throws NotFoundError */
  async function change<Answer>(
    account_id: string,
    id: string,
    decide: (found: EndpointRecord) => Partial<EndpointRecord>,
    answer: (changed: EndpointRecord) => Answer,
  ): Promise<Answer> {
    const changed = await storage.transaction(async (tx) => {
      const found = foundEndpoint(await tx.webhooks.findEndpoint(account_id, id), id)
      const endpoint = { ...found, ...decide(found), updated_at: now() }
      await tx.webhooks.updateEndpoint(endpoint)
      return answer(endpoint)
    })
    committed()
    return changed
  }

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

      const secret = newSecret()
      const identity = { id: newId('wh'), account_id }
      const at = now()
      const endpoint: EndpointRecord = {
        ...identity,
        url: new URL(url).href,
        description,
        events: chosen(events),
        sealed_secret: sealer.seal(secret, placeOf(identity, 'secret')),
        sealed_previous_secret: null,
        previous_expires_at: null,
        sealed_headers: sealHeaders(identity, headers),
        disabled_at: null,
        disabled_reason: null,
        removed_at: null,
        failing_since: null,
        created_at: at,
        updated_at: at,
      }
      return storage.transaction(async (tx) => {
        if ((await tx.webhooks.listEndpoints(account_id)).length >= endpointsPerAccount)
          throw new ConflictError(`At most ${endpointsPerAccount} endpoints an account: remove one first.`)
        await tx.webhooks.addEndpoint(endpoint)
        return { ...view(endpoint), secret: secret.reveal() }
      })
    },

    async list(account_id) {
      return (await storage.webhooks.listEndpoints(account_id)).map(view)
    },

    async get(account_id, id) {
      return view(foundEndpoint(await storage.webhooks.findEndpoint(account_id, id), id))
    },

    async update(account_id, id, input) {
      const { url, events, description, headers } = await parseWith(updateEndpointInput, input, urlProblem)
      const decide = (found: EndpointRecord) => ({
        ...(url !== undefined && { url: new URL(url).href }),
        ...(events !== undefined && { events: chosen(events) }),
        ...(description !== undefined && { description }),
        ...(headers !== undefined && { sealed_headers: sealHeaders(found, headers) }),
      })
      return change(account_id, id, decide, view)
    },

    async disable(account_id, id) {
      const decide = ({ disabled_at, disabled_reason }: EndpointRecord) => ({
        disabled_at: disabled_at ?? now(),
        disabled_reason: disabled_reason ?? 'disabled by hand',
      })
      return change(account_id, id, decide, view)
    },

    async enable(account_id, id) {
      const enabled = { disabled_at: null, disabled_reason: null, failing_since: null }
      return change(account_id, id, () => enabled, view)
    },

    async remove(account_id, id) {
      await change(
        account_id,
        id,
        () => ({ removed_at: now(), events: [] }),
        () => undefined,
      )
      await expireWaiting({ storage, clock })
    },

    async rotateSecret(account_id, id, input) {
      const { chevauchement_secondes } = parse(rotateSecretInput, input)
      const secret = newSecret()
      const overlaps = chevauchement_secondes > 0
      const decide = (found: EndpointRecord) => ({
        sealed_secret: sealer.seal(secret, placeOf(found, 'secret')),
        sealed_previous_secret: overlaps ? found.sealed_secret : null,
        previous_expires_at: overlaps ? toInstant(clock.now() + chevauchement_secondes * 1000) : null,
      })
      const answer = ({ previous_expires_at }: EndpointRecord) => ({ id, secret: secret.reveal(), previous_expires_at })
      return change(account_id, id, decide, answer)
    },

    async test(account_id, id) {
      const at = now()
      const sent = await storage.transaction(async (tx) => {
        const found = foundEndpoint(await tx.webhooks.findEndpoint(account_id, id), id)
        if (found.disabled_at !== null) throw new ConflictError(`Endpoint ${id} is disabled: enable it first.`)
        const event = { account_id, event: 'webhook.test', at, data: { endpoint_id: id } } as const
        const [delivery_id = ''] = await emitTo(tx, newId, event, [id])
        return { delivery_id }
      })
      committed()
      return sent
    },

    async reseal() {
      const again = (sealed: string | null, place: string) => sealed && sealer.seal(sealer.open(sealed, place), place)
      let changed = 0
      for (let afterId = ''; ; ) {
        const page = await storage.transaction(async (tx) => {
          const endpoints = await tx.webhooks.everyEndpoint({ afterId, limit: 100 })
          for (const endpoint of endpoints) {
            await tx.webhooks.updateEndpoint({
              ...endpoint,
              sealed_secret: again(endpoint.sealed_secret, placeOf(endpoint, 'secret')) ?? '',
              sealed_previous_secret: again(endpoint.sealed_previous_secret, placeOf(endpoint, 'secret')),
              sealed_headers: again(endpoint.sealed_headers, placeOf(endpoint, 'headers')),
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

function foundEndpoint(endpoint: EndpointRecord | null, id: string): EndpointRecord {
  if (endpoint === null) throw new NotFoundError('endpoint', id)
  return endpoint
}

export function openHeaders(sealer: Sealer, endpoint: EndpointRecord): Record<string, string> {
  if (endpoint.sealed_headers === null) return {}
  return JSON.parse(sealer.open(endpoint.sealed_headers, placeOf(endpoint, 'headers')).reveal())
}
