import type { Sealer } from '../../src/crypto/sealing.js'
import type { AttemptOutcome, ClaimedDelivery, ClaimRequest } from '../../src/delivery/delivery-queue.js'
import type { Storage } from '../../src/storage.js'
import { toMs } from '../../src/time/time.js'
import type { EndpointRecord } from '../../src/webhooks/endpoint.js'
import type { HttpSender } from '../../src/webhooks/http-sender.js'
import { openHeaders } from '../../src/webhooks/sealed-endpoint.js'
import { type Host, promptMs, type Simulation } from './simulation.js'

type Post = Parameters<HttpSender['post']>[0]
type Lease = Pick<ClaimedDelivery, 'id' | 'account_id' | 'lease_token'>

interface HeldLease {
  readonly token: string
  readonly until: number
  readonly host: Host
  /** When the lease was taken, in true time. */
  readonly takenAt: number
  started: boolean
}

interface Row {
  readonly target: string
  state: string
  attempts: number
  runAttempts: number
  runStartedAt: number
  nextAt: number | null
  lease: HeldLease | null
  /** The receiver has answered one of its attempts with a success. */
  accepted: boolean
}

export interface LedgerDeps {
  readonly simulation: Simulation
  readonly storage: Storage
  readonly sealer: Sealer
  readonly account_id: string
  readonly schedule: readonly number[]
  readonly timeoutMs: number
}

/** A custom header with the name of each endpoint. */
export const receiverHeader = 'X-Receiver'

/**
 * The invariants, independent of the store and the dispatchers: it records everything that happens, and remembers the
 * first violation.
 */
export class Ledger {
  violation: string | null = null
  cases = 0
  readonly rows = new Map<string, Row>()
  /** How often a simulation has reached each situation; `stale`: an answer came too late for its lease. */
  readonly reached = { attempts: 0, stale: 0, takenOver: 0, delivered: 0, failed: 0 }
  readonly #deps: LedgerDeps
  /** The endpoints by id, without removed ones. */
  #endpoints = new Map<string, EndpointRecord>()
  /** The number of attempts in progress. */
  readonly #inFlight = new Map<Host, number>()
  /** The time of the last start, by process and target. */
  readonly #lastStarts = new Map<string, number>()
  readonly #leases = new Map<string, HeldLease>()
  readonly #deliveryOf = new Map<string, string>()
  readonly #targetOf = new Map<string, string>()

  constructor(deps: LedgerDeps) {
    this.#deps = deps
  }

  fail(...what: readonly unknown[]): void {
    this.violation ??= what.join(' ')
  }

