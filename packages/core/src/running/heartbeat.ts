import type { Storage } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant } from '../time/time.js'
import type { Random } from '../values/random.js'

/** How long a process may be silent before its row goes. */
const silenceMs = 10_000

export interface HeartbeatDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly random: Random
}

/** Notes in the store that this process serves it: a copy refuses a store in use. @throws UnavailableError */
export function createHeartbeat({ storage, clock, random }: HeartbeatDeps): () => Promise<void> {
  const id = Buffer.from(random(12)).toString('base64url')
  return () =>
    storage.transaction(async ({ processes }) => {
      const now = await processes.now(clock.now())
      await processes.noteAlive({ id, at: toInstant(now) }, toInstant(now - silenceMs))
    })
}
