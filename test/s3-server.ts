import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.js'

/** A bucket of an S3 server on this machine. */
export interface TestBucket {
  readonly endpoint: string
  /** The folder of the server's files. */
  readonly folder: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Kills the server; the bucket's content is kept. */
  kill(): Promise<void>
  /** Starts the server again, with the same address. */
  start(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const keys = { accessKeyId: 'AKTEST', secretAccessKey: 'a secret that nobody may read in a log' }
const region = 'us-east-1'

/** Starts versitygw, which must be on the PATH (`needs`), with a bucket. Its buckets are folders. */
export async function startBucket(): Promise<TestBucket> {
  const folder = await mkdtemp(join(tmpdir(), 'sav-s3-'))
  const bucket = 'photos'
  for (const name of [`data/${bucket}`, 'versions', 'meta']) await mkdir(join(folder, name), { recursive: true })
  const port = await freePort()
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    const { accessKeyId, secretAccessKey } = keys
    const gateway = [
      '--port',
      `127.0.0.1:${port}`,
      '--access',
      accessKeyId,
      '--secret',
      secretAccessKey,
      '--keep-alive',
    ]
    const posix = ['posix', '--versioning-dir', join(folder, 'versions'), '--sidecar', join(folder, 'meta')]
    const started = spawn('versitygw', [...gateway, ...posix, join(folder, 'data')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    server = started
    // Nothing else would end the server after a test that timed out.
    process.once('exit', () => started.kill('SIGKILL'))
    const said: string[] = []
    await new Promise<void>((resolve, reject) => {
      const listen = (chunk: Buffer) => {
        said.push(chunk.toString())
        if (said.join('').includes(`127.0.0.1:${port}`)) resolve()
      }
      started.stdout?.on('data', listen)
      started.stderr?.on('data', listen)
      started.once('error', reject)
      started.once('exit', () => reject(new Error(`versitygw did not start: ${said.join('')}`)))
    })
  }

  async function kill(): Promise<void> {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    server.kill('SIGKILL')
    await once(server, 'exit')
  }

  await start()
  return {
    ...{ ...keys, endpoint: `http://127.0.0.1:${port}`, folder, bucket, region, start, kill },
    async [Symbol.asyncDispose]() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
