/** Common steps of the queue's tests. */

import type { DeliveryUpdate, DueTarget } from '@sav/core/feature'
import type { AttemptOutcome, AttemptRecord, ClaimedDelivery, ClaimRequest, Lane, Storage } from '@sav/core/ports'
import { addEndpoint, addOwner, type DeliverySample, enqueue, instant, present } from './samples.js'

export const leaseMs = 15_000

/** An account `ours` with the endpoints `wh_1` and `wh_2`. */
export async function prepare(storage: Storage): Promise<void> {
  await addOwner(storage, 'ours')
  await addEndpoint(storage, 'ours', 'wh_1')
  await addEndpoint(storage, 'ours', 'wh_2')
}

/** The deliveries `dlv_<name>` to `wh_1`, each at its instant. */
export async function addDeliveries(
  storage: Storage,
  at: Readonly<Record<string, number>>,
  fields: Partial<DeliverySample> = {},
) {
  await storage.transaction(async (tx) => {
    for (const [name, ms] of Object.entries(at)) {
      await enqueue(tx, { account_id: 'ours', target: 'wh_1', name, created_at: instant(ms), ...fields })
    }
  })
}

export interface Claim extends Partial<ClaimRequest> {
  readonly at?: number
  readonly token?: string
}

export function claim(
  storage: Storage,
  { at = 0, token = 'token', ...request }: Claim = {},
): Promise<ClaimedDelivery[]> {
  return storage.queue.claim([{ target: 'wh_1', channel: 'webhook', lane: 'first', limit: 100, ...request }], {
    now: instant(at),
    leasedUntil: instant(at + leaseMs),
    token,
  })
}

export async function oldestDue({ queue }: Storage, at = 0): Promise<string | null> {
  return (await queue.lateness({ now: instant(at), behindSince: instant(at) })).oldest_due
}

export async function claimOne(storage: Storage, request: Claim = {}): Promise<ClaimedDelivery> {
  const claimed = await claim(storage, request)
  return present(claimed[0])
}

export function attempt(fields: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    n: 1,
    started_at: instant(),
    duration_ms: 12,
    status: 500,
    error: 'answered 500',
    error_code: 'status_500',
    response_headers: null,
    response: null,
    ...fields,
  }
}

/** A first failure with the next attempt 30 s after the start. */
export function update(fields: Partial<DeliveryUpdate> = {}): DeliveryUpdate {
  return {
    state: 'pending',
    attempt_count: 1,
    run_attempt_count: 1,
    next_attempt_at: instant(30_000),
    last_status: 500,
    last_error: 'answered 500',
    last_error_code: 'status_500',
    ...fields,
  }
}

export const delivered = update({
  state: 'delivered',
  next_attempt_at: null,
  last_status: 204,
  last_error: null,
  last_error_code: null,
})
export const failed = update({ state: 'failed', next_attempt_at: null })

export function outcome(delivery: AttemptOutcome['delivery'], result: DeliveryUpdate = update()): AttemptOutcome {
  return { delivery, attempt: attempt({ n: result.attempt_count }), update: result }
}

export async function dueAt(storage: Storage, ms: number): Promise<DueTarget[]> {
  const key = ({ channel, target, lane }: DueTarget) => `${channel} ${target} ${lane}`
  return (await storage.queue.due(instant(ms))).toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

export function webhook(target: string, lane: Lane): DueTarget {
  return { target, channel: 'webhook', lane }
}

export const ids = (deliveries: readonly { readonly id: string }[]) => deliveries.map(({ id }) => id)

/** A delivery as claimed for its first attempt. */
export function claimedDelivery(fields: Partial<ClaimedDelivery> = {}): ClaimedDelivery {
  return {
    id: 'dlv_1',
    account_id: 'ours',
    created_at: '2026-01-15T10:30:00.000Z',
    channel: 'webhook',
    lane: 'first',
    target: 'wh_1',
    event_id: 'evt_1',
    event: 'sav.created',
    body: '{}',
    attempt_count: 0,
    run_attempt_count: 0,
    run_started_at: '2026-01-15T10:30:00.000Z',
    next_attempt_at: '2026-01-15T10:30:00.000Z',
    lease_token: 'token',
    leased_until: '2026-01-15T10:30:15.000Z',
    intended_at: null,
    traceparent: null,
    ...fields,
  }
}
