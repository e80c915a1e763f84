import { replacing } from '../../../planning/test/replacing.js'
import { UnavailableError } from '../../src/errors.js'
import type { Storage, Transaction } from '../../src/storage.js'
import type { Ledger } from './ledger.js'
import { type Host, promptMs, type Simulation } from './simulation.js'

/**
 * The store as one process sees it over a bad network: sometimes slow, unavailable, or losing the answer to work that it
 * has done. The ledger records everything that it does.
 */
export function lineTo(shared: Storage, host: Host, simulation: Simulation, ledger: Ledger): Storage {
  const { chance } = simulation
  const fails = (times: number) => !simulation.calm && !simulation.steadyStore && chance.oneIn(times)

  function delay(): number {
    if (simulation.calm) return chance.below(3)
    const kind = chance.below(1_000)
    if (kind < 850) return chance.below(4)
    if (kind < 980) return chance.below(60)
    if (kind < 996) return chance.below(promptMs / 2)
    host.trouble()
    return chance.below(kind < 999 ? 3_000 : 14_000)
  }

  const unavailable = (message: string) => new UnavailableError(message, { retryAfterSeconds: 1 })

  /**
   * @param here whether the work runs in the process itself, so that it pauses and ends with it; otherwise a request
   *   that was sent is answered even if its sender crashes
   */
  function ask<T>(name: string, work: () => Promise<T>, { here = false } = {}): Promise<T> {
    return new Promise((resolve, reject) => {
      const answer = (run: () => void) => simulation.in(delay(), () => host.enter(run))
      const carryOut = () => {
        const away = simulation.now < simulation.awayUntil
        if (away || fails(150)) {
          host.trouble()
          answer(() => reject(unavailable(`${name}: refused`)))
          return
        }
        const lost = fails(300)
        if (lost) host.trouble()
        work().then(
          (result) => answer(() => (lost ? reject(unavailable(`${name}: answer lost`)) : resolve(result))),
          (error: unknown) => answer(() => reject(error)),
        )
      }
      simulation.in(delay(), () => {
        if (here) host.enter(carryOut)
        else if (host.alive || chance.oneIn(2)) carryOut()
      })
    })
  }

  /** The same methods over the network. */
  const overLine = <Group extends object>(group: Group): Group =>
    new Proxy(group, {
      get(target, name, receiver) {
        const method: unknown = Reflect.get(target, name, receiver)
        if (typeof method !== 'function') return method
        return (...args: unknown[]) => ask(String(name), async () => Reflect.apply(method, target, args))
      },
    })

  const everyOverLine = <Groups extends object>(groups: Groups): Groups =>
    new Proxy(groups, { get: (target, name, receiver) => overLine(Object(Reflect.get(target, name, receiver))) })

  /** A transaction that may fail before an event is written, and that counts its new cases. */
  function watched(tx: Transaction, made: { cases: number }): Transaction {
    return {
      ...tx,
      cases: replacing(tx.cases, {
        async insert(newCase) {
          made.cases += 1
          return tx.cases.insert(newCase)
        },
      }),
      outbox: replacing(tx.outbox, {
        async add(entry) {
          if (fails(20)) throw unavailable('outbox: broken off')
          await tx.outbox.add(entry)
        },
      }),
    }
  }

  const queue = shared.queue
  return {
    ...shared,
    reads: everyOverLine(shared.reads),
    transaction: (work) =>
      ask(
        'transaction',
        async () => {
          const made = { cases: 0 }
          try {
            const result = await shared.transaction((tx) => work(watched(tx, made)))
            await ledger.compare(host, made.cases)
            return result
          } catch (error) {
            await ledger.compare(host, 0)
            throw error
          }
        },
        { here: true },
      ),
    queue: replacing(overLine(queue), {
      claim: (requests, lease) =>
        ask('claim', async () => {
          const claimed = await queue.claim(requests, lease)
          ledger.claimed(host, { requests, lease, claimed })
          return claimed
        }),
      record: (outcomes) =>
        ask('record', async () => {
          const recorded = await queue.record(outcomes)
          ledger.recorded(host, outcomes, recorded)
          return recorded
        }),
      release: (deliveries) =>
        ask('release', async () => {
          await queue.release(deliveries)
          ledger.released(host, deliveries)
        }),
      expire: (bounds) =>
        ask('expire', async () => {
          const expired = await queue.expire(bounds)
          if (expired > 0) await ledger.compare(host, 0)
          return expired
        }),
      // A wake-up is only a hint: it may be late or lost.
      watch: (wake) =>
        queue.watch(() => {
          if (!chance.oneIn(3)) simulation.in(chance.below(300), () => host.enter(wake))
        }),
    }),
  }
}
