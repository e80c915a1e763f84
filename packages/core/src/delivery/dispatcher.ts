import { toInstant, toMs } from '../time/time.js'
import type { Random } from '../values/random.js'
import { allocate } from './allocation.js'
import type { Channel, SendResult } from './channel.js'
import type { ClaimedDelivery, DeliveryQueue, DueTarget } from './delivery-queue.js'
import { OwnLimitError } from './own-limits.js'
import { Pauses } from './pauses.js'
import { OutcomeRecorder, type RecorderDeps, type RecorderEvent } from './recorder.js'
import { type Concurrency, Targets } from './targets.js'

export interface DispatcherDeps extends Pick<RecorderDeps, 'clock' | 'schedule' | 'onRecorded'> {
  readonly queue: DeliveryQueue
  readonly channels: Readonly<Record<string, Channel>>
  readonly random: Random
  readonly concurrency: Concurrency
  /** Called with every recorded attempt, and with every fault of our own. */
  readonly observe: (event: DispatcherEvent) => void
}

/** A recorded attempt, or a fault of our own and what it interrupted. */
export type DispatcherEvent =
  | RecorderEvent
  | { readonly type: 'fault'; readonly doing: 'claim' | 'send' | 'release'; readonly error: unknown }

/** How long an idle dispatcher sleeps. A due attempt starts within this time. */
const pollMs = 200

/** How much longer than one attempt a lease lasts. */
const leaseMarginMs = 10_000

/** How long to wait after a claim that failed (store busy or unavailable). */
const faultMs = 250

/**
 * Makes the attempts that are due. Each worker has one dispatcher. It claims due deliveries, sends each through its
 * channel, and has the outcome recorded. Nothing is recorded before it has happened. A delivery that a crash interrupts
 * is claimed again, by any process, once its lease has expired.
 */
export class Dispatcher {
  readonly #deps: DispatcherDeps
  readonly #targets: Targets
  /** Paused channels and targets. */
  readonly #pauses: Pauses
  readonly #recorder: OutcomeRecorder
  #isRunning = false
  #isClaiming = false
  /** Whether to claim again after the current claim. */
  #claimAgain = false
  /** Whether the next claim happens at once. */
  #isWoken = false
  #cancelPoll = () => {}
  /** When the queue last answered, by `clock.monotonic()`. */
  #answeredAt: number | null = null
  readonly #stopped: (() => void)[] = []

