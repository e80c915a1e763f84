import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ListenerLimits } from '../src/node-server/limits.js'
import type { Insider } from './malformed.js'

/** The API on a database file, in a process of its own. */
export interface ServedProcess {
  readonly url: string
  readonly pid: number | undefined
  readonly insider: Insider
  /** The database. */
  readonly file: string
  /** The process's resident memory after a garbage collection, and its failures. */
  state(): Promise<{
    readonly residentBytes: number
    /** The peak of its resident memory. */
    readonly peakBytes: number
    readonly errors: readonly string[]
  }>
  /** Resolves when the process has ended without an error. */
  close(): Promise<void>
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** @param nodeOptions such as `--max-old-space-size=64` */
export async function serve(
  limits: Partial<ListenerLimits>,
  nodeOptions: readonly string[] = [],
): Promise<ServedProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'sav-served-'))
  const file = join(folder, 'sav.db')
  const child = spawn(
    process.execPath,
    [
      ...nodeOptions,
      '--expose-gc',
      '--import',
      here('../../../test/source.mjs'),
      here('served.ts'),
      file,
      JSON.stringify(limits),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const ended = once(child, 'exit')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const next = async () => {
    const { value } = await lines.next()
    if (value === undefined) throw new Error('the service has ended')
    return JSON.parse(value)
  }
  const { url, insider } = await next()
  return {
    url,
    pid: child.pid,
    insider,
    file,
    state() {
      child.stdin.write('\n')
      return next()
    },
    async close() {
      child.stdin.end()
      const [code] = await ended
      await rm(folder, { recursive: true })
      if (code !== 0) throw new Error(`the service has ended with ${code}`)
    },
  }
}