  /** Whether a lease is running, or an attempt is in progress. */
  get isBusy(): boolean {
    for (const { lease } of this.rows.values())
      if (lease !== null && lease.until > this.#deps.simulation.now) return true
    return [...this.#inFlight.values()].some((count) => count > 0)
  }

  /** When the next delivery to an enabled endpoint becomes due, in true time; Infinity if none waits. */
  get nextDue(): number {
    let next = Number.POSITIVE_INFINITY
    for (const { target, nextAt } of this.rows.values())
      if (nextAt !== null && this.#current(target)?.disabled_at === null) next = Math.min(next, nextAt)
    return next
  }

  forget(host: Host): void {
    this.#inFlight.delete(host)
  }

  /** Checks that a stopped dispatcher has no attempt and no lease left, unless its store failed. */
  stopped(host: Host, startedAt: number): void {
    if (host.troubledAt >= startedAt) return
    if ((this.#inFlight.get(host) ?? 0) > 0) this.fail(host.name, 'stopped with attempts in progress')
    for (const [id, { lease }] of this.rows) if (lease?.host === host) this.fail(host.name, 'stopped and kept', id)
  }

  claimed(
    host: Host,
    claim: {
      readonly requests: readonly ClaimRequest[]
      readonly lease: { readonly now: string; readonly leasedUntil: string; readonly token: string }
      readonly claimed: readonly ClaimedDelivery[]
    },
  ): void {
    const { simulation } = this.#deps
    const { now, leasedUntil, token } = claim.lease
    simulation.note(host.name, 'claims', ...claim.claimed.map(({ id, lane }) => `${id}/${lane}`))
    for (const request of claim.requests) {
      const asked = claim.requests.filter(({ target, lane }) => target === request.target && lane === request.lane)
      const given = claim.claimed.filter(({ target, lane }) => target === request.target && lane === request.lane)
      if (given.length > asked.reduce((sum, { limit }) => sum + limit, 0))
        this.fail(host.name, 'claimed more than it requested')
    }
    for (const delivery of claim.claimed) {
      const row = this.rows.get(delivery.id)
      if (row === undefined) {
        this.fail('an unknown delivery was claimed', delivery.id)
        continue
      }
      if (row.state !== 'pending' || row.nextAt === null) this.fail('claimed though', row.state, delivery.id)
      if ((row.nextAt ?? 0) > toMs(now)) this.fail('claimed before its time', delivery.id)
      if (row.lease !== null && row.lease.until > toMs(now)) this.fail('claimed while leased', delivery.id)
      // If a retry restarts a run exactly when its next attempt was planned, the history looks unchanged.
      if (toMs(delivery.run_started_at) === row.nextAt) Object.assign(row, { runAttempts: 0, runStartedAt: row.nextAt })
      if (row.runAttempts !== delivery.run_attempt_count) this.fail('claimed with a wrong count', delivery.id)
      if (this.#current(row.target)?.disabled_at !== null) this.fail('claimed while its endpoint is not enabled')
      // A request with a future time was made before the clock was set back, and may take over a fresh lease.
      const ageMs = host.clock.now() - toMs(now)
      if (row.lease !== null && ageMs >= 0) this.#takenOver(row.lease, delivery)
      // If a request took long, part of its lease had already passed, so its expiry is not judged.
      const prompt = ageMs >= 0 && ageMs <= promptMs && host.steppedAt < simulation.now - 20_000
      row.lease = {
        token,
        until: toMs(leasedUntil),
        host,
        takenAt: prompt ? simulation.now : 0,
        started: false,
      }
      this.#leases.set(`${token} ${delivery.id}`, row.lease)
      this.#deliveryOf.set(`${delivery.event_id} ${row.target}`, delivery.id)
    }
  }

  #takenOver(lease: HeldLease, { id, target }: Pick<ClaimedDelivery, 'id' | 'target'>): void {
    const { simulation } = this.#deps
    this.reached.takenOver += 1
    const { host, takenAt, started } = lease
    // A delivery claimed ahead for a slow receiver may wait as long as its lease, while others go first.
    const overtaken = (this.#lastStarts.get(`${host.name} ${target}`) ?? 0) > takenAt + this.#deps.timeoutMs
    if (overtaken && !started) return
    const healthy = host.alive && !host.paused && host.troubledAt < takenAt && simulation.clocksAgreeSince < takenAt
    if (healthy) this.fail('the lease of', id, 'expired in', host.name, 'which was healthy all the time')
  }

  /** An attempt begins. */
  started(host: Host, delivery: ClaimedDelivery, startedAt: number): void {
    const { simulation, timeoutMs, schedule } = this.#deps
    const { id, target, lease_token } = delivery
    simulation.note(host.name, 'starts', id, delivery.lane, target)
    this.reached.attempts += 1
    const lease = this.#leases.get(`${lease_token} ${id}`)
    if (lease === undefined || lease.host !== host) {
      this.fail(host.name, 'starts without a lease', id)
      return
    }
    if (lease.started) this.fail(host.name, 'starts twice under one lease', id)
    lease.started = true
    this.#lastStarts.set(`${host.name} ${target}`, simulation.now)
    if (startedAt !== host.clock.now()) this.fail(host.name, 'reports a wrong start of', id)
    if (startedAt + timeoutMs > toMs(delivery.leased_until)) this.fail('the lease does not cover the attempt of', id)
    if (startedAt < toMs(delivery.next_attempt_at) && host.steppedAt < lease.takenAt)
      this.fail('attempted before its time', id)
    if (delivery.run_attempt_count >= schedule.length) this.fail('one attempt too many in a run', id)
    this.#inFlight.set(host, (this.#inFlight.get(host) ?? 0) + 1)
  }

  ended(host: Host): void {
    const count = this.#inFlight.get(host)
    if (count !== undefined) this.#inFlight.set(host, count - 1)
  }

  posted(host: Host, { headers }: Post): void {
    const id = this.#deliveryIn(headers)
    this.#deps.simulation.note(host.name, 'posts', id ?? '?')
    if (id === undefined) this.fail('an unknown event was posted', headers['webhook-id'])
  }

  accepted({ headers }: Post): void {
    const row = this.rows.get(this.#deliveryIn(headers) ?? '')
    if (row !== undefined) row.accepted = true
  }

  recorded(host: Host, outcomes: readonly AttemptOutcome[], recorded: ReadonlySet<string>): void {
    const { simulation, schedule } = this.#deps
    for (const { delivery, attempt, update } of outcomes) {
      const { id, lease_token } = delivery
      const row = this.rows.get(id)
      if (row === undefined) {
        this.fail('an unknown delivery was recorded', id)
        continue
      }
      const holds = row.lease?.token === lease_token
      simulation.note(host.name, holds ? 'records' : 'is too late for', id, update.state)
      const again = outcomes.some((other) => other.delivery.id === id && other.delivery.lease_token !== lease_token)
      if (holds ? !recorded.has(id) : recorded.has(id) && !again)
        this.fail(holds ? 'a result was not recorded' : 'the result of a stale lease was recorded', id)
      if (!holds) this.reached.stale += 1
      if (!holds) continue

      const { lease } = row
      if (!lease?.started) this.fail('recorded without an attempt', id)
      row.lease = null
      row.attempts += 1
      row.runAttempts += 1
      row.state = update.state
      row.nextAt = update.next_attempt_at === null ? null : toMs(update.next_attempt_at)
      if (attempt.n !== row.attempts) this.fail('attempt', attempt.n, 'of', id, 'should be', row.attempts)
      if (row.runAttempts > schedule.length) this.fail('one attempt too many was recorded in a run of', id)
      if (update.state === 'delivered' && !row.accepted) this.fail('delivered, but never accepted:', id)
      if (update.state === 'failed' && row.runAttempts < schedule.length) this.fail('given up early:', id)
      if (host.steppedAt < (lease?.takenAt ?? 0))
        this.#checkNext(id, row, { startedAt: toMs(attempt.started_at), now: host.clock.now() })
      if (update.state === 'delivered') this.reached.delivered += 1
      if (update.state === 'failed') this.reached.failed += 1
    }
  }

  /**
   * After an attempt on time, the next one is due at its planned offset. A late attempt keeps the gap to the next one.
   */
  #checkNext(id: string, row: Row, { startedAt, now }: { startedAt: number; now: number }): void {
    if (row.nextAt === null) return
    const { schedule } = this.#deps
    const offset = schedule[row.runAttempts] ?? Number.POSITIVE_INFINITY
    const gap = offset - (schedule[row.runAttempts - 1] ?? 0)
    const planned = row.runStartedAt + offset
    if (row.nextAt < planned) this.fail('the next attempt is early:', id)
    if (planned > now && row.nextAt !== planned) this.fail('the next attempt is off the schedule:', id)
    if (planned <= startedAt && row.nextAt < startedAt + gap) this.fail('the gap after a late attempt is lost:', id)
  }

  released(host: Host, leases: readonly Lease[]): void {
    for (const { id, lease_token } of leases) {
      const row = this.rows.get(id)
      if (row?.lease?.token !== lease_token) continue
      this.#deps.simulation.note(host.name, 'releases', id)
      row.lease = null
    }
  }

  /** Compares the whole store with the expected state, after a write. */
  async compare(host: Host, newCases: number): Promise<void> {
    const { storage, account_id, simulation } = this.#deps
    await this.#noteEndpoints()
    const subscribed = [...this.#endpoints.keys()]
    const found = await storage.reads.deliveries.list(account_id, { limit: 100_000 })
    const added = new Map<string, string[]>()
    for (const delivery of found) {
      const nextAt = delivery.next_attempt_at === null ? null : toMs(delivery.next_attempt_at)
      const row = this.rows.get(delivery.id)
      if (row === undefined) {
        const { endpoint_id: target, state, attempt_count: attempts, event_id, event } = delivery
        const fresh = { target, state, attempts, runAttempts: 0, runStartedAt: nextAt ?? 0, nextAt }
        this.rows.set(delivery.id, { ...fresh, lease: null, accepted: false })
        this.#deliveryOf.set(`${event_id} ${target}`, delivery.id)
        if (event !== 'webhook.test') added.set(event_id, [...(added.get(event_id) ?? []), target])
        continue
      }
      if (delivery.attempt_count !== row.attempts) this.fail('the store counts other attempts of', delivery.id)
      if (delivery.state === row.state && nextAt === row.nextAt) continue
      if (row.lease !== null && row.lease.until > host.clock.now()) this.fail('changed while leased:', delivery.id)
      if (delivery.state === 'failed' && this.#current(row.target) !== null) this.fail('gave up', delivery.id)
      if (delivery.state === 'delivered') this.fail('delivered without an attempt:', delivery.id)
      simulation.note(delivery.id, 'becomes', delivery.state)
      Object.assign(row, { state: delivery.state, nextAt, lease: null })
      if (nextAt !== null) Object.assign(row, { runAttempts: 0, runStartedAt: nextAt })
    }
    if (found.length !== this.rows.size) this.fail('deliveries are lost:', this.rows.size - found.length)

    this.cases += newCases
    const expected = subscribed.length === 0 ? 0 : newCases
    if (added.size !== expected) this.fail(newCases, 'cases came with', added.size, 'events')
    for (const [event, targets] of added)
      if (targets.toSorted().join() !== subscribed.toSorted().join()) this.fail(event, 'has not all its deliveries')
  }

  async #noteEndpoints(): Promise<void> {
    const { storage, account_id, sealer } = this.#deps
    this.#endpoints = new Map((await storage.reads.endpoints.list(account_id)).map((record) => [record.id, record]))
    for (const [id, record] of this.#endpoints)
      this.#targetOf.set(openHeaders(sealer, record)[receiverHeader] ?? '', id)
  }

  #current(target: string): EndpointRecord | null {
    return this.#endpoints.get(target) ?? null
  }

  #deliveryIn(headers: Post['headers']): string | undefined {
    const target = this.#targetOf.get(headers[receiverHeader] ?? '')
    return this.#deliveryOf.get(`${headers['webhook-id']} ${target}`)
  }
}
