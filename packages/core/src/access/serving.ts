import { createLoop } from '../running/loop.js'
import type { Clock } from '../time/clock.js'
import type { Audit } from './audit.js'
import type { Heartbeat } from './heartbeat.js'
import type { LastUse } from './last-use.js'

/** The background work of a process that serves the API: its heartbeat, and storing notes. */
export interface BackgroundWork {
  /** Resolves after the first heartbeat. */
  start(): Promise<void>
  /** Called after the last answer. Resolves when all notes are stored, or cannot be. */
  stop(): Promise<void>
}

const roundMs = 1000
const roundsAMinute = 60

export interface ServingDeps {
  readonly clock: Clock
  readonly heartbeat: Heartbeat
  readonly audit: Pick<Audit, 'flush' | 'finish'>
  readonly uses: readonly Pick<LastUse, 'flush'>[]
  readonly fault: (error: unknown) => void
}

export function createServing({ clock, heartbeat, audit, uses, fault }: ServingDeps): BackgroundWork {
  let rounds = 0

  const flushUses = async () => {
    for (const use of uses) await use.flush().catch(fault)
  }

  async function round(): Promise<number> {
    rounds += 1
    await heartbeat.beat().catch(fault)
    await audit.flush().catch(fault)
    if (rounds % roundsAMinute === 0) await flushUses()
    return roundMs
  }

  const loop = createLoop({ clock, firstDelayMs: roundMs, round, fault })
  return {
    async start() {
      await heartbeat.beat().catch(fault)
      loop.start()
    },
    async stop() {
      await loop.stop()
      await audit.finish().catch(fault)
      await flushUses()
      await heartbeat.end().catch(fault)
    },
  }
}
