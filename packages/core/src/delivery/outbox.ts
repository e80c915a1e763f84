import type { EventDataByKind, EventKind, TestEvent } from '@sav/webhook-verify'
import type { Transaction } from '../storage.js'
import type { NewId } from '../values/ids.js'
import { isHostTarget } from './host-channel.js'

/** What is written down: the kinds that a receiver can choose, and what is sent on demand. */
interface EmittedData extends EventDataByKind {
  'webhook.test': TestEvent['data']
}

type EmittedKind = keyof EmittedData

/** What an event of a kind tells, as its receivers know it; its id is given when it is written down. */
export type EventDataOf<Kind extends EmittedKind> = Omit<EmittedData[Kind], 'event_id'>

export interface NewEvent<Kind extends EmittedKind> {
  readonly account_id: string
  readonly event: Kind
  /** Instant of the change that the event tells. */
  readonly at: string
  /** Inferred from the kind alone: data of another kind would widen it to both. */
  readonly data: NoInfer<EventDataOf<Kind>>
}

/**
 * Writes the event and one delivery per subscriber into the transaction of the change itself. The body is
 * rendered once, so that every attempt sends the same bytes; its `event_id` is inside, where both signatures cover it.
 */
export async function emit<Kind extends EventKind>(
  tx: Transaction,
  newId: NewId,
  event: NewEvent<Kind>,
): Promise<void> {
  await emitTo(tx, newId, event, await tx.outbox.subscribers(event.account_id, event.event))
}

/** Like `emit`, to these targets whatever they chose. Resolves to the ids of the deliveries. */
export async function emitTo<Kind extends EmittedKind>(
  tx: Transaction,
  newId: NewId,
  { account_id, event, at, data }: NewEvent<Kind>,
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
