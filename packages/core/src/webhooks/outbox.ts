import type { EventKind } from '@sav/webhook-verify'
import type { NewId } from '../ids.js'
import type { Transaction } from '../ports.js'

export interface NewEvent {
  readonly account_id: string
  readonly event: EventKind | 'webhook.test'
  /** Instant of the change that the event tells. */
  readonly at: string
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * Writes the event and one delivery per subscribed endpoint into the transaction of the change itself. The body is
 * rendered once, so that every attempt sends the same bytes; its `event_id` is inside, where both signatures cover it.
 */
export async function emit(tx: Transaction, newId: NewId, event: NewEvent): Promise<void> {
  await emitTo(tx, newId, event, await tx.outbox.subscribers(event.account_id, event.event))
}

/** Like `emit`, to these endpoints whatever they chose. Resolves to the ids of the deliveries. */
export async function emitTo(
  tx: Transaction,
  newId: NewId,
  { account_id, event, at, data }: NewEvent,
  targets: readonly string[],
): Promise<string[]> {
  const id = newId('evt')
  const deliveries = targets.map((target) => ({ id: newId('dlv'), channel: 'webhook', target }))
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
