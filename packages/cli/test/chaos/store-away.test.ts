import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { needs } from '../../../../test/needs.js'
import { receiverOf } from '../receiver.js'
import { call, local, readyWorkplace } from '../workplace.js'
import { isFullCount } from './full-count.js'

interface Failure {
  readonly what: string
  readonly tool: string
  readonly isFull?: true
  /** False if the test must be skipped in this run. */
  readonly isShown?: boolean
  /** Moves the store to where the failure can be caused. */
  readonly place?: (store: string) => Promise<void>
  /** Makes writes of a running process fail, until the returned function is called. */
  readonly begin: (running: { pid: number; walBytes: number; store: string }) => Promise<() => Promise<void>>
}

const failures: readonly Failure[] = [
  {
    what: 'the file may not grow any further',
    tool: 'prlimit',
    isShown: isFullCount,
    async begin({ pid, walBytes }) {
      const limit = (bytes: number | string) => execFileSync(this.tool, ['--pid', String(pid), `--fsize=${bytes}`])
      limit(`${walBytes + 64 * 1024}:unlimited`)
      return async () => void limit('unlimited')
    },
  },
  {
    what: 'the disk is full',
    isFull: true,
    tool: 'mount',
    isShown: isFullCount && process.getuid?.() === 0,
    async place(store) {
      const aside = `${store}.aside`
      await rename(store, aside)
      await mkdir(store)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', store])
      // Lazy, since the service may still be running.
      onTestFinished(() => void execFileSync('umount', ['--lazy', store]))
      await cp(aside, store, { recursive: true })
    },
    async begin({ store }) {
      const ballast = join(store, 'ballast')
      await expect(writeFile(ballast, Buffer.alloc(64 * 1024 * 1024))).rejects.toMatchObject({ code: 'ENOSPC' })
      return () => rm(ballast)
    },
  },
  {
    what: 'its file system turns read-only',
    tool: 'strace',
    async begin({ pid }) {
      const inject = ['-e', 'trace=pwrite64', '-e', 'inject=pwrite64:error=EROFS']
      const strace = spawn(this.tool, ['-f', '-p', String(pid), '-o', '/dev/null', ...inject])
      const [attached] = await once(strace.stderr, 'data')
      expect(String(attached)).toMatch(/attached/)
      return async () => {
        strace.kill('SIGINT')
        await once(strace, 'exit')
      }
    },
  },
]

/** A service that has delivered an event, with functions that create cases and read its state. */
async function runningService(place: Failure['place']) {
  const shop = await readyWorkplace()
  await place?.(join(shop.dir, 'sav-data'))
  const key = await shop.newKey()
  const atelier = await receiverOf(shop)
  const service = shop.start('serve --port 0', {
    ...local,
    SAV_METRICS: '127.0.0.1:0',
    SAV_RATE_LIMIT: 'off',
    SAV_WEBHOOK_TIMEOUT: '1s',
  })
  const [, metricsUrl = ''] = await service.prints(/"metrics on (http:[^"]+)"/, 'stderr')
  const url = await service.url()
  const metrics = async () => (await fetch(metricsUrl)).text()
  const create = async () =>
    (await call(url, key, 'POST', '/api/v1/sav', { client_id: 1, description: 'Une porte de plus' })).status
  const readiness = async () => (await fetch(`${url}/readyz`)).status
  const healthy = async () => (await fetch(`${url}/healthz`)).status
  expect([await create(), await readiness()]).toEqual([201, 200])
  await atelier.received(1)
  return { shop, service, atelier, create, readiness, healthy, metrics }
}

describe('a service whose database is no longer writable', () => {
  for (const failure of failures)
    it.runIf(failure.isShown !== false && needs(failure.tool, `what a service does when ${failure.what}`))(
      `because ${failure.what} says so in /readyz, keeps running, and resumes by itself`,
      async () => {
        const { shop, service, atelier, create, readiness, healthy, metrics } = await runningService(failure.place)
        const store = join(shop.dir, 'sav-data')
        const { size } = await stat(join(store, 'sav.db-wal'))
        const end = await failure.begin({ pid: service.process.pid ?? 0, walBytes: size, store })
        await expect.poll(create, { interval: 5 }).toBe(503)
        await expect.poll(readiness).toBe(503)
        expect(await healthy()).toBe(200)
        expect(await metrics()).toMatch(/^sav_ready 0$/m)
        if (failure.isFull) {
          expect(await metrics()).toMatch(/^sav_free_bytes\{path="store"\} 0$/m)
          const { problems } = JSON.parse((await shop.sav('doctor --json', local)).stdout)
          expect(problems).toEqual([expect.stringMatching(/^The disk of .*sav-data\/sav\.db \(store\) is full/)])
        }
        await end()
        await expect.poll(readiness).toBe(200)
        expect(await create()).toBe(201)
        // As many events as cases: no event is lost, and a refused case has none.
        const cases = await shop.json<unknown[]>('cases list --limite 200')
        await atelier.received(cases.length)
        expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 })
        // No write is incomplete.
        await shop.shows('doctor', 0, /^All is well\.$/m, local)
      },
    )
})
