import { access } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { UnavailableError } from '@sav/core/ports'
import type { QueueCall, QueueMessage, QueueOf } from './queue-in-thread.js'
import { openSqlite } from './sqlite.js'

/** Runs in the thread of `queueInThread`. Calls begin on arrival, so that simultaneous ones share a commit. */
const { path, ...options }: QueueOf = workerData
const opening = refuseMissing().then(async () => {
  const storage = await openSqlite(path, options)
  storage.watchCommits((committed) => tell({ committed }))
  storage.queue.watch(() => tell({ woken: true }))
  return storage
})
// Calls in progress are rejected, and the next call starts another thread.
opening.catch(() => setImmediate(() => parentPort?.close()))

/** If a volume was removed, SQLite would create an empty file. @throws UnavailableError */
async function refuseMissing(): Promise<void> {
  await access(path).catch((cause: unknown) => {
    throw new UnavailableError(`The database ${path} does not exist.`, { cause, retryAfterSeconds: 10 })
  })
}

parentPort?.on('message', async (text: string) => tell(await answerTo(JSON.parse(text))))

function tell(message: QueueMessage): void {
  parentPort?.postMessage(JSON.stringify(message))
}

async function answerTo({ id, method, args }: QueueCall): Promise<QueueMessage> {
  try {
    const storage = await opening
    const call: (...args: never[]) => Promise<unknown> =
      method === 'close' ? storage.close : storage.queue[method].bind(storage.queue)
    const result = await call(...args)
    return { id, result: result instanceof Set ? [...result] : result }
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error))
    const [retryAfterSeconds, damaged] =
      error instanceof UnavailableError ? [error.retryAfterSeconds, error.damaged] : [null, false]
    return { id, error: { message, stack, retryAfterSeconds, damaged } }
  }
}
