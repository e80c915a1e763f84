import type { Clock } from '../clock.js'
import type { Random } from '../random.js'
import { toInstant, toMs } from '../time.js'
import { allocate } from './allocation.js'
import type { Channel, SendResult } from './channel.js'
import { ClaimedAhead } from './claimed-ahead.js'
import type { AttemptOutcome, ClaimedDelivery, DeliveryQueue, DueTarget } from './delivery-queue.js'
import { decideAfterAttempt, type RetrySchedule } from './retry-schedule.js'
import { type Concurrency, Windows } from './windows.js'

export interface DispatcherDeps {
  readonly queue: DeliveryQueue
  readonly channels: Readonly<Record<string, Channel>>
  readonly clock: Clock
  readonly random: Random
  readonly schedule: RetrySchedule
  readonly concurrency: Concurrency
  /**
   * Called with the outcomes that were recorded, one call at a time. When it rejects the fault is told, and nothing is sent
   * again for it: the next outcomes bring the next call.
   */
  readonly onRecorded: (outcomes: readonly AttemptOutcome[]) => Promise<void>
  /** Told of every attempt that was recorded, and of every fault of our own. */
  readonly observe: (event: DispatcherEvent) => void
}

/**
 * An attempt that was recorded; one whose result was dropped, since somebody else had taken the delivery over; or a fault of
 * our own, and what it interrupted.
 */
export type DispatcherEvent =
  | { readonly type: 'attempt'; readonly delivery: ClaimedDelivery; readonly outcome: AttemptOutcome }
  | { readonly type: 'lease_lost'; readonly delivery_id: string }
  | {
      readonly type: 'fault'
      readonly doing: 'claim' | 'send' | 'record' | 'release' | 'follow_up'
      readonly error: unknown
    }

/** Attempts what is due; one per process, inside its worker. */
export interface Dispatcher {
  start(): void
  /** Something may be due: look at once rather than at the next poll. */
  wake(): void
  /** No new attempts; resolves when those under way have ended and are recorded. */
  stop(): Promise<void>
  /** See Worker; in milliseconds since the Unix epoch, 0 before. */
  readonly heartbeat: number
  /** Attempts under way. */
  readonly inFlight: number
}

/** How long an idle dispatcher sleeps: a due attempt starts within this. */
const pollMs = 200

/** How much longer than one attempt a lease lasts. */
const leaseMarginMs = 10_000

/**
 * While others are under way, an outcome waits so long for company, and at most for so much: fewer commits, and of what
 * goes to many targets each commit writes a page for each. 30,000 deliveries to 100 endpoints wrote 260 MB where outcomes
 * did not wait for each other while others were recorded, 182 now.
 */
const gatherMs = 25
const gathered = 256

/** How long to wait after a fault of our own (store busy or away). */
const faultMs = 250

/** And at most, for a channel whose own way out stays closed: the wait doubles up to here. */
const maxFaultMs = 30_000

