import type { Storage } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant } from '../time/time.js'
import type { Random } from '../values/random.js'

/** How long a process may be silent before its row is deleted. */
const silenceMs = 10_000

export interface HeartbeatDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly random: Random
}

/**
 * Records in the store that this process uses it. Copying a store is refused while a process uses it. Each method may
 * throw UnavailableError.
 */
export interface Heartbeat {
  /** Records that this process serves the store. */
  beat(): Promise<void>
  /** Records that this process has stopped, so that the store can be copied at once. */
  end(): Promise<void>
}

export function createHeartbeat({ storage, clock, random }: HeartbeatDeps): Heartbeat {
  const id = Buffer.from(random(12)).toString('base64url')
  const note = (silentMs: number) =>
    storage.transaction(async ({ processes }) => {
      const now = await processes.now(clock.now())
      await processes.noteAlive({ id, at: toInstant(now - silentMs) }, toInstant(now - silenceMs))
    })
  return { beat: () => note(0), end: () => note(silenceMs) }
}
