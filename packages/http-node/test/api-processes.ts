import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { RateLimit } from '@sav/core/internal'

export interface ApiProcess {
  readonly url: string
  /** Resolves when it has heard of so many other processes on its store. */
  hears(others: number): Promise<void>
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
  const ended = once(child, 'close')
  let others = 0
  let hasEnded = false
  let look = () => {}
  const started = Promise.withResolvers<string>()
  createInterface(child.stdout)
    .on('line', (line) => {
      if (line.startsWith('http')) started.resolve(line)
      else others = Number(line)
      look()
    })
    .on('close', () => {
      hasEnded = true
      started.reject(new Error('the service has ended'))
      look()
    })
  const url = await started.promise
  return {
    url,
    hears: (count) =>
      new Promise((resolve, reject) => {
        look = () => {
          if (others >= count) resolve()
          else if (hasEnded) reject(new Error(`the service has ended and heard of ${others} others`))
        }
        look()
      }),
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
