import type { Sender } from '#delivering'

/** A program that delivers webhooks from PostgreSQL. */
export interface Contender {
  readonly name: string
  /** Commits a batch of webhooks to an empty database, one job for each. */
  readonly fill: (options: { database: string; url: string }) => Promise<void>
  /** Starts a process that sends the webhooks and records the outcomes. */
  readonly start: (options: { database: string }) => Promise<Sender>
  /** A query that returns, as `count`, how many webhooks are recorded as delivered. */
  readonly recorded: string
}
