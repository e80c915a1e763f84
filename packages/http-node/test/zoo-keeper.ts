import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

/** The expected outcome of one attempt at a receiver. */
export interface ExpectedOutcome {
  readonly ok: boolean
  readonly status: number | null
  readonly error: RegExp | null
  /** Whether the receiver's host counts as unreachable. */
  readonly unreachable: boolean
}

const delivered = (status = 200): ExpectedOutcome => ({ ok: true, status, error: null, unreachable: false })
const refused = (status: number): ExpectedOutcome => {
  return { ok: false, status, error: new RegExp(`^answered ${status}`), unreachable: false }
}
const failed = (error: RegExp, unreachable = true): ExpectedOutcome => ({ ok: false, status: null, error, unreachable })
const late = failed(/^timed out after/)
const closed = failed(/^the connection was closed before an answer$/)
const notHttp = failed(/^the answer is not HTTP$/, false)

/** Every receiver of the zoo. */
export const receivers: Readonly<Record<string, ExpectedOutcome>> = {
  'hangs at connect': late,
  'hangs in the TLS handshake': late,
  'hangs at the headers': late,
  'hangs in its headers': late,
  'hangs after a 1xx': late,
  'hangs in the body of a 200': delivered(),
  'hangs in the body of a 500': refused(500),
  'drips its headers': late,
  'drips the body of a 200': delivered(),
  'drips the body of a 503': refused(503),
  'resets before an answer': closed,
  'resets in the body of a 200': delivered(),
  'closes before an answer': closed,
  'answers a gigabyte': delivered(),
  'answers without end': delivered(),
  'answers a 500 without end': refused(500),
  'answers headers without end': failed(/^the headers of the answer are too long$/, false),
  'answers a chunk of any size': delivered(),
  'answers a bomb': delivered(),
  'announces too many bytes': delivered(),
  'announces too few bytes': delivered(),
  'announces no number of bytes': notHttp,
  'announces two lengths': notHttp,
  'does not speak HTTP': notHttp,
  'answers twice': delivered(),
  'has an expired certificate': failed(/^the TLS certificate has expired$/),
  'speaks no TLS': failed(/^the TLS handshake failed$/),
  ...Object.fromEntries([200, 204, 299].map((status) => [`answers ${status}`, delivered(status)])),
  ...Object.fromEntries(
    [300, 301, 302, 307, 400, 401, 404, 410, 429, 500, 503].map((status) => [`answers ${status}`, refused(status)]),
  ),
}

export interface Zoo {
  /** The URL of the receiver with this name. @throws when there is none */
  url(name: string): string
  close(): Promise<void>
}

export async function openZoo(): Promise<Zoo> {
  const animals = fork(fileURLToPath(new URL('./receiver-zoo.ts', import.meta.url)), { execArgv: [] })
  const [urls] = await once(animals, 'message')
  const deaf = await openDeaf()
  return {
    url(name) {
      const url = name === 'hangs at connect' ? deaf.url : urls[name]
      if (typeof url !== 'string') throw new Error(`no receiver ${name}`)
      return url
    },
    async close() {
      await deaf.close()
      await ended(animals)
    },
  }
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

const listenAndStop = `
  const server = require('node:net').createServer()
  server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
    console.log(server.address().port)
    setTimeout(() => process.kill(process.pid, 'SIGSTOP'), 10)
  })`

/** A receiver whose queue of connections is full and never emptied, so that no other connection is opened. */
async function openDeaf(): Promise<{ url: string; close(): Promise<void> }> {
  const child = spawn(process.execPath, ['-e', listenAndStop], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed] = await once(child.stdout, 'data')
  const port = Number(String(printed))
  const fillers: Socket[] = []
  while (await opens(port, fillers));
  return {
    url: `http://127.0.0.1:${port}/`,
    close() {
      for (const filler of fillers) filler.destroy()
      return ended(child)
    },
  }
}

/** Whether another connection is opened within a fifth of a second. The connection is added to `kept`. */
function opens(port: number, kept: Socket[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    kept.push(socket)
    const timer = setTimeout(() => resolve(false), 200)
    socket.on('error', reject).once('connect', () => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}
