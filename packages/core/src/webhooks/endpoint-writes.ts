import * as z from 'zod'
import type { Actor } from '../access/actor.js'
import type { Sealer } from '../crypto/sealing.js'
import { Secret } from '../crypto/secret.js'
import { emitTo } from '../delivery/outbox.js'
import { expireWaiting } from '../delivery/upkeep.js'
import { conflict, type FieldProblem, found } from '../errors.js'
import type { Storage, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant, toMs } from '../time/time.js'
import type { NewId } from '../values/ids.js'
import { lazily, type Output } from '../values/lazily.js'
import type { Random } from '../values/random.js'
import { parse, parseWith } from '../values/validation.js'
import { preparedWrite, type Write, type WritesOf } from '../write.js'
import type { EndpointRecord, EndpointView, PreviousSecret } from './endpoint.js'
import {
  addEndpointInput,
  type Endpoints,
  endpointView,
  rotateSecretInput,
  takeOverEndpointInput,
  updateEndpointInput,
} from './endpoints.js'
import { type LookUp, receiverNameProblem } from './receiver-name.js'
import { type ReceiverPolicy, receiverUrlProblem } from './receiver-url.js'
import { sealedAs, sealHeaders } from './sealed-endpoint.js'

const maxEndpointsPerAccount = 100

/** How many secrets may sign at once. Each of them lengthens a header of every attempt. */
const maxSigningSecrets = 5

export interface EndpointWritesDeps {
  readonly storage: Pick<Storage, 'queue'>
  readonly clock: Clock
  readonly random: Random
  readonly newId: NewId
  readonly sealer: Sealer
  readonly receivers: ReceiverPolicy
  readonly lookUp?: LookUp | undefined
  /** The kinds of events that a receiver can choose. */
  readonly kinds: readonly string[]
}

type Writes = WritesOf<
  Endpoints,
  'add' | 'takeOver' | 'update' | 'disable' | 'enable' | 'remove' | 'rotateSecret' | 'test'
>

export function endpointWrites(deps: EndpointWritesDeps): Writes {
  const { storage, clock, random, newId, sealer } = deps
  const now = () => toInstant(clock.now())
  const newSecret = () => new Secret(`whsec_${Buffer.from(random(32)).toString('base64')}`)
  const inputs = inputsOf(deps)
  const view = (endpoint: EndpointRecord): EndpointView => endpointView(sealer, endpoint)

  /** Replaces the fields that `decide` returns. Resolves to the changed endpoint. */
  async function replace(
    tx: Transaction,
    { account_id }: Actor,
    id: string,
    decide: (found: EndpointRecord) => Partial<EndpointRecord>,
  ): Promise<EndpointRecord> {
    const before = found(await tx.endpoints.find(account_id, id), 'endpoint', id)
    const endpoint = { ...before, ...decide(before), updated_at: now() }
    await tx.endpoints.update(endpoint)
    return endpoint
  }

  function change<Answer>(
    actor: Actor,
    id: string,
    decide: (found: EndpointRecord) => Partial<EndpointRecord>,
    answer: (changed: EndpointRecord) => Answer,
  ): Write<Answer> {
    return { write: async (tx) => answer(await replace(tx, actor, id, decide)) }
  }

  return {
    add({ account_id }, input) {
      return preparedWrite({
        prepare: () => parseWith(inputs.add, input, urlProblem(deps, account_id)),
        async write(tx, { url, events, description, headers }) {
          refuseTooMany(await tx.endpoints.list(account_id))
          const secret = newSecret()
          const endpoint = newEndpoint({ account_id, url, events, description, headers }, secret, deps)
          await tx.endpoints.add(endpoint)
          return { ...view(endpoint), secret: secret.reveal() }
        },
      })
    },

    takeOver({ account_id }, input) {
      return preparedWrite({
        prepare: () => parseWith(inputs.takeOver, input, urlProblem(deps, account_id)),
        async write(tx, { secret: given, ...input }) {
          const endpoints = await tx.endpoints.list(account_id)
          const signsSo = (found: EndpointRecord) =>
            sealer.open(found.sealed_secret, sealedAs(found, 'secret')).reveal() === given
          const there = endpoints.find((endpoint) => endpoint.url === new URL(input.url).href && signsSo(endpoint))
          if (there !== undefined) return { endpoint: view(there), isNew: false }
          refuseTooMany(endpoints)
          const endpoint = newEndpoint({ account_id, ...input }, new Secret(given), deps)
          await tx.endpoints.add(endpoint)
          return { endpoint: view(endpoint), isNew: true }
        },
      })
    },

    update(actor, id, input) {
      return preparedWrite({
        prepare: () => parseWith(inputs.update, input, urlProblem(deps, actor.account_id)),
        async write(tx, { url, events, description, headers }) {
          const decide = (found: EndpointRecord) => ({
            ...(url !== undefined && moved(found, url)),
            ...(events !== undefined && { events: chosen(events, deps) }),
            ...(description !== undefined && { description }),
            ...(headers !== undefined && { sealed_headers: sealHeaders(sealer, found, headers) }),
          })
          return view(await replace(tx, actor, id, decide))
        },
      })
    },

    disable(actor, id) {
      const decide = ({ disabled_at, disabled_reason }: EndpointRecord) => ({
        disabled_at: disabled_at ?? now(),
        disabled_reason: disabled_reason ?? 'disabled by hand',
      })
      return change(actor, id, decide, view)
    },

    enable(actor, id) {
      const enabled = { disabled_at: null, disabled_reason: null, failing_since: null, failures: null }
      return change(actor, id, () => enabled, view)
    },

    remove(actor, id) {
      const removed = () => ({ removed_at: now(), events: [] })
      return {
        ...change(actor, id, removed, nothing),
        committed: () => expireWaiting({ storage, clock }),
      }
    },

    rotateSecret(actor, id, input) {
      const { chevauchement_secondes } = parse(rotateSecretInput, input)
      const secret = newSecret()
      const decide = (found: EndpointRecord) => ({
        sealed_secret: sealer.seal(secret, sealedAs(found, 'secret')),
        previous_secrets: previousSecrets(found, clock.now(), chevauchement_secondes),
      })
      const answer = ({ previous_secrets }: EndpointRecord) => ({
        id,
        secret: secret.reveal(),
        previous_expires_at: previous_secrets.at(-1)?.expires_at ?? null,
      })
      return change(actor, id, decide, answer)
    },

    test({ account_id }, id, example) {
      return {
        async write(tx) {
          const endpoint = found(await tx.endpoints.find(account_id, id), 'endpoint', id)
          if (endpoint.disabled_at !== null) throw conflict('endpoint_disabled', { id })
          const about = { account_id, at: now() }
          const [delivery_id = ''] =
            example === undefined
              ? await emitTo(tx, newId, { ...about, event: 'webhook.test', data: { endpoint_id: id } }, [id])
              : await emitTo(tx, newId, { ...about, ...example }, [id])
          return { delivery_id }
        },
      }
    },
  }
}

