import type { EventDataByKind, EventKind } from '@sav/webhook-verify'
import type * as z from 'zod'
import type { Permission } from '../access/permissions.js'
import type { Transaction } from '../storage.js'
import type { NewId } from '../values/ids.js'
import type { Lazy } from '../values/lazily.js'
import type { DeepReadonly } from '../values/shape.js'
import type { CoreEventKind } from './event-kinds.js'
import { isHostTarget } from './host-channel.js'

/** The data of an event, without the id that is assigned when the event is written. */
export type EventDataOf<Kind extends EventKind> = Omit<EventDataByKind[Kind], 'event_id'>

interface NewEvent<Kind extends CoreEventKind> extends Omit<AnyEvent, 'data'> {
  readonly event: Kind
  /** `NoInfer`: `Kind` is inferred from the kind alone. Otherwise data of another kind would widen `Kind` to both. */
  readonly data: NoInfer<EventDataOf<Kind>>
}

/**
 * Writes the event and one delivery per subscriber into the transaction of the change itself. The body is rendered
 * once, so that every attempt sends the same bytes. It contains the `event_id`, so that both signatures cover it.
 */
export async function emit<Kind extends CoreEventKind>(
  tx: Transaction,
  newId: NewId,
  event: NewEvent<Kind>,
): Promise<void> {
  await emitTo(tx, newId, event, await tx.outbox.subscribers(event.account_id, event.event))
}

/** A kind of event of a feature. */
export interface EventDeclaration {
  /** Its description, for the API contract. Default: its name. */
  readonly description?: string
  /** The permission needed to read it. Default: `sav:read`. */
  readonly permission?: Permission
  /**
   * Its data, without `event_id`, which every event has. Use ids instead of personal data: bodies are kept for weeks.
   */
  readonly data: Lazy<z.ZodObject>
  /** An example that the schema accepts. */
  readonly example: object
}

/** The kinds of events of a feature, by names such as `tag.added`. */
export type EventDeclarations = Readonly<Record<string, EventDeclaration>>

/** What `emitterOf` returns. */
export type Emit<E extends EventDeclarations> = <Kind extends keyof E & string>(
  tx: Transaction,
  newId: NewId,
  event: {
    readonly account_id: string
    readonly event: Kind
    /** Instant of the change. */
    readonly at: string
    readonly data: DeepReadonly<z.input<ReturnType<E[Kind]['data']>>>
  },
) => Promise<void>

/** Emits events of a feature's own kinds, in the transaction of the change. */
export const emitterOf =
  <const E extends EventDeclarations>(_: E): Emit<E> =>
  async (tx, newId, event) => {
    await emitTo(tx, newId, event, await tx.outbox.subscribers(event.account_id, event.event))
  }

interface AnyEvent {
  readonly account_id: string
  readonly event: string
  /** Instant of the change. */
  readonly at: string
  readonly data: object
}

/** Writes the event with deliveries to these targets only. Resolves to the ids of the deliveries. */
export async function emitTo(
  tx: Transaction,
  newId: NewId,
  { account_id, event, at, data }: AnyEvent,
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
