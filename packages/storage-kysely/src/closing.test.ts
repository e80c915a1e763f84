import { once } from 'node:events'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { Worker } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { type ClientBase, Pool } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { administer, asAdministrator, connectedTo, nameOf } from '../../../test/postgres.js'
import { openPostgres, openSqlite } from '../../../test/whole/opening.js'
import { newDatabase } from '../test/databases.js'
import { newFile, newStore } from '../test/files.js'
import { relay } from '../test/relay.js'
import type { PostgresStorage } from './postgres.js'

/** A database, and a relay through which the store reaches it. */
async function reached() {
  const url = await newDatabase()
  const way = await relay(url)
  return {
    url,
    way: way.url,
    socketCount: () => way.socketCount,
    connected: () => asAdministrator((server) => namesAt(server, url)),
    /**
     * Calls `close` over a slow relay. Resolves to the connections that the server still counts when `close` has
     * resolved.
     */
    async leftAfter(close: () => Promise<void>) {
      return asAdministrator(async (server) => {
        way.slowDown()
        await close()
        return namesAt(server, url)
      })
    },
  }
}

const namesAt = async (server: ClientBase, url: string) =>
  (await connectedTo(server, nameOf(url))).map(({ application_name }) => application_name)

/** Uses eight connections at the same time. */
const spread = ({ db }: PostgresStorage) =>
  Promise.all(Array.from({ length: 8 }, () => sql`select pg_sleep(0.05)`.execute(db)))

/** Resolves once the store listens. */
async function listening(storage: PostgresStorage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  onTestFinished(storage.queue.watch(resolve))
  await promise
}

