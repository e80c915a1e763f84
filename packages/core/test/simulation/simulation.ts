import { someoneWaits } from '../../src/running/event-loop.js'
import { seededRandom } from '../../src/testing/index.js'
import type { Clock } from '../../src/time/clock.js'

/** The random choices of a simulation, the same for the same seed. */
export class Chance {
  readonly #random: ReturnType<typeof seededRandom>

  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  /** An integer of 0 to `limit - 1`. */
  below(limit: number): number {
    const [a = 0, b = 0, c = 0] = this.#random(3)
    return Math.floor(((a * 65_536 + b * 256 + c) / 16_777_216) * limit)
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  oneIn(times: number): boolean {
    return this.below(times) === 0
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0]
  }
}

/** The slowest answer of a healthy store. */
export const promptMs = 400

interface Step {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

/** Virtual time and its planned steps. Steps of the same instant run in random order. */
export class Simulation {
  readonly chance: Chance
  /** True time, which no process sees: milliseconds since the Unix epoch. */
  now = Date.UTC(2026, 0, 15, 10, 30)
  /** Whether there are no more faults. */
  calm = false
  /** Whether the store never fails by chance. */
  steadyStore = false
  /** The store refuses everything until this time. */
  awayUntil = 0
  /** The time since which all clocks agree and none was set; Infinity while they differ. */
  clocksAgreeSince = 0
  steps = 0
  readonly #trace: string[] | null
  readonly #steps = new Set<Step>()
  #digest = 0

  constructor(seed: number, traced = false) {
    this.chance = new Chance(seed)
    this.#trace = traced ? [] : null
  }

  in(delayMs: number, run: () => void): () => void {
    const step = { at: this.now + Math.max(0, delayMs), order: this.chance.below(1_000_000), run }
    this.#steps.add(step)
    return () => {
      this.#steps.delete(step)
    }
  }

  /** Runs the next step, and everything that follows at the same time. */
  async step(): Promise<void> {
    let next: Step | undefined
    for (const step of this.#steps) {
      if (next === undefined || step.at < next.at || (step.at === next.at && step.order < next.order)) next = step
    }
    if (next === undefined) throw new Error('nothing is left to happen')
    this.#steps.delete(next)
    this.now = Math.max(this.now, next.at)
    this.steps += 1
    next.run()
    // Each step of long work has a separate turn of the event loop.
    do await new Promise((resolve) => setImmediate(resolve))
    while (someoneWaits())
  }

  note(...what: readonly (string | number)[]): void {
    for (const part of [this.now, ...what]) {
      for (const character of String(part)) this.#digest = (Math.imul(this.#digest, 31) + character.charCodeAt(0)) | 0
    }
    this.#trace?.push([new Date(this.now).toISOString(), ...what].join(' '))
  }

  /** Equal for two runs in which the same things happened at the same times. */
  get digest(): number {
    return this.#digest
  }

  get trace(): readonly string[] {
    return this.#trace ?? []
  }
}

/** A process, which can pause, or crash at any time. */
export class Host {
  readonly name: string
  readonly clock: Clock
  alive = true
  /** How far its clock is ahead of true time, in milliseconds; negative: behind. */
  offset = 0
  /** When it was last paused, or its store last failed or was slow, in true time. */
  troubledAt = 0
  steppedAt = 0
  readonly #simulation: Simulation
  #paused = false
  readonly #waiting: (() => void)[] = []

  constructor(name: string, simulation: Simulation) {
    this.name = name
    this.#simulation = simulation
    this.clock = {
      now: () => simulation.now + this.offset,
      monotonic: () => simulation.now,
      after: (delayMs, callback) => {
        let cancelled = false
        const cancel = simulation.in(delayMs, () =>
          this.enter(() => {
            if (!cancelled) callback()
          }),
        )
        return () => {
          cancelled = true
          cancel()
        }
      },
    }
  }

  get paused(): boolean {
    return this.#paused
  }

  /** Runs something in the process: never after a crash, and after a pause if it is paused. */
  enter(run: () => void): void {
    if (!this.alive) return
    if (this.#paused) this.#waiting.push(run)
    else run()
  }

  pause(): void {
    this.#simulation.note(this.name, 'pauses')
    this.#paused = true
    this.trouble()
  }

  resume(): void {
    this.#simulation.note(this.name, 'goes on')
    this.#paused = false
    this.trouble()
    for (const run of this.#waiting.splice(0)) this.#simulation.in(0, () => this.enter(run))
  }

  crash(): void {
    this.alive = false
    this.#waiting.length = 0
  }

  setClock(offset: number): void {
    this.offset = offset
    this.steppedAt = this.#simulation.now
  }

  trouble(): void {
    this.troubledAt = this.#simulation.now
  }
}
