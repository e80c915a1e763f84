import type { Dispatcher } from './dispatcher.js'
import type { Upkeep } from './upkeep.js'

/** Everything that a process does beside answering: sending what is due, and upkeep. */
export type Worker = Dispatcher

export function createWorker(dispatcher: Dispatcher, upkeep: Upkeep): Worker {
  return {
    start() {
      dispatcher.start()
      upkeep.start()
    },
    wake: () => dispatcher.wake(),
    async stop() {
      await Promise.all([dispatcher.stop(), upkeep.stop()])
    },
    get heartbeat() {
      return dispatcher.heartbeat
    },
    get inFlight() {
      return dispatcher.inFlight
    },
  }
}
