import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import type { Wakes } from './wakes.js'

/** Between two announcements of one process: who is woken claims all that came meanwhile. */
const announceEveryMs = 5
const heartbeatMs = 3000

/**
 * A session whose client vanished without a word ends by itself, or it would keep its place at the server for hours. Ours
 * says something every 3 s, and the pool lets none lie idle for more than 10.
 */
export const endsAlone = "set idle_session_timeout = '30s'"

/** For an answer to the heartbeat, or to a connect. */
const patienceMs = 3000
const longestPauseMs = 5000

/**
 * By LISTEN, on a connection of its own, and NOTIFY. The latter comes after the commit and apart from it: inside, it would
 * take a lock that lets one transaction of the whole server commit at a time.
 */
export class PostgresWakes implements Wakes {
  readonly #url: string | null
  readonly #notify: (channel: string, payload: string) => Promise<unknown>
  /** So that a process does not wake itself. */
  readonly #own = randomUUID()
  readonly #watchers = new Set<() => void>()
  #stop: AbortController | null = null
  #announced: 'once' | 'again' | null = null

  /** @param url where to listen; null: nowhere */
  constructor(url: string | null, notify: (channel: string, payload: string) => Promise<unknown>) {
    this.#url = url
    this.#notify = notify
  }

  watch(wake: () => void): () => void {
    // A function of its own, since the same `wake` may be given twice.
    const watcher = () => wake()
    this.#watchers.add(watcher)
    if (this.#url !== null && this.#stop === null) {
      this.#stop = new AbortController()
      void this.#keepListening(this.#url, this.#stop.signal)
    }
    return () => {
      this.#watchers.delete(watcher)
      if (this.#watchers.size === 0) this.close()
    }
  }

  announce(): void {
    if (this.#announced !== null) {
      this.#announced = 'again'
      return
    }
    this.#announced = 'once'
    // Whoever waits polls as well: nothing is lost with an announcement.
    this.#notify(channel, this.#own).catch(() => {})
    setTimeout(() => {
      const again = this.#announced === 'again'
      this.#announced = null
      if (again) this.announce()
    }, announceEveryMs).unref()
  }

  close(): void {
    this.#stop?.abort()
    this.#stop = null
  }

  async #keepListening(url: string, stop: AbortSignal): Promise<void> {
    for (let pauseMs = 100; !stop.aborted; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        await this.#listen(url, stop, () => {
          pauseMs = 100
        })
      } catch {
        // Lost, or silent for too long.
      }
      await pause(pauseMs, undefined, { signal: stop }).catch(() => {})
    }
  }

  /** Until the connection is lost. */
  async #listen(url: string, stop: AbortSignal, listening: () => void): Promise<never> {
    const socket = new Socket()
    const client = new Client({
      connectionString: url,
      fallback_application_name: 'sav listen',
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
      stream: () => socket,
    })
    const lost = new AbortController()
    const end = () => lost.abort()
    client.on('error', end).on('end', end)
    client.on('notification', ({ payload }) => payload !== this.#own && this.#wake())
    stop.addEventListener('abort', end)
    try {
      await client.connect()
      await client.query(`${endsAlone}; listen ${channel}`)
      listening()
      // For what was announced while nobody listened.
      this.#wake()
      for (;;) {
        await pause(heartbeatMs, undefined, { signal: lost.signal, ref: false })
        await client.query('select 1')
      }
    } finally {
      stop.removeEventListener('abort', end)
      socket.destroy()
    }
  }

  #wake(): void {
    for (const watcher of this.#watchers) watcher()
  }
}

const channel = 'sav_deliveries'
