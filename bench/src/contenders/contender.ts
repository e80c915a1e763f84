import type { Sender } from '#delivering'

/** A way to deliver webhooks from a PostgreSQL. */
export interface Contender {
  readonly name: string
  /** Commits a batch of them, one for each job, to an empty database. */
  readonly fill: (options: { database: string; url: string }) => Promise<void>
  /** Starts a process that sends them and records the outcomes. */
  readonly start: (options: { database: string }) => Promise<Sender>
  /** Counts, as `count`, those recorded as delivered. */
  readonly recorded: string
}
