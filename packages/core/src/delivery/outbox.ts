import type { EventDataByKind, EventKind, TestEvent } from '@sav/webhook-verify'
import type * as z from 'zod'
import type { Transaction } from '../storage.js'
import type { NewId } from '../values/ids.js'
import type { Lazy } from '../values/lazily.js'
import { isHostTarget } from './host-channel.js'

/** Data by kind of event, including kinds that are only sent on demand. */
interface EmittedData extends EventDataByKind {
  'webhook.test': TestEvent['data']
}

type EmittedKind = keyof EmittedData

/** The data of an event, before writing the event assigns its id. */
export type EventDataOf<Kind extends EmittedKind> = Omit<EmittedData[Kind], 'event_id'>

export interface NewEvent<Kind extends EmittedKind> {
  readonly account_id: string
  readonly event: Kind
  /** Instant of the change. */
  readonly at: string
  /** Inferred from the kind alone. Otherwise data of another kind would widen `Kind` to both. */
  readonly data: NoInfer<EventDataOf<Kind>>
}

/**
 * Writes the event and one delivery per subscriber into the transaction of the change itself. The body is rendered
 * once, so that every attempt sends the same bytes. Its `event_id` is inside, where both signatures cover it.
 */
export async function emit<Kind extends EventKind>(
  tx: Transaction,
  newId: NewId,
  event: NewEvent<Kind>,
): Promise<void> {
  await emitTo(tx, newId, event, await tx.outbox.subscribers(event.account_id, event.event))
}

/** Like `emit`, but to these targets only. Resolves to the ids of the deliveries. */
export const emitTo = <Kind extends EmittedKind>(
  tx: Transaction,
  newId: NewId,
  event: NewEvent<Kind>,
  targets: readonly string[],
): Promise<string[]> => write(tx, newId, event, targets)

/** A kind of event of a feature. */
export interface EventDeclaration {
  /** Its description, for the API contract. */
  readonly description: string
  /**
   * Its data, without `event_id`, which every event has. Use ids instead of personal data: bodies are kept for weeks.
   */
  readonly data: Lazy<z.ZodObject>
  /** An example that the schema accepts. */
  readonly example: object
}

/** The kinds of events of a feature, by names such as `tag.added`. */
export type EventDeclarations = Readonly<Record<string, EventDeclaration>>

/** Emits events of a feature's own kinds, in the transaction of the change. */
export const emitterOf =
  <const E extends EventDeclarations>(_: E) =>
  async <Kind extends keyof E & string>(
    tx: Transaction,
    newId: NewId,
    event: Omit<OwnEvent, 'event' | 'data'> & {
      readonly event: Kind
      readonly data: z.input<ReturnType<E[Kind]['data']>>
    },
  ): Promise<void> => {
    await write(tx, newId, event, await tx.outbox.subscribers(event.account_id, event.event))
  }

interface OwnEvent {
  readonly account_id: string
  readonly event: string
  /** Instant of the change. */
  readonly at: string
  readonly data: object
}

async function write(
  tx: Transaction,
  newId: NewId,
  { account_id, event, at, data }: OwnEvent,
  targets: readonly string[],
): Promise<string[]> {
  const id = newId('evt')
  const deliveries = targets.map((target) => ({ id: newId('dlv'), channel: channelOf(target), target }))
  await tx.outbox.add({
    id,
    account_id,
    event,
    body: JSON.stringify({ event, timestamp: at, data: { event_id: id, ...data } }),
    created_at: at,
    deliveries,
  })
  return deliveries.map((delivery) => delivery.id)
}

const channelOf = (target: string) => (isHostTarget(target) ? target : 'webhook')