describe('a closed store on PostgreSQL has no connection left at the server', () => {
  it('if many were in use', async () => {
    const { way, connected, leftAfter } = await reached()
    const storage = await openPostgres(way)
    await spread(storage)
    expect(await connected()).toEqual(Array(8).fill('sav'))
    expect(await leftAfter(() => storage.close())).toEqual([])
  })

  it('if it was listening', async () => {
    const { url, way, connected, leftAfter } = await reached()
    const storage = await openPostgres(url, { direct: way })
    await listening(storage)
    expect(await connected()).toContain('sav listen')
    expect(await leftAfter(() => storage.close())).toEqual([])
  })

  it('if it was about to listen', async () => {
    const { url, way, leftAfter, socketCount } = await reached()
    const storage = await openPostgres(url, { direct: way })
    const close = () => {
      onTestFinished(storage.queue.watch(() => {}))
      return storage.close()
    }
    expect(await leftAfter(close)).toEqual([])
    // Watching a closed store opens no connection.
    onTestFinished(storage.queue.watch(() => {}))
    await administer('select 1')
    expect(socketCount()).toBe(0)
  })

  it('if it was announcing due deliveries', async () => {
    const { way, leftAfter } = await reached()
    const storage = await openPostgres(way)
    const deliveries = [{ id: 'dlv_1', channel: 'webhook', target: 'wh_1' }]
    const created_at = '2026-01-15T10:30:00.000Z'
    const event = { id: 'evt_1', account_id: 'ours', event: 'sav.created', body: '{}', created_at, deliveries }
    const close = async () => {
      await storage.transaction((tx) => tx.outbox.add(event))
      await storage.close()
    }
    expect(await leftAfter(close)).toEqual([])
  })

  it('if a snapshot was being read after a migration, which the close waits for', async () => {
    const { way, leftAfter } = await reached()
    const storage = await openPostgres(way)
    expect(await storage.migrate()).toEqual([])
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let isRead = false
    const reading = storage.snapshot(async (db) => {
      await sql`select 1`.execute(db)
      begun.resolve()
      await end.promise
      await sql`select 1`.execute(db)
      isRead = true
    })
    await begun.promise
    const left = leftAfter(async () => {
      const closing = storage.close()
      end.resolve()
      await closing
      expect(isRead).toBe(true)
    })
    expect(await left).toEqual([])
    await reading
    await expect(storage.snapshot(async () => {})).rejects.toMatchObject({ code: 'unavailable' })
    await expect(storage.migrate()).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('if the server refused to open it', async () => {
    const { way, leftAfter } = await reached()
    const refused = `${way}?options=-c%20default_transaction_isolation%3Dnone`
    const opening = () => expect(openPostgres(refused)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await leftAfter(opening)).toEqual([])
  })
})

describe('a close of a store on PostgreSQL', () => {
  it('destroys connections to a server that vanished without closing them', async () => {
    const socketCount = () => process.getActiveResourcesInfo().filter((type) => type === 'TCPSocketWrap').length
    const through = await relay(await newDatabase())
    const before = socketCount()
    const storage = await openPostgres(through.url, { connectTimeoutMs: 2000 })
    await spread(storage)
    expect(socketCount() - before - through.socketCount).toBe(8)
    through.fallSilent()
    await storage.close()
    expect(through.socketCount).toBe(16)
    expect(socketCount() - before - through.socketCount).toBe(0)
  })

  it('destroys connections of a server that never answered', async () => {
    const server = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const opening = openPostgres(`postgres://nobody@127.0.0.1:${port}/nothing`, { connectTimeoutMs: 100 })
    await expect(opening).rejects.toMatchObject({ code: 'unavailable' })
    const closed = once(server, 'close')
    // The server emits `close` only after its last connection has closed.
    server.close()
    await closed
  })

  it('leaves the caller’s pool open and unchanged', async () => {
    const { url, way, leftAfter } = await reached()
    const pool = new Pool({ connectionString: url, max: 2 })
    const clients = [await pool.connect(), await pool.connect()]
    const listeners = () => [
      ...['error', 'connect', 'release', 'remove', 'acquire'].map((event) => pool.listenerCount(event)),
      ...clients.flatMap((client) => client.eventNames().map((event) => [event, client.listenerCount(event)])),
    ]
    const before = listeners()
    for (const client of clients) client.release()
    const storage = await openPostgres({ pool }, { direct: way })
    await listening(storage)
    await Promise.all(Array.from({ length: 4 }, (_, n) => storage.transaction((tx) => tx.facts.set(`${n}`, 'set'))))
    await storage.snapshot((db) => db.selectFrom('facts').selectAll().execute())
    await storage.migrate()
    expect(await leftAfter(() => storage.close())).toEqual(['', ''])
    expect((await pool.query('select count(*)::int as n from facts')).rows).toEqual([{ n: 4 }])
    const again = [await pool.connect(), await pool.connect()]
    expect(new Set(again)).toEqual(new Set(clients))
    expect(listeners()).toEqual(before)
    for (const client of again) client.release()
    await pool.end()
  })
})

describe.runIf(existsSync('/proc/self/fd'))(
  'once a store in a file is closed, this process has none of its files open',
  () => {
    /** The files of the store that this process has open. */
    const openOf = (file: string) =>
      readdirSync('/proc/self/fd').flatMap((descriptor) => {
        try {
          const target = readlinkSync(`/proc/self/fd/${descriptor}`)
          return target.startsWith(file) ? [target.slice(file.length)] : []
        } catch {
          // This is the descriptor of the listing itself.
          return []
        }
      })

    it('even if the queue’s thread was claiming, a copy was being made and a transaction was writing', async () => {
      const file = await newStore({})
      const storage = await openSqlite(file)
      const started = once(process, 'worker')
      const queue = storage.queueInThread()
      const asked = queue.counts()
      const [thread] = await started
      if (!(thread instanceof Worker)) throw new Error('no thread has begun')
      expect(await asked).toEqual({ pending: 0, delivered: 0, failed: 0 })
      expect(openOf(file).length).toBeGreaterThan(4)
      const counting = queue.counts()
      const copying = storage.copyTo(newFile(), () => {})
      const writing = storage.transaction((tx) => tx.facts.set('colour', 'blue'))
      await storage.close()
      expect(openOf(file)).toEqual([])
      expect(thread.threadId).toBe(-1)
      await Promise.all([counting, copying, writing])
      await queue.close()
    })

    it('even if the queue’s thread fails during the close', async () => {
      const file = await newStore({})
      const storage = await openSqlite(file, { busyTimeoutMs: 60_000 })
      const started = once(process, 'worker')
      const queue = storage.queueInThread()
      await queue.counts()
      const [thread] = await started
      if (!(thread instanceof Worker)) throw new Error('no thread has begun')
      // Writes wait for this transaction, and closing the thread's store waits for the writes.
      const other = new Sqlite(file)
      other.exec('begin immediate')
      const asked = expect(queue.release([])).rejects.toMatchObject({ code: 'unavailable' })
      const closing = storage.close()
      await thread.terminate()
      other.close()
      await closing
      expect(openOf(file)).toEqual([])
      await asked
    })
  },
)
