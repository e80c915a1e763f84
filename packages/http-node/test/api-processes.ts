import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { RateLimit } from '@sav/core'

export interface ApiProcess {
  readonly url: string
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  /** Resolves when it has ended well. */
  close(): Promise<void>
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** The API on a store in a process of its own. `database`: the URL of a PostgreSQL database, or an SQLite file. */
export async function startApi(database: string, rateLimit: RateLimit = null): Promise<ApiProcess> {
  const child = spawn(
    process.execPath,
    ['--import', here('../../../test/source.mjs'), here('api-process.ts'), database, JSON.stringify(rateLimit)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const ended = once(child, 'exit')
  const { value: url } = await createInterface(child.stdout)[Symbol.asyncIterator]().next()
  if (url === undefined) throw new Error('the service has ended')
  return {
    url,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async close() {
      child.stdin.end()
      await ended
    },
  }
}
