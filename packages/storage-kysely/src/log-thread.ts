import { parentPort, workerData } from 'node:worker_threads'
import { Driver } from './sqlite/connection.js'

/** Runs in the thread of `LogCopying`: copies the log back on request, and reports whether all of it was copied. */
const path: string = workerData
/** How long the thread waits for a pause between writes, in ms. Writers do not wait for the thread. */
const timeout = 100
const database = new Driver(path, { timeout, fileMustExist: true })
database.pragma('synchronous = FULL')

interface Checkpoint {
  readonly busy: number
  readonly log: number
  readonly checkpointed: number
}

const copyBack = database.prepare<[], Checkpoint>('pragma wal_checkpoint(PASSIVE)')
/** Truncating a log of 500 MB takes a quarter of a second. Only this thread waits for it. */
const cutOff = database.prepare<[], Checkpoint>('pragma wal_checkpoint(TRUNCATE)')

const isWhole = ({ busy = 1, log = 0, checkpointed = 0 }: Partial<Checkpoint> = {}) =>
  busy === 0 && log === checkpointed

parentPort?.on('message', () => {
  // The second run copies what others have written during the first.
  const isCopied = isWhole(copyBack.get()) && isWhole(copyBack.get())
  if (isCopied) cutOff.get()
  parentPort?.postMessage(isCopied)
})
