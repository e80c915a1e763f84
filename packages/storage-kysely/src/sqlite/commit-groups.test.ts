import { type Transaction, UnavailableError } from '@sav/core/ports'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { poseur } from '../../../storage-contract/src/samples/samples.js'
import { newFile, openMigrated } from '../../test/files.js'
import type { SqliteOptions, SqliteStorage } from '../sqlite.js'

async function openFile(options?: SqliteOptions): Promise<{ storage: SqliteStorage; other: Sqlite.Database }> {
  const file = newFile()
  const storage = await openMigrated(file, options)
  const other = new Sqlite(file)
  onTestFinished(async () => {
    other.close()
    await storage.close()
  })
  return { storage, other }
}

const set = (storage: SqliteStorage, name: string, value = 'set') =>
  storage.transaction((tx) => tx.facts.set(name, value))

function factsIn(database: Sqlite.Database): string[] {
  return database.prepare<[], string>('select name from facts order by name').pluck().all()
}

describe('group commit', () => {
  it('transactions that wait together share commits, and each commit reports how many share it', async () => {
    const { storage } = await openFile()
    const shared: number[] = []
    storage.watchCommits((transactions) => shared.push(transactions))
    await set(storage, 'alone')
    expect(shared).toEqual([1])
    await Promise.all(Array.from({ length: 50 }, (_, index) => set(storage, `fact ${index}`)))
    expect(shared.reduce((sum, transactions) => sum + transactions)).toBe(51)
    // The size of a group depends on the machine.
    expect(Math.max(...shared)).toBeGreaterThan(1)
  })

  it('a transaction can continue after a failed statement', async () => {
    const { storage } = await openFile()
    await storage.transaction(async (tx) => {
      await tx.facts.set('before', 'set')
      await expect(tx.directory.addPoseur('unknown', poseur({ nom: 'Carl' }))).rejects.toThrow('FOREIGN')
      await tx.facts.set('after', 'set')
    })
    expect([await storage.reads.facts.get('before'), await storage.reads.facts.get('after')]).toEqual(['set', 'set'])
  })

  it('a transaction that has ended accepts no more statements', async () => {
    const { storage } = await openFile()
    const escaped = await storage.transaction(async (tx) => ({ tx }))
    await expect(escaped.tx.facts.set('late', 'set')).rejects.toThrow('has ended')
    await expect(escaped.tx.facts.get('late')).rejects.toThrow('has ended')
    expect(await storage.reads.facts.get('late')).toBeNull()
  })
})

describe('the deferred rows of a transaction', () => {
  const at = '2026-01-15T10:30:00.000Z'

  async function openShop() {
    const opened = await openFile()
    await sql`insert into accounts (id, created_at) values ('ours', ${at})`.execute(opened.storage.db)
    return opened
  }

  const event = (id: string) => ({
    account_id: 'ours',
    id,
    event: 'sav.created',
    body: '{}',
    created_at: at,
    deliveries: [{ id: `dlv_${id}`, channel: 'webhook', target: 'wh_1' }],
  })

  /** Takes a number, as creations do. */
  const emit = (storage: SqliteStorage, id: string, end: (tx: Transaction) => Promise<void> = async () => {}) =>
    storage.transaction(async (tx) => {
      await tx.cases.nextNumber('ours', 2026)
      await tx.outbox.add(event(id))
      await end(tx)
    })
  const eventsIn = (database: Sqlite.Database) =>
    database.prepare<[], string>('select event_id from deliveries order by event_id').pluck().all()

  it('are all written by its commit', async () => {
    const { storage, other } = await openShop()
    const names = Array.from({ length: 50 }, (_, index) => `evt_${index + 10}`)
    await Promise.all(names.map((name) => emit(storage, name)))
    expect(eventsIn(other)).toEqual(names)
    expect(other.prepare('select count(*) from events').pluck().get()).toBe(50)
  })

  it('can be read by later transactions of the group, and are kept when those fail', async () => {
    const { storage, other } = await openShop()
    const ends = await Promise.allSettled([
      emit(storage, 'evt_1'),
      storage.transaction(async (tx) => {
        expect(await tx.deliveries.ofEvent('ours', 'evt_1')).toHaveLength(1)
        throw new Error('changed our mind')
      }),
      emit(storage, 'evt_2'),
    ])
    expect(ends).toMatchObject([{ status: 'fulfilled' }, { reason: new Error('changed our mind') }, {}])
    expect(eventsIn(other)).toEqual(['evt_1', 'evt_2'])
  })

  it('are dropped when their transaction fails, while those of other transactions are kept', async () => {
    const { storage, other } = await openShop()
    const failing = emit(storage, 'evt_2', () => Promise.reject(new Error('changed our mind')))
    const ends = await Promise.allSettled([emit(storage, 'evt_1'), failing, emit(storage, 'evt_3')])
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(eventsIn(other)).toEqual(['evt_1', 'evt_3'])
  })

  it('are refused once their transaction has ended', async () => {
    const { storage, other } = await openShop()
    const escaped = await storage.transaction(async (tx) => {
      await tx.cases.nextNumber('ours', 2026)
      return { tx }
    })
    await expect(escaped.tx.outbox.add(event('evt_1'))).rejects.toThrow('has ended')
    expect(eventsIn(other)).toEqual([])
  })

  it('fail only their own transaction if they cannot be written', async () => {
    const { storage, other } = await openShop()
    await emit(storage, 'evt_1')
    const ends = await Promise.allSettled(['evt_2', 'evt_1', 'evt_3'].map((id) => emit(storage, id)))
    expect(ends).toMatchObject([
      { status: 'fulfilled' },
      { reason: { message: expect.stringContaining('UNIQUE') } },
      { status: 'fulfilled' },
    ])
    expect(eventsIn(other)).toEqual(['evt_1', 'evt_2', 'evt_3'])
  })

  it('fail only their own transaction, even when the next transaction is the one that writes them', async () => {
    const { storage, other } = await openShop()
    await emit(storage, 'evt_1')
    const ends = await Promise.allSettled([emit(storage, 'evt_1'), set(storage, 'after'), emit(storage, 'evt_2')])
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect([eventsIn(other), factsIn(other)]).toEqual([['evt_1', 'evt_2'], ['after']])
  })
})

