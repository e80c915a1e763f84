import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { ProcessWakes, type Wakes } from '../queue/wakes.js'
import { OwnClient } from './own-connections.js'

/** The pause between two announcements of one process: a woken process claims everything due. */
const announceEveryMs = 5
const heartbeatMs = 3000

/**
 * Ends a session whose client vanished silently. Otherwise it would count among the server's connections for hours. The
 * session that listens is used every 3 s, and the pool closes a connection that is idle for 10 s.
 */
export const endsAlone = "set idle_session_timeout = '30s'"

/** How long to wait for the answer to a heartbeat, or for a new connection. */
const maxAnswerMs = 3000
const maxPauseMs = 5000

export interface PostgresWakesOptions {
  /** The URL to listen at; null: it does not listen. */
  readonly listenAt: string | null
  readonly schema: string | null
  readonly notify: (channel: string, payload: string) => Promise<unknown>
}

/**
 * Wakes this process at once, and other processes of the same store by NOTIFY; each listens on its own connection.
 * NOTIFY is sent after the commit: inside the transaction, it would take a lock that lets only one transaction of the
 * whole server commit at a time.
 */
export class PostgresWakes implements Wakes {
  readonly #url: string | null
  readonly #channel: string
  readonly #notify: (channel: string, payload: string) => Promise<unknown>
  /** Marks this process's own announcements, so that it does not wake itself again. */
  readonly #own = randomUUID()
  readonly #ofProcess = new ProcessWakes()
  #stop: AbortController | null = null
  /** Resolves when none of its connections listens any more. */
  #silent: Promise<unknown> = Promise.resolve()
  #isClosed = false
  #announced: 'once' | 'again' | null = null

  constructor({ listenAt, schema, notify }: PostgresWakesOptions) {
    this.#url = listenAt
    this.#channel = channelOf(schema)
    this.#notify = notify
  }

  watch(wake: () => void): () => void {
    const unwatch = this.#ofProcess.watch(wake)
    if (this.#url !== null && this.#stop === null && !this.#isClosed) {
      this.#stop = new AbortController()
      this.#silent = Promise.all([this.#silent, this.#keepListening(this.#url, this.#stop.signal)])
    }
    return () => {
      unwatch()
      if (!this.#ofProcess.isWatched) this.#leave()
    }
  }

  announce(): void {
    this.#ofProcess.announce()
    this.#tellOthers()
  }

  #tellOthers(): void {
    if (this.#announced !== null) {
      this.#announced = 'again'
      return
    }
    this.#announced = 'once'
    // If it fails, other processes find the deliveries by polling.
    this.#notify(this.#channel, this.#own).catch(() => {})
    setTimeout(() => {
      const again = this.#announced === 'again'
      this.#announced = null
      if (again) this.#tellOthers()
    }, announceEveryMs).unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#leave()
    await this.#silent
  }

  #leave(): void {
    this.#stop?.abort()
    this.#stop = null
  }

  async #keepListening(url: string, stop: AbortSignal): Promise<void> {
    for (let pauseMs = 100; !stop.aborted; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      try {
        await this.#listen(url, stop, () => {
          pauseMs = 100
        })
      } catch {
        // The connection is lost, or was silent for too long.
      }
      await pause(pauseMs, undefined, { signal: stop }).catch(() => {})
    }
  }

  /** Listens until the connection is lost, or `stop` is aborted. */
  async #listen(url: string, stop: AbortSignal, listening: () => void): Promise<never> {
    const client = new OwnClient({
      connectionString: url,
      fallback_application_name: 'sav listen',
      connectionTimeoutMillis: maxAnswerMs,
      query_timeout: maxAnswerMs,
    })
    const lost = new AbortController()
    const end = () => lost.abort()
    client.on('error', end).on('end', end)
    client.on('notification', ({ payload }) => payload !== this.#own && this.#ofProcess.announce())
    stop.addEventListener('abort', end)
    try {
      await client.connect()
      // Stops between two statements: a destroyed connection would still count at the server for a while.
      stop.throwIfAborted()
      await client.query(`${endsAlone}; listen "${this.#channel}"`)
      listening()
      // Wakes this process for commits that were announced before it listened.
      this.#ofProcess.announce()
      for (;;) {
        await pause(heartbeatMs, undefined, { signal: lost.signal })
        await client.query('select 1')
      }
    } finally {
      stop.removeEventListener('abort', end)
      await client.end()
    }
  }
}

/** The channel of a store: each store of a database has its own. The name stays below PostgreSQL's 63 bytes. */
function channelOf(schema: string | null): string {
  if (schema === null) return 'sav_deliveries'
  return `sav_deliveries_${createHash('sha256').update(schema).digest('hex').slice(0, 32)}`
}