const nothing = () => undefined

/** The input schemas, with all kinds of events of the service. */
function inputsOf({ kinds }: EndpointWritesDeps) {
  const events = z.array(z.enum(kinds)).min(1)
  return {
    add: lazily(() => addEndpointInput().extend({ events })),
    takeOver: lazily(() => takeOverEndpointInput().extend({ events })),
    update: lazily(() => updateEndpointInput().extend({ events: events.optional() })),
  }
}

function refuseTooMany(endpoints: readonly EndpointRecord[]): void {
  if (endpoints.length >= maxEndpointsPerAccount) throw conflict('too_many_endpoints', { max: maxEndpointsPerAccount })
}

/** The chosen kinds of events, in declaration order. */
const chosen = (events: readonly string[], { kinds }: EndpointWritesDeps) =>
  kinds.filter((kind) => events.includes(kind))

/** Checks only texts; the schema refuses anything else. */
const urlProblem =
  ({ receivers, lookUp, clock }: EndpointWritesDeps, account_id: string) =>
  async (input: unknown): Promise<FieldProblem | null> => {
    const { url } = Object(input)
    if (typeof url !== 'string') return null
    const fault =
      receiverUrlProblem(url, receivers) ??
      (lookUp && (await receiverNameProblem(url, { account_id, receivers, lookUp, clock })))
    return fault === null || fault === undefined ? null : { field: 'url', ...fault }
  }

function newEndpoint(
  { account_id, url, events, description, headers }: Output<typeof addEndpointInput> & { readonly account_id: string },
  secret: Secret,
  deps: EndpointWritesDeps,
): EndpointRecord {
  const { newId, sealer, clock } = deps
  const identity = { id: newId('wh'), account_id }
  const at = toInstant(clock.now())
  return {
    ...identity,
    url: new URL(url).href,
    description,
    events: chosen(events, deps),
    sealed_secret: sealer.seal(secret, sealedAs(identity, 'secret')),
    previous_secrets: [],
    sealed_headers: sealHeaders(sealer, identity, headers),
    disabled_at: null,
    disabled_reason: null,
    removed_at: null,
    failing_since: null,
    failures: null,
    created_at: at,
    updated_at: at,
  }
}

/** Empties the headers if the origin changes: they were meant for the previous receiver only. */
function moved(found: EndpointRecord, url: string): Partial<EndpointRecord> {
  const { href, origin } = new URL(url)
  return { url: href, ...(origin !== new URL(found.url).origin && { sealed_headers: null }) }
}

/**
 * The secrets that sign beside the new one, each until its promised end. None without an overlap.
 * @throws ConflictError when too many would sign
 */
function previousSecrets(
  { id, sealed_secret, previous_secrets }: EndpointRecord,
  now: number,
  overlapSeconds: number,
): readonly PreviousSecret[] {
  if (overlapSeconds === 0) return []
  const signing = previous_secrets.filter(({ expires_at }) => now < toMs(expires_at))
  if (signing.length + 2 <= maxSigningSecrets)
    return [...signing, { sealed: sealed_secret, expires_at: toInstant(now + overlapSeconds * 1000) }]
  const [first] = signing.map(({ expires_at }) => expires_at).sort()
  throw conflict('too_many_secrets', { id, until: first ?? '' })
}