/**
 * Claims what is due, sends it through its channel, records what came of it. Nothing is marked before it happened:
 * whatever a crash interrupts is claimed again by somebody once its lease has run out.
 */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { queue, channels, clock, random, schedule, concurrency, onRecorded, observe } = deps
  const windows = new Windows(concurrency)
  const claimedAhead = new ClaimedAhead(windows, concurrency)
  const ended: Ended[] = []
  let running = false
  let claiming = false
  let recording = false
  let wanted = false
  /** When the queue last answered; of `clock.monotonic()`. */
  let heardAt: number | null = null
  let woken = false
  let gathering = false
  let unrecordable = false
  /** Channels that could not send, and when they try again; of `clock.monotonic()`. */
  const closed = new Map<string, { readonly untilMs: number; readonly waitMs: number }>()
  let cancelPoll = () => {}
  const stopped: (() => void)[] = []

  /** Another process may have ways out that this one has not, or that are closed to it for a moment. */
  const isOurs = ({ channel }: DueTarget) => channels[channel] !== undefined && !isClosed(channel)

  function isClosed(channel: string): boolean {
    const entry = closed.get(channel)
    return entry !== undefined && clock.monotonic() < entry.untilMs
  }
  const timeoutOf = ({ channel }: DueTarget) => channels[channel]?.timeoutMs ?? 0

  /** Whether the lease lasts for a whole attempt that starts now. */
  const isCovered = (delivery: ClaimedDelivery) => clock.now() + timeoutOf(delivery) <= toMs(delivery.leased_until)

  /** A look that is asked for already comes sooner than any other. */
  function poll(delayMs: number): void {
    if (!running || woken) return
    cancelPoll()
    cancelPoll = clock.after(delayMs, () => {
      woken = false
      void claim()
    })
  }

  /** One claim at a time; a wake-up during it leads to another one. */
  async function claim(): Promise<void> {
    if (claiming || !running) {
      wanted = true
      return
    }
    claiming = true
    let delayMs = pollMs
    try {
      do {
        wanted = false
        await claimOnce()
      } while (wanted && running)
    } catch (error) {
      observe({ type: 'fault', doing: 'claim', error })
      delayMs = faultMs
    }
    claiming = false
    poll(delayMs)
    settle()
  }

  async function claimOnce(): Promise<void> {
    await release(claimedAhead.take((delivery) => !isCovered(delivery)))
    if (unrecordable) return
    const due = claimedAhead.capacity > 0 ? await queue.due(toInstant(clock.now())) : []
    heardAt = clock.monotonic()
    const requests = allocate(due.filter(isOurs), claimedAhead)
    if (requests.length === 0 || !running) return

    // One claim as a rule: only letters to people may take longer than a webhook.
    for (const [timeoutMs, alike] of Map.groupBy(requests, timeoutOf)) {
      const now = clock.now()
      const leasedUntil = toInstant(now + timeoutMs + leaseMarginMs)
      const token = Buffer.from(random(16)).toString('base64url')
      for (const delivery of await queue.claim(alike, { now: toInstant(now), leasedUntil, token }))
        claimedAhead.add(delivery)
    }
    if (running) start()
    else await release(claimedAhead.drop())
  }

  /**
   * Starts what there is capacity for and whose lease lasts for the time of a whole attempt; nothing while outcomes cannot be recorded,
   * or more and more would be sent again.
   */
  function start(): void {
    if (unrecordable) return
    const late: ClaimedDelivery[] = []
    for (let delivery = claimedAhead.next(); delivery !== undefined; delivery = claimedAhead.next()) {
      if (isCovered(delivery)) void attempt(delivery)
      else late.push(delivery)
    }
    if (late.length > 0) void release(late)
  }

  async function attempt(delivery: ClaimedDelivery): Promise<void> {
    const { target, lane } = delivery
    windows.started(target, lane)
    const startedAt = clock.now()
    try {
      const channel = channels[delivery.channel]
      if (channel === undefined) throw new Error(`no channel ${delivery.channel} in this process`)
      const result = await channel.send(delivery, { startedAt })
      closed.delete(delivery.channel)
      windows.ended(target, lane, result && !result.unreachable, result?.durationMs)
      if (result !== null) ended.push({ delivery, startedAt, result })
      if (result === null) void release([delivery, ...claimedAhead.drop(target)])
      else if (result.unreachable) void release(claimedAhead.drop(target))
    } catch (error) {
      windows.ended(target, lane, null)
      close(delivery.channel, error)
      void release([delivery, ...claimedAhead.take(({ channel }) => channel === delivery.channel)])
    }
    if (running) start()
    gather()
    settle()
  }

  /** Told once: whatever else is under way meets the same. */
  function close(channel: string, error: unknown): void {
    if (isClosed(channel)) return
    const before = closed.get(channel)
    observe({ type: 'fault', doing: 'send', error })
    const waitMs = Math.min(maxFaultMs, before === undefined ? faultMs : before.waitMs * 2)
    closed.set(channel, { untilMs: clock.monotonic() + waitMs, waitMs })
  }

  /** Whether what has ended waits for no more company. */
  const isGathered = () => ended.length >= gathered || (ended.length > 0 && (windows.inFlight === 0 || unrecordable))

  function gather(): void {
    if (isGathered()) {
      void record()
      return
    }
    if (gathering || recording || ended.length === 0) return
    gathering = true
    clock.after(gatherMs, () => {
      gathering = false
      void record()
    })
  }

  function replenish(): void {
    if (running && !claiming && claimedAhead.isLow) void claim()
  }

  /** One transaction at a time; what ends meanwhile goes into the next one together. */
  async function record(): Promise<void> {
    if (recording) return
    recording = true
    for (let due = ended.length > 0; due; due = isGathered()) {
      const batch = ended.splice(0)
      const outcomes = batch.map((attempted) => outcomeOf(attempted, schedule, clock.now()))
      try {
        // Side by side with the outcomes: the two transactions share a commit where the store can do that.
        replenish()
        const recorded = await queue.record(outcomes)
        unrecordable = false
        await followUp(report(batch, outcomes, recorded))
        if (running) start()
        replenish()
      } catch (error) {
        // An outcome that nobody could record stays ours until its lease has run out; then another attempt is owed anyway.
        observe({ type: 'fault', doing: 'record', error })
        ended.unshift(...batch.filter(({ delivery }) => clock.now() < toMs(delivery.leased_until)))
        unrecordable = ended.length > 0
        await new Promise<void>((resolve) => clock.after(faultMs, resolve))
      }
    }
    recording = false
    gather()
    settle()
  }

  /** A fault here is no reason to send anything again. */
  async function followUp(recorded: readonly AttemptOutcome[]): Promise<void> {
    try {
      await onRecorded(recorded)
    } catch (error) {
      observe({ type: 'fault', doing: 'follow_up', error })
    }
  }

  /** The outcomes that count: of two attempts of one delivery, only the one with the newest lease can hold it. */
  function report(
    batch: readonly Ended[],
    outcomes: readonly AttemptOutcome[],
    recorded: ReadonlySet<string>,
  ): AttemptOutcome[] {
    const newest = new Map<string, string>()
    for (const { delivery } of batch) {
      if (delivery.leased_until > (newest.get(delivery.id) ?? '')) newest.set(delivery.id, delivery.leased_until)
    }
    const counted = outcomes.filter((_, index) => {
      const delivery = batch[index]?.delivery
      return delivery && recorded.has(delivery.id) && newest.get(delivery.id) === delivery.leased_until
    })
    const counts = new Set(counted)
    batch.forEach(({ delivery }, index) => {
      const outcome = outcomes[index]
      if (outcome !== undefined && counts.has(outcome)) observe({ type: 'attempt', delivery, outcome })
      else observe({ type: 'lease_lost', delivery_id: delivery.id })
    })
    return counted
  }

  async function release(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return
    await queue.release(deliveries).catch((error: unknown) => observe({ type: 'fault', doing: 'release', error }))
  }

  function settle(): void {
    if (running || claiming || recording || windows.inFlight > 0 || ended.length > 0) return
    for (const resolve of stopped.splice(0)) resolve()
  }

  return {
    start() {
      running = true
      heardAt = clock.monotonic()
      void claim()
    },
    wake() {
      wanted = true
      if (claiming) return
      poll(0)
      woken = running
    },
    async stop() {
      running = false
      woken = false
      cancelPoll()
      await release(claimedAhead.drop())
      await new Promise<void>((resolve) => {
        stopped.push(resolve)
        settle()
      })
    },
    get heartbeat() {
      return heardAt === null ? 0 : Math.round(clock.now() - (clock.monotonic() - heardAt))
    },
    get inFlight() {
      return windows.inFlight
    },
  }
}

/** An attempt that is over, but not recorded yet. */
interface Ended {
  readonly delivery: ClaimedDelivery
  readonly startedAt: number
  readonly result: SendResult
}

function outcomeOf({ delivery, startedAt, result }: Ended, schedule: RetrySchedule, now: number): AttemptOutcome {
  const update = decideAfterAttempt(schedule, delivery, { ...result, startedAt }, now)
  return {
    delivery,
    update,
    attempt: {
      n: update.attempt_count,
      started_at: toInstant(startedAt),
      duration_ms: result.durationMs,
      status: result.status,
      error: result.error,
      response_headers: result.responseHeaders,
      response: result.response,
    },
  }
}
