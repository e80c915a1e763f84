import type { MinSpeed } from './node-request.js'

/** The limits of the listener. */
export interface ListenerLimits {
  /** The time limit from the connection, or the first byte of a later request, to the end of the headers. */
  readonly headersTimeoutMs: number
  /** The minimum speed of a body: a phone on a bad line can send ten photos. */
  readonly minSpeed: MinSpeed
  /** How long callers may leave a connection idle between requests. It is closed after twice that time. */
  readonly keepAliveTimeoutMs: number
  /** How long a connection may be silent while its request is in progress. */
  readonly maxStalledMs: number
  readonly maxHeaderBytes: number
  /** Beyond this number, connections without a request in progress are closed, first those that never had one. */
  readonly maxConnections: number
  /** How much of a refused body is still read, so that its sender can read the answer. */
  readonly maxDrainBytes: number
  readonly maxDrainMs: number
  /** How long to wait for more of a refused body before the answer is sent anyway. */
  readonly maxDrainPauseMs: number
  /**
   * Whether a close leaves idle connections open for `keepAliveTimeoutMs`. On each of them, a proxy can then send one
   * last call, whose answer closes the connection.
   */
  readonly lingers: boolean
  /** How long a close waits for the calls in progress, and for idle connections. */
  readonly maxCloseMs: number
}

export const defaultLimits: ListenerLimits = {
  headersTimeoutMs: 10_000,
  minSpeed: { graceMs: 10_000, bytesPerSecond: 32 * 1024 },
  keepAliveTimeoutMs: 5_000,
  maxStalledMs: 60_000,
  maxHeaderBytes: 16 * 1024,
  maxConnections: 10_000,
  maxDrainBytes: 128 * 1024 * 1024,
  maxDrainMs: 10_000,
  maxDrainPauseMs: 1000,
  lingers: false,
  maxCloseMs: 10_000,
}
