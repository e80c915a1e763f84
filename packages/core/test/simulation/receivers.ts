import type { SendResult } from '../../src/delivery/channel.js'
import { httpAnswer, noAnswer } from '../../src/testing/index.js'
import type { HttpSender } from '../../src/webhooks/http-sender.js'
import type { Ledger } from './ledger.js'
import type { Host, Simulation } from './simulation.js'

export const moods = ['well', 'well', 'slow', 'hanging', 'refusing', 'failing', 'flaky', 'gone'] as const
export type Mood = (typeof moods)[number]

/** A receiver's answer to a request, and its delay. */
interface Reaction {
  readonly afterMs: number
  readonly result: SendResult
}

/** Receivers by the path of their URL, each with a mood, behind a network that loses answers. */
export class Receivers {
  readonly #moods = new Map<string, Mood>()
  readonly #simulation: Simulation

  constructor(simulation: Simulation) {
    this.#simulation = simulation
  }

  setMood(path: string, mood: Mood): void {
    this.#moods.set(path, mood)
  }

  /** The sender of one process. */
  sender(host: Host, ledger: Ledger): HttpSender {
    const { chance } = this.#simulation
    return {
      post: (request) =>
        new Promise((resolve) => {
          ledger.posted(host, request)
          const path = new URL(request.url).pathname
          const { afterMs, result } = this.#reaction(this.#moods.get(path) ?? 'well', request.timeoutMs)
          const lost = !this.#simulation.calm && chance.oneIn(25)
          this.#simulation.in(afterMs, () => {
            if (result.ok) ledger.accepted(request)
            if (!lost) host.enter(() => resolve(result))
          })
          if (lost)
            this.#simulation.in(request.timeoutMs, () =>
              host.enter(() => resolve(noAnswer('timeout', { durationMs: request.timeoutMs }))),
            )
        }),
      async close() {},
    }
  }

  #reaction(mood: Mood, timeoutMs: number): Reaction {
    const { chance } = this.#simulation
    if (mood === 'flaky')
      return this.#reaction(chance.pick(['well', 'slow', 'hanging', 'refusing', 'failing']), timeoutMs)
    if (mood === 'hanging') return { afterMs: timeoutMs, result: noAnswer('timeout', { durationMs: timeoutMs }) }
    if (mood === 'refusing') return { afterMs: chance.below(50), result: noAnswer() }
    const afterMs = mood === 'slow' ? chance.between(1_000, timeoutMs - 1) : chance.between(1, 200)
    const status = mood === 'failing' ? 500 : mood === 'gone' ? 410 : 200
    return { afterMs, result: httpAnswer(status, { durationMs: afterMs }) }
  }
}
