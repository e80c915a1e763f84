import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface ApiProcess {
  readonly url: string
  /** Ends the process at once, as a power cut would. */
  kill(): Promise<void>
  /** Resolves when the process has ended without an error. */
  close(): Promise<void>
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** The API on a PostgreSQL database in a process of its own. */
export async function startApi(database: string): Promise<ApiProcess> {
  const args = ['--import', here('../../../test/source.mjs'), here('api-process.ts'), database]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const [url] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(() => Promise.reject(new Error('the service has ended'))),
  ])
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
