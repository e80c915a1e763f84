import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { administer, freshDatabase } from '../../../../test/postgres.js'
import { openPostgres } from '../../../../test/whole/opening.js'
import { newDatabase } from '../../test/databases.js'
import type { PostgresOptions } from '../postgres.js'

async function opened(url: string, options?: PostgresOptions) {
  const storage = await openPostgres(url, options)
  onTestFinished(() => storage.close())
  return storage
}

/** A proxy between a storage and its server. It drops what a client sends if `tap` returns false. */
async function proxied(
  url: string,
  tap: (sent: Buffer | string, client: Socket, server: Socket) => boolean,
): Promise<string> {
  const target = new URL(url)
  const port = Number(target.port)
  const sockets = new Set<Socket>()
  const proxy: Server = createServer((client) => {
    const server = connect(port, target.hostname)
    for (const socket of [client, server]) sockets.add(socket.on('error', () => {}))
    client.on('data', (sent) => tap(sent, client, server) && server.write(sent))
    server.pipe(client)
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.')
  target.port = String(address.port)
  return target.href
}

describe('a commit whose answer is lost', () => {
  for (const arrives of [true, false])
    it(`${arrives ? 'although it was made' : 'because it never arrived'} is made exactly once`, async () => {
      const url = await newDatabase()
      let cuts = 1
      const storage = await opened(
        await proxied(url, (sent, client, server) => {
          if (cuts === 0 || !sent.includes('commit\0')) return true
          cuts -= 1
          if (arrives) server.write(sent)
          // The server has answered, but the answer does not reach the client.
          if (arrives)
            server
              .unpipe(client)
              .once('data', () => client.destroy())
              .resume()
          else client.destroy()
          return false
        }),
      )
      expect(await storage.transaction((tx) => tx.cases.nextNumber('ours', 2026))).toBe(1)
      expect(cuts).toBe(0)
      expect(await storage.transaction((tx) => tx.cases.nextNumber('ours', 2026))).toBe(2)
    })
})

describe('a connection that no longer answers', () => {
  it('is abandoned after a time limit, and another one is used instead', async () => {
    const url = await newDatabase()
    const [seen, silent] = [new Set<Socket>(), new Set<Socket>()]
    const through = await proxied(url, (_, client) => {
      seen.add(client)
      return !silent.has(client)
    })
    const storage = await opened(through, { statementTimeoutMs: 200, direct: null })
    await storage.transaction((tx) => tx.facts.set('colour', 'blue'))
    // Each read uses its own connection.
    await Promise.all(['colour', 'size'].map((name) => storage.reads.facts.get(name)))
    expect(seen.size).toBe(2)
    for (const client of seen) silent.add(client)
    const read = storage.reads.facts.get('colour')
    const written = storage.transaction((tx) => tx.facts.set('size', 'small'))
    expect([await read, await written]).toEqual(['blue', undefined])
    expect(await storage.reads.facts.get('size')).toBe('small')
  })
})

describe('transactions in conflict', () => {
  it('run again after a deadlock', async () => {
    const storage = await opened(await newDatabase())
    const [a, b] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let runs = 0
    const crossing = (first: string, second: string, { mine, others }: Record<'mine' | 'others', typeof a>) =>
      storage.transaction(async (tx) => {
        runs += 1
        await tx.facts.set(first, 'set')
        mine.resolve()
        await others.promise
        await tx.facts.set(second, 'set')
      })
    await Promise.all([crossing('a', 'b', { mine: a, others: b }), crossing('b', 'a', { mine: b, others: a })])
    expect(runs).toBe(3)
  })

  it('wait for a locked row no longer than the limit', async () => {
    const url = await newDatabase()
    const [holder, waiter] = [await opened(url), await opened(url, { lockTimeoutMs: 50 })]
    await holder.transaction(async (tx) => {
      await tx.cases.nextNumber('ours', 2026)
      const waiting = waiter.transaction((other) => other.cases.nextNumber('ours', 2026))
      await expect(waiting).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 })
    })
    expect(await waiter.transaction((tx) => tx.cases.nextNumber('ours', 2026))).toBe(2)
  })
})

