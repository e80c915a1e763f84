import { once } from 'node:events'
import { statSync } from 'node:fs'
import { extname } from 'node:path'
import type { Worker } from 'node:worker_threads'
import type { SqliteConnection } from './sqlite/connection.js'

/**
 * When the log has this many pages (of 4 KB), a commit of SQLite copies it into the database. At its default of 1000,
 * writes copy the same few pages again and again, and wait for the disk each time. This gives a quarter more
 * transactions a second.
 */
export const pagesOfLog = 4000

/** Only a long reader makes the log longer than this. */
const maxLogBytes = 2 * pagesOfLog * 4096

/**
 * The thread's script: `.js` in the published package; `.ts` if Node runs the sources. Then the thread inherits the
 * `--import` of this process.
 */
const entry = () => new URL(`./log-thread${extname(import.meta.url)}`, import.meta.url)

/**
 * A long reader lets the log grow to hundreds of MB. The first commit after the reader ends would copy all of it back:
 * 500 MB block the event loop for a second. So a thread copies a long log.
 */
export class LogCopying {
  readonly #writer: SqliteConnection
  #thread: Worker | null = null
  #underWay: Promise<void> | null = null
  /** The length of the log when all of it had been copied. A later commit shortens the file. */
  #copiedBytes = 0
  #isClosed = false

  constructor(writer: SqliteConnection) {
    this.#writer = writer
  }

  /** Called after each commit. Resolves when the thread has copied the log; null if no copy is needed. */
  look(): Promise<void> | null {
    const bytes = statSync(`${this.#writer.path}-wal`, { throwIfNoEntry: false })?.size ?? 0
    if (bytes <= maxLogBytes) this.#copiedBytes = 0
    if (bytes > this.#copiedBytes + maxLogBytes && !this.#isClosed) this.#underWay ??= this.#copy(bytes)
    return this.#underWay
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread?.terminate()
  }

  async #copy(bytes: number): Promise<void> {
    this.#writer.pragma('wal_autocheckpoint = 0')
    let isCopied = false
    try {
      this.#thread ??= this.#start()
      this.#thread.postMessage('copy')
      const [answer] = await once(this.#thread, 'message')
      isCopied = answer === true
    } catch {
      // The thread failed. The next commit copies the log instead, slowly.
      isCopied = true
    }
    this.#underWay = null
    if (!isCopied) return
    this.#copiedBytes = bytes
    this.#writer.pragma(`wal_autocheckpoint = ${pagesOfLog}`)
    await this.#thread?.terminate()
    this.#thread = null
  }

  #start(): Worker {
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    const thread = new Worker(entry(), { env: {}, name: 'log', workerData: this.#writer.path })
    thread.unref()
    return thread
  }
}
