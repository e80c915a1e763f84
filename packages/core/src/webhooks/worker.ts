import type { Loop } from '../loop.js'
import type { DeliveryQueue } from '../ports.js'
import type { Dispatcher } from './dispatcher.js'

/** Everything that a process does beside answering: sending what is due, drawing reports, and upkeep. */
export type Worker = Dispatcher

export function createWorker(
  dispatcher: Dispatcher,
  queue: Pick<DeliveryQueue, 'watch'>,
  loops: readonly Loop[],
): Worker {
  let unwatch = () => {}
  return {
    start() {
      unwatch = queue.watch(() => dispatcher.wake())
      dispatcher.start()
      for (const loop of loops) loop.start()
    },
    wake: () => dispatcher.wake(),
    async stop() {
      unwatch()
      await Promise.all([dispatcher.stop(), ...loops.map((loop) => loop.stop())])
    },
    get heartbeat() {
      return dispatcher.heartbeat
    },
    get inFlight() {
      return dispatcher.inFlight
    },
  }
}
