import type { Reads, Storage } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant } from '../time/time.js'
import {
  attemptsAt,
  type EndedAttempt,
  type HealthState,
  healthOf,
  type NewAttempts,
  type ReceiverHealth,
  stateOf,
  troubledSince,
  withAttempts,
} from './receiver-health.js'

/** A worker's records of the attempts at its receivers. */
export interface ReceiverRecords {
  /** Notes attempts in memory only, so that attempts are not delayed. */
  note(outcomes: readonly EndedAttempt[]): void
  /**
   * Stores the notes if something failed or a receiver works again. Stores notes of successes alone only twice a
   * minute. What cannot be stored now is kept for the next call.
   */
  keep(): Promise<void>
  /** Stores all notes. */
  keepAll(): Promise<void>
}

/**
 * How long notes of successes alone wait. The queue of a SQLite file has its own connection, which pauses for 2 ms
 * after a commit if another connection has written within a second. If notes were written every second, it would always
 * pause.
 */
const calmMs = 30_000

/**
 * `keep` is called once a second. It writes one row for each receiver with attempts, however many attempts it has. If
 * the process is killed, its latest counts are lost, but no delivery is lost.
 */
export function createReceiverRecords({
  storage,
  clock,
}: {
  readonly storage: Storage
  readonly clock: Clock
}): ReceiverRecords {
  let noted = new Map<string, NewAttempts>()
  /** The receivers whose last stored attempt failed. */
  const failing = new Set<string>()
  let keptAt = Number.NEGATIVE_INFINITY

  const isUrgent = () =>
    [...noted.values()].some((more) => more.dernier_echec !== null || failing.has(more.endpoint_id))

  const add = (more: NewAttempts) => {
    const known = noted.get(more.endpoint_id)
    noted.set(more.endpoint_id, known === undefined ? more : withAttempts(known, more))
  }

  return {
    note(outcomes) {
      const byTarget = Map.groupBy(outcomes, ({ delivery }) => delivery.target)
      for (const [first, ...others] of byTarget.values())
        if (first?.delivery.channel === 'webhook') add(attemptsAt([first, ...others], clock.now()))
    },

    async keep() {
      if (isUrgent() || clock.monotonic() - keptAt >= calmMs) await keepAll()
    },

    keepAll,
  }

  async function keepAll(): Promise<void> {
    if (noted.size === 0) return
    keptAt = clock.monotonic()
    const attempts = [...noted.values()]
    noted = new Map()
    try {
      const written = await storage.transaction(async (tx) => {
        const kept = new Map((await tx.endpoints.records(attempts)).map((record) => [record.endpoint_id, record]))
        const next = attempts.map((more) => {
          const record = kept.get(more.endpoint_id)
          const { hasSucceeded: _, ...all } = more
          return record === undefined ? all : withAttempts(record, more)
        })
        await tx.endpoints.keepRecords(next)
        return next
      })
      for (const { endpoint_id, echecs_consecutifs } of written)
        if (echecs_consecutifs > 0) failing.add(endpoint_id)
        else failing.delete(endpoint_id)
    } catch (error) {
      const since = [...noted.values()]
      noted = new Map(attempts.map((more) => [more.endpoint_id, more]))
      for (const more of since) add(more)
      throw error
    }
  }
}

/**
 * Each of these endpoints of an account, with its health.
 * @param now Unix time in milliseconds
 */
export async function withHealth<E extends { readonly id: string; readonly disabled_at: string | null }>(
  reads: Pick<Reads, 'endpoints'>,
  account_id: string,
  { endpoints, now }: { readonly endpoints: readonly E[]; readonly now: number },
): Promise<{ readonly endpoint: E; readonly sante: ReceiverHealth }[]> {
  const asked = endpoints.map(({ id }) => ({ account_id, endpoint_id: id }))
  const [records, waiting] = await Promise.all([
    reads.endpoints.records(asked),
    reads.endpoints.waiting(asked, toInstant(now)),
  ])
  return endpoints.map((endpoint) => {
    const kept = records.find(({ endpoint_id }) => endpoint_id === endpoint.id) ?? null
    const found = waiting.find(({ endpoint_id }) => endpoint_id === endpoint.id) ?? nothing
    return { endpoint, sante: healthOf(endpoint, kept, { waiting: found, now }) }
  })
}

const nothing = { en_attente: 0, plus_ancien: null }

/**
 * How many endpoints of all accounts are in each state. Reads only the failing ones.
 * @param now Unix time in milliseconds
 */
export async function countReceivers(
  reads: Pick<Reads, 'endpoints'>,
  now: number,
): Promise<Record<HealthState, number>> {
  const { enabled, disabled, troubled } = await reads.endpoints.troubled(troubledSince(now))
  const counts = { ok: enabled - troubled.length, ralenti: 0, en_echec: 0, desactive: disabled }
  for (const record of troubled) counts[stateOf({ disabled_at: null }, record, now).etat] += 1
  return counts
}