describe('an unreachable server', () => {
  it('is reported as unavailable when the store is opened', async () => {
    await expect(openPostgres('postgres://nobody@127.0.0.1:1/nothing')).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('migrations', () => {
  it('may take longer than the limit for other statements', async () => {
    await using database = await freshDatabase()
    const storage = await opened(database.url, { statementTimeoutMs: 300 })
    const other = await opened(database.url)
    const blocked = Promise.withResolvers<void>()
    // Holds the lock of migrations for longer than a statement may take.
    const blocking = other.db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(7305813941720614)`.execute(trx)
      blocked.resolve()
      await setTimeout(1500)
    })
    await blocked.promise
    expect((await storage.migrate()).length).toBeGreaterThan(0)
    await blocking
    await Promise.all([storage.close(), other.close()])
  })
})

describe('texts with a NUL', () => {
  it('find nothing if they are searched for, without an error', async () => {
    const storage = await opened(await newDatabase())
    expect(await storage.reads.deliveries.find('ours', 'dlv_\0')).toBeNull()
    expect(await storage.reads.deliveries.list('ours', { event: 'sav\0', limit: 5 })).toEqual([])
    expect(await storage.reads.deliveries.count('ours', { endpoint_id: '\0' })).toBe(0)
  })

  it('or a lone surrogate are stored with a replacement character instead, and other texts unchanged', async () => {
    const storage = await opened(await newDatabase())
    const bodies = ['a\0b', 'c\ud800d', '{"é": "\\n \\" \\\\"}', '\n\t\r\u0001{},"\\', 'null', 'NULL', '', ' 🛠 ']
    const [account_id, event, created_at] = ['ours', 'sav.created', '2026-01-15T10:30:00.000Z']
    await sql`insert into accounts (id, created_at) values (${account_id}, ${created_at})`.execute(storage.db)
    await storage.transaction(async ({ outbox }) => {
      for (const [n, body] of bodies.entries())
        await outbox.add({ account_id, id: `evt_${n}`, event, body, created_at, deliveries: [] })
    })
    const kept = await storage.reads.events.since(account_id, '', bodies.length)
    expect(kept.map(({ body }) => body)).toEqual(['a\ufffdb', 'c\ufffdd', ...bodies.slice(2)])
  })
})

describe('watching', () => {
  it('wakes for another process’s commits, even after a lost connection, and once for each of its own', async () => {
    const url = await newDatabase()
    const [watcher, other] = [await opened(url), await opened(url)]
    let wakes = 0
    let woken = Promise.withResolvers<void>()
    onTestFinished(
      watcher.queue.watch(() => {
        wakes += 1
        woken.resolve()
      }),
    )
    // The first call of `wake` shows that the store listens.
    await woken.promise
    const enqueue = (storage: typeof watcher, id: string) => {
      woken = Promise.withResolvers<void>()
      const deliveries = [{ id: `dlv_${id}`, channel: 'webhook', target: 'wh_1' }]
      const created_at = '2026-01-15T10:30:00.000Z'
      const entry = { id: `evt_${id}`, account_id: 'ours', event: 'sav.created', body: '{}', created_at, deliveries }
      return storage.transaction((tx) => tx.outbox.add(entry))
    }
    await enqueue(watcher, 'own')
    expect(wakes).toBe(2)
    await enqueue(other, '1')
    await woken.promise
    expect(wakes).toBe(3)
    woken = Promise.withResolvers<void>()
    await administer(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'sav listen' and datname = '${new URL(url).pathname.slice(1)}'`)
    await woken.promise
    await enqueue(other, '2')
    await woken.promise
  })
})

describe('a server that refuses to write', () => {
  it('loses only the connections of the write that it refused', async () => {
    const url = await newDatabase()
    const storage = await opened(url)
    const backends = async () => {
      const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
        where datname = current_database() and application_name = 'sav'`.execute(storage.db)
      return rows.map(({ pid }) => pid)
    }
    await storage.transaction((tx) => tx.facts.set('order', '0'))
    const onEach = (setting: 'on' | 'off') =>
      Promise.all(
        Array.from({ length: 8 }, () =>
          sql`select set_config('default_transaction_read_only', ${setting}, false), pg_sleep(0.1)`.execute(storage.db),
        ),
      )
    const name = new URL(url).pathname.slice(1)
    await administer(`alter database ${name} set default_transaction_read_only = on`)
    await onEach('on')
    const before = await backends()
    expect(before.length).toBeGreaterThanOrEqual(8)
    await expect(storage.transaction((tx) => tx.facts.set('order', '1'))).rejects.toThrow('read-only')
    // The transaction was tried three times, so at most three connections were abandoned.
    const after = await backends()
    expect(before.filter((pid) => after.includes(pid)).length).toBeGreaterThanOrEqual(before.length - 3)
  })
})
