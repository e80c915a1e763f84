import type { EventKind } from '@sav/webhook-verify'
import type { NewId } from '../ids.js'
import type { Transaction } from '../ports.js'

export interface NewEvent {
  readonly account_id: string
  readonly event: EventKind
  /** Instant of the change that the event tells. */
  readonly at: string
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * Writes the event and one delivery per subscribed endpoint into the transaction of the change itself. The body is
 * rendered once, so that every attempt sends the same bytes; its `event_id` is inside, where both signatures cover it.
 */
export async function emit(tx: Transaction, newId: NewId, { account_id, event, at, data }: NewEvent): Promise<void> {
  const id = newId('evt')
  const targets = await tx.outbox.subscribers(account_id, event)
  await tx.outbox.add({
    id,
    account_id,
    event,
    body: JSON.stringify({ event, timestamp: at, data: { event_id: id, ...data } }),
    created_at: at,
    deliveries: targets.map((target) => ({ id: newId('dlv'), channel: 'webhook', target })),
  })
}