  constructor(deps: DispatcherDeps) {
    this.#deps = deps
    this.#targets = new Targets(deps.concurrency)
    this.#pauses = new Pauses(deps.clock)
    this.#recorder = new OutcomeRecorder({
      ...deps,
      isIdle: () => this.inFlight === 0,
      refill: () => {
        this.#startAll()
        if (this.#isRunning && !this.#isClaiming && this.#targets.isLow) void this.#claim()
      },
      settle: () => this.#settle(),
    })
  }

  /** See Worker. In milliseconds since the Unix epoch; 0 before the start. */
  get heartbeat(): number {
    const { clock } = this.#deps
    return this.#answeredAt === null ? 0 : Math.round(clock.now() - (clock.monotonic() - this.#answeredAt))
  }

  /** The number of attempts in progress. */
  get inFlight(): number {
    return this.#targets.inFlight
  }

  start(): void {
    this.#isRunning = true
    this.#answeredAt = this.#deps.clock.monotonic()
    void this.#claim()
  }

  /** Looks for due deliveries at once instead of at the next poll. */
  wake(): void {
    this.#claimAgain = true
    if (this.#isClaiming) return
    this.#poll(0)
    this.#isWoken = this.#isRunning
  }

  /** Starts no new attempts. Resolves when those in progress have ended and are recorded. */
  async stop(): Promise<void> {
    this.#isRunning = false
    this.#isWoken = false
    this.#cancelPoll()
    await this.#release(this.#targets.takeAll())
    await new Promise<void>((resolve) => {
      this.#stopped.push(resolve)
      this.#settle()
    })
  }

  /** Replaces the planned claim by one in `delayMs`, unless a wake-up has planned a claim for now. */
  #poll(delayMs: number): void {
    if (!this.#isRunning || this.#isWoken) return
    this.#cancelPoll()
    this.#cancelPoll = this.#deps.clock.after(delayMs, () => {
      this.#isWoken = false
      void this.#claim()
    })
  }

  /** Runs one claim at a time. A wake-up during a claim causes another claim. */
  async #claim(): Promise<void> {
    if (this.#isClaiming || !this.#isRunning) {
      this.#claimAgain = true
      return
    }
    this.#isClaiming = true
    let delayMs = pollMs
    try {
      do {
        this.#claimAgain = false
        await this.#claimOnce()
      } while (this.#claimAgain && this.#isRunning)
    } catch (error) {
      this.#deps.observe({ type: 'fault', doing: 'claim', error })
      delayMs = faultMs
    }
    this.#isClaiming = false
    this.#poll(delayMs)
    this.#settle()
  }

  async #claimOnce(): Promise<void> {
    const { queue, clock, random } = this.#deps
    await this.#release(this.#targets.take((delivery) => !this.#isCovered(delivery)))
    if (this.#recorder.isFailing) return
    const due = this.#targets.capacity > 0 ? await queue.due(toInstant(clock.now())) : []
    this.#answeredAt = clock.monotonic()
    const requests = allocate(due.filter(this.#isOurs), this.#targets)
    if (requests.length === 0 || !this.#isRunning) return

    // Usually one claim, since all webhooks have the same timeout. Only letters to people may have a longer one.
    for (const [timeoutMs, alike] of Map.groupBy(requests, this.#timeoutOf)) {
      const now = clock.now()
      const leasedUntil = toInstant(now + timeoutMs + leaseMarginMs)
      const token = Buffer.from(random(16)).toString('base64url')
      const claimed = await queue.claim(alike, { now: toInstant(now), leasedUntil, token })
      for (const delivery of claimed) this.#targets.add(delivery)
    }
    if (this.#isRunning) this.#startAll()
    else await this.#release(this.#targets.takeAll())
  }

  /**
   * Whether this process sends to the target now. If not, another process may send to it, because it has other channels
   * or no pause.
   */
  readonly #isOurs = ({ channel, target }: DueTarget) =>
    this.#deps.channels[channel] !== undefined && !this.#pauses.isPaused(channel) && !this.#pauses.isPaused(target)

  readonly #timeoutOf = ({ channel }: DueTarget) => this.#deps.channels[channel]?.timeoutMs ?? 0

  /** Whether the lease lasts for a whole attempt that starts now. */
  #isCovered(delivery: ClaimedDelivery): boolean {
    return this.#deps.clock.now() + this.#timeoutOf(delivery) <= toMs(delivery.leased_until)
  }

  /**
   * Starts attempts for which there is capacity and a long enough lease. Starts none while outcomes cannot be recorded,
   * because everything sent meanwhile would be sent again.
   */
  #startAll(): void {
    if (!this.#isRunning || this.#recorder.isFailing) return
    const late: ClaimedDelivery[] = []
    for (let delivery = this.#targets.next(); delivery !== undefined; delivery = this.#targets.next()) {
      if (this.#isCovered(delivery)) void this.#attempt(delivery)
      else late.push(delivery)
    }
    void this.#release(late)
  }

  async #attempt(delivery: ClaimedDelivery): Promise<void> {
    this.#targets.started(delivery)
    const startedAt = this.#deps.clock.now()
    try {
      const channel = this.#deps.channels[delivery.channel]
      if (channel === undefined) throw new Error(`no channel ${delivery.channel} in this process`)
      this.#attempted(delivery, startedAt, await channel.send(delivery, { startedAt }))
    } catch (error) {
      this.#couldNotSend(delivery, error)
    }
    this.#startAll()
    this.#recorder.gather()
    this.#settle()
  }

  /** @param result null when nothing was sent */
  #attempted(delivery: ClaimedDelivery, startedAt: number, result: SendResult | null): void {
    const { target, channel } = delivery
    this.#pauses.resume(channel)
    this.#pauses.resume(target)
    this.#targets.ended(delivery, result && !result.unreachable, result?.durationMs)
    if (result !== null) this.#recorder.add({ delivery, startedAt, result })
    if (result === null) void this.#release([delivery, ...this.#targets.takeAll(target)])
    else if (result.unreachable) void this.#release(this.#targets.takeAll(target))
  }

  #couldNotSend(delivery: ClaimedDelivery, error: unknown): void {
    this.#targets.ended(delivery, null)
    const { target, channel } = delivery
    const isOfTarget = error instanceof OwnLimitError
    // Logged once: other attempts in progress hit the same fault.
    if (this.#pauses.pause(isOfTarget ? target : channel)) this.#deps.observe({ type: 'fault', doing: 'send', error })
    const unfit = isOfTarget ? this.#targets.takeAll(target) : this.#targets.take((each) => each.channel === channel)
    void this.#release([delivery, ...unfit])
  }

  async #release(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return
    const { queue, observe } = this.#deps
    await queue.release(deliveries).catch((error: unknown) => observe({ type: 'fault', doing: 'release', error }))
  }

  #settle(): void {
    if (this.#isRunning || this.#isClaiming || this.inFlight > 0 || !this.#recorder.isDone) return
    for (const resolve of this.#stopped.splice(0)) resolve()
  }
}