const onWriter = (storage: SqliteStorage, pragma: string) =>
  storage.db.transaction().execute((trx) => sql.raw(`pragma ${pragma}`).execute(trx))

describe('a full disk', () => {
  /** Leaves space for a few pages. */
  async function fill({ storage, other }: Awaited<ReturnType<typeof openFile>>): Promise<void> {
    const pages = Number(other.pragma('page_count', { simple: true }))
    await onWriter(storage, `max_page_count = ${pages + 10}`)
  }

  it('rejects every caller of the group, but not the next transaction', async () => {
    const opened = await openFile()
    const { storage, other } = opened
    await fill(opened)
    // On a slow machine, the group would otherwise commit early.
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const ends = await Promise.allSettled([
      set(storage, 'small 1'),
      set(storage, 'small 2'),
      set(storage, 'large', 'x'.repeat(1_000_000)),
      set(storage, 'small 3'),
    ])
    expect(ends.map((end) => (end.status === 'rejected' ? end.reason : null))).toEqual([
      expect.any(UnavailableError),
      expect.any(UnavailableError),
      expect.any(UnavailableError),
      null,
    ])
    expect(ends[0]).toMatchObject({ reason: { code: 'unavailable', cause: { code: 'SQLITE_FULL' } } })
    expect(factsIn(other)).toEqual(['small 3'])
    expect(await storage.reads.facts.get('small 1')).toBeNull()

    await onWriter(storage, 'max_page_count = 1000000')
    await set(storage, 'large', 'x'.repeat(1_000_000))
    expect(factsIn(other)).toEqual(['large', 'small 3'])
  })

  it('ends the transaction, even if its caller catches the error', async () => {
    const opened = await openFile()
    const { storage, other } = opened
    await fill(opened)
    const goingOn = storage.transaction(async (tx) => {
      await tx.facts.set('before', 'set')
      await expect(tx.facts.set('large', 'x'.repeat(1_000_000))).rejects.toThrow(UnavailableError)
      await expect(tx.facts.set('after', 'set')).rejects.toThrow(UnavailableError)
      await expect(tx.facts.get('before')).rejects.toThrow(UnavailableError)
    })
    await expect(goingOn).rejects.toThrow(UnavailableError)
    expect(factsIn(other)).toEqual([])
  })
})

describe('a commit that fails', () => {
  it('rejects a transaction that cannot be repeated, and repeats the others of its group', async () => {
    const { storage, other } = await openFile()
    other.exec('create table parents (id integer primary key)')
    other.exec('create table children (parent integer references parents (id) deferrable initially deferred)')
    const orphan = storage.db.transaction().execute((trx) => sql`insert into children values (1)`.execute(trx))
    const ends = await Promise.allSettled([set(storage, 'first'), orphan, set(storage, 'last')])
    expect(ends).toMatchObject([
      { status: 'fulfilled' },
      { reason: { code: 'unavailable', cause: { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' } } },
      { status: 'fulfilled' },
    ])
    expect(factsIn(other)).toEqual(['first', 'last'])
    expect(other.prepare('select * from children').all()).toEqual([])
  })
})

describe('a read-only database', () => {
  it('rejects writes, and still serves reads', async () => {
    const { storage } = await openFile()
    await set(storage, 'before')
    await onWriter(storage, 'query_only = 1')
    await expect(set(storage, 'after')).rejects.toMatchObject({
      code: 'unavailable',
      cause: { code: 'SQLITE_READONLY' },
    })
    expect(await storage.reads.facts.get('before')).toBe('set')
  })
})

describe('a database that another process locks', () => {
  it('makes transactions wait, without blocking the event loop', async () => {
    const { storage, other } = await openFile()
    other.exec('begin immediate')
    const setting = set(storage, 'waited')
    // This event loop releases the lock: a blocking wait would never end.
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await storage.reads.facts.get('waited')).toBeNull()
    other.exec('rollback')
    await setting
    expect(factsIn(other)).toEqual(['waited'])
  })

  it('rejects transactions that wait longer than the limit, but not later ones', async () => {
    const { storage, other } = await openFile({ busyTimeoutMs: 30 })
    other.exec('begin immediate')
    const ends = await Promise.allSettled([set(storage, 'first'), set(storage, 'second')])
    other.exec('rollback')
    for (const end of ends)
      expect(end).toMatchObject({
        reason: { code: 'unavailable', retryAfterSeconds: 1, cause: { code: 'SQLITE_BUSY' } },
      })
    await set(storage, 'third')
    expect(factsIn(other)).toEqual(['third'])
  })

  it('makes a ping fail', async () => {
    const { storage, other } = await openFile({ busyTimeoutMs: 30 })
    await storage.ping()
    other.exec('begin immediate')
    await expect(storage.ping()).rejects.toThrow(UnavailableError)
    other.exec('rollback')
    await storage.ping()
  })
})
