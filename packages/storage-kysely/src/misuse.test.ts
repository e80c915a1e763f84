import { inspect } from 'node:util'
import type { Sav } from '@sav/core'
import type { Storage } from '@sav/core/ports'
import type Sqlite from 'better-sqlite3'
import { drizzle as drizzleOnSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle } from 'drizzle-orm/node-postgres'
import Knex from 'knex'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { Pool } from 'pg'
import * as vitest from 'vitest'
import { openSomewhere } from '../test/databases.js'
import { actor, serviceOn } from '../test/shop.js'
import { begun, insertion, ofDatabase, ofPath, onSqlite, type Team, teams } from '../test/teams.js'
import { fromDrizzle, fromKnex, fromPrisma } from './postgres.js'
import { type Schema, tables } from './tables/tables.js'

const { describe, expect, it, onTestFinished } = vitest

const refusal = new Error('the order was refused')

interface Call {
  /** The id of the team's row. */
  readonly n: number
  /** Creates a case. */
  readonly create: (inside: Storage) => Promise<unknown>
  readonly pause: () => Promise<unknown>
}

/** How the call ended; null if it could not be made. */
type CallEnd = PromiseSettledResult<unknown> | null
type Misuse = (team: Team, call: Call) => Promise<CallEnd>

const ended = async (call: Promise<unknown>): Promise<CallEnd> => (await Promise.allSettled([call]))[0] ?? null

async function refused(call: Promise<unknown>): Promise<CallEnd> {
  const how = await ended(call)
  expect(how).toMatchObject({ status: 'rejected' })
  return how
}

/** A call that is not awaited before the transaction ends. */
const forgotten =
  (end: () => void): Misuse =>
  async ({ within }, { n, create, pause }) => {
    let made: Promise<CallEnd> | null = null
    await within(n, async (inside) => {
      made = ended(create(inside))
      await pause()
      end()
    }).catch(() => {})
    return made
  }

/** A call after the transaction's end. */
const kept =
  (end: () => void): Misuse =>
  async ({ within }, { n, create, pause }) => {
    let inside: Storage | null = null
    await within(n, async (storage) => {
      inside = storage
      end()
    }).catch(() => {})
    await pause()
    return inside && refused(create(inside))
  }

/** A call in a later transaction on the same connection. */
const keptInto =
  (end: () => void, use: (inside: Storage) => Promise<unknown>): Misuse =>
  async ({ within, rows }, { n, create, pause }) => {
    let inside: Storage | null = null
    await within(n, async (storage) => {
      inside = storage
      await use(storage)
      end()
    }).catch(() => {})
    let made: CallEnd = null
    const later = within(n + 1_000, async () => {
      if (inside !== null) made = await refused(create(inside))
      await pause()
    })
    const isRefused = inside === null
    await (isRefused ? expect(later).rejects.toThrow('transactionOn') : later)
    expect((await rows()).includes(n + 1_000)).toBe(!isRefused)
    return made
  }

const commit = () => {}
const rollBack = () => {
  throw refusal
}

const using = (inside: Storage) => inside.reads.accounts.list()

const misuses: readonly (readonly [string, Misuse, 'at every step' | 'once'])[] = [
  ['a forgotten await, then a rollback', forgotten(rollBack), 'at every step'],
  ['a forgotten await, then a commit', forgotten(commit), 'at every step'],
  ['a service kept past a commit', kept(commit), 'once'],
  ['a service kept past a rollback', kept(rollBack), 'once'],
  ['a service kept past a commit, into a later transaction', keptInto(commit, using), 'once'],
  ['a service kept past a rollback, into a later transaction', keptInto(rollBack, using), 'once'],
  ['a service first used in a later transaction', keptInto(commit, async () => {}), 'once'],
]

/** The number of rows in each table, without those of processes. */
async function counts({ db }: Team['storage']): Promise<number[]> {
  const names = Object.entries(tables).flatMap(([name, { copied }]) => (copied === null ? [] : [name]))
  const each = names.map((name, place) => sql`select ${sql.lit(place)} as place, count(*) as n from ${sql.table(name)}`)
  const { rows } = await sql<{ n: number }>`${sql.join(each, sql` union all `)} order by place`.execute(db)
  return rows.map(({ n }) => Number(n))
}

/** Creates cases, and counts the rows that one case adds to each table. */
async function casesOn({ storage }: Team) {
  const sav: Sav = serviceOn(storage)
  await sav.accounts.add(actor, 'default')
  await sav.webhooks.endpoints.add(actor, { url: 'https://erp.example/', events: ['sav.created'] })
  const { id: client_id } = await sav.directory.clients.add(actor, { nom: 'Durand', prenom: 'Alice' })
  const create = ({ cases }: Pick<Sav, 'cases'>) =>
    cases.create(actor, { client_id, description: 'La porte du meuble haut ne ferme plus.' })
  // The first case of a year also creates the counter of that year.
  await create(sav)
  const before = await counts(storage)
  await create(sav)
  const one = differences(await counts(storage), before)
  expect(one.filter((added) => added > 0).length).toBeGreaterThan(4)
  return { one, create: (inside: Storage) => create(sav.inTransaction(inside)) }
}

const differences = (after: readonly number[], before: readonly number[]) =>
  after.map((count, index) => count - (before[index] ?? 0))

/**
 * Each team tries every third step of a call, from a different start. So the teams of one database together try every
 * step.
 */
const stride = 3

describe.each(teams.map((team, index) => [...team, index % stride] as const))('%s', (_, open, offset) => {
  it.each(misuses)('%s: our call is refused, or commits as a whole', async (__, misuse, often) => {
    const team = await open()
    const { one, create } = await casesOn(team)
    const none = one.map(() => 0)
    let n = 0
    let before = await counts(team.storage)
    for (const [step, times] of team.steps)
      for (let steps = offset; steps <= (often === 'once' ? offset : times); steps += stride) {
        n += 1
        const pause = async () => {
          for (let taken = 0; taken < steps; taken += 1) await step()
        }
        const made = await misuse(team, { n, create, pause })
        const isWhole = made?.status === 'fulfilled' && (await team.rows()).includes(n)
        const after = await counts(team.storage)
        expect(differences(after, before), `after ${steps} steps`).toEqual(isWhole ? one : none)
        before = after
        if (made?.status === 'rejected') expect(String(made.reason)).toMatch(/transaction/i)
      }
  })
})

it.each(teams.slice(1, 3))('%s: a transaction is rolled back whole if a call in it is not awaited', async (_, open) => {
  const team = await open()
  const { create } = await casesOn(team)
  const before = await counts(team.storage)
  for (const forget of [create, (inside: Storage) => Promise.all([create(inside), create(inside)])]) {
    let call: Promise<CallEnd> | null = null
    const within = team.within(1, async (inside) => {
      call = ended(forget(inside))
    })
    await expect(within).rejects.toThrow('was not awaited')
    expect(await call).toMatchObject({ status: 'rejected' })
  }
  expect(differences(await counts(team.storage), before).some((added) => added > 0)).toBe(false)
  expect(await team.rows()).toEqual([])
})

describe.each(teams.slice(1))('%s', (_, open) => {
  it.each([
    ['a commit', commit],
    ['a rollback', rollBack],
  ])('during a call, %s undoes the call, which cannot continue in a later transaction', async (__, end) => {
    const { storage, within, rows } = await open()
    const begun = Promise.withResolvers<void>()
    const goingOn = Promise.withResolvers<void>()
    let made: Promise<CallEnd> | null = null
    const first = within(1, async (inside) => {
      const call = inside.transaction(async (tx) => {
        await tx.facts.set('first', 'x')
        begun.resolve()
        await goingOn.promise
        await tx.facts.set('second', 'x')
      })
      made = ended(call)
      await begun.promise
      end()
    })
    const said = inspect(await first.catch((error: unknown) => error))
    expect(said).toMatch(end === commit ? /was not awaited|FOREIGN KEY constraint failed/ : refusal.message)
    await within(2, async () => {
      goingOn.resolve()
      await made
    })
    expect(await made).toMatchObject({ status: 'rejected', reason: { message: expect.stringMatching(/transaction/i) } })
    expect([await storage.reads.facts.get('first'), await storage.reads.facts.get('second')]).toEqual([null, null])
    expect(await rows()).toEqual([2])
  })
})

/** Statements that end a transaction unnoticed by Kysely. */
const endings = ['rollback', 'commit', insertion(1).replace('insert', 'insert or rollback')]

describe.each([
  [
    'the team’s Kysely',
    ofPath,
    (database: Sqlite.Database) => new Kysely({ dialect: new SqliteDialect({ database }) }),
  ],
  ['the Kysely of the storage on the Database that it has', ofDatabase, null],
] as const)('%s on SQLite', (_, source, kysely) => {
  it.each(endings)('a call after `%s` commits nothing', async (ending) => {
    const team = await onSqlite(source, begun)
    const { create } = await casesOn(team)
    const before = await counts(team.storage)
    const theirs: Kysely<Schema> = kysely?.(team.database) ?? team.storage.db
    const within = theirs.transaction().execute(async (trx) => {
      await sql.raw(insertion(1)).execute(trx)
      const inside = team.storage.inTransaction(trx)
      await using(inside)
      await ended(sql.raw(ending).execute(trx))
      await refused(create(inside))
      throw refusal
    })
    await expect(within).rejects.toThrow(/^(cannot rollback|the order was refused)/)
    expect(await counts(team.storage)).toEqual(before)
    expect(await team.rows()).toEqual(ending === 'commit' ? [1] : [])
    expect(team.database.inTransaction).toBe(false)
  })
})

/** Transactions of better-sqlite3 that cannot be awaited. */
const synchronous: readonly (readonly [string, (database: Sqlite.Database, work: () => void) => unknown])[] = [
  [
    'a transaction that throws',
    (database, work) =>
      database.transaction(() => {
        work()
        throw refusal
      })(),
  ],
  ['a transaction of an async function', (database, work) => database.transaction(async () => work())()],
  [
    'Drizzle’s transaction that throws',
    (database, work) =>
      drizzleOnSqlite(database).transaction(() => {
        work()
        throw refusal
      }),
  ],
]

describe.each(synchronous)('%s', (_, run) => {
  it('is refused when its Database is passed to inTransaction', async () => {
    const team = await onSqlite(ofPath, begun)
    const { create } = await casesOn(team)
    const before = await counts(team.storage)
    const refusals: unknown[] = []
    const work = () => {
      try {
        void create(Object(team.storage).inTransaction(team.database))
      } catch (error) {
        refusals.push(error)
      }
    }
    expect(() => run(team.database, work)).toThrow(
      /^(the order was refused|Transaction function cannot return a promise)/,
    )
    expect(String(refusals)).toContain('with `storage.transactionOn(database, async (storageInside) => …)`.')
    expect(await counts(team.storage)).toEqual(before)
  })

  it('does not undo a call made inside it, which belongs to the outer transaction', async () => {
    const team = await onSqlite(ofPath, begun)
    const { one, create } = await casesOn(team)
    const before = await counts(team.storage)
    await team.within(1, async (inside) => {
      const made: Promise<unknown>[] = []
      const work = () => {
        team.database.exec(insertion(2))
        made.push(create(inside))
      }
      expect(() => run(team.database, work)).toThrow(
        /^(the order was refused|Transaction function cannot return a promise)/,
      )
      expect(await Promise.all(made)).toHaveLength(1)
    })
    expect(await team.rows()).toEqual([1])
    expect(differences(await counts(team.storage), before)).toEqual(one)
  })
})

/** The members by which Prisma's client is recognised: a real one would have to be generated. */
const prisma = { $queryRawUnsafe() {}, $disconnect() {} }

const handedOver = (
  drizzled: object,
  pool?: Pool,
): readonly (readonly [theirs: unknown, name: string, instead: string])[] => [
  [undefined, 'undefined', "`await client.query('begin')`"],
  [{}, 'an object of Object', "`await client.query('begin')`"],
  ...(pool === undefined ? [] : [[pool, 'a pool', '`const client = await pool.connect()`'] as const]),
  [prisma, 'the client of Prisma', '`fromPrisma(tx)` inside'],
  [{ $queryRawUnsafe() {} }, 'a transaction of Prisma', '`fromPrisma(tx)`.'],
  [Knex({ client: 'pg' }), 'a Knex', '`fromKnex(trx)` inside'],
  [drizzled, 'a database of Drizzle', '`fromDrizzle(tx)` inside'],
]

describe('a call outside a transaction is refused, and the error shows how to begin one', () => {
  it('on SQLite', async () => {
    const { database, storage } = await onSqlite(ofPath, begun)
    const refused = (theirs: unknown) => expect(() => storage.inTransaction(theirs as never))
    for (const [theirs, name] of handedOver(drizzleOnSqlite(database))) {
      refused(theirs).toThrow(`This is ${name}, not a transaction`)
      refused(theirs).toThrow('`storage.transactionOn(database, async (storageInside) => …)`')
    }
    refused(database).toThrow(/in no transaction: begin one first/)
    refused(storage.db).toThrow(/This Kysely is in no transaction/)
  })

  it('on PostgreSQL', async () => {
    const { storage, url } = await openSomewhere()
    const pool = new Pool({ connectionString: url, max: 1 })
    onTestFinished(async () => {
      await pool.end()
      await storage.close()
    })
    const refused = (theirs: unknown) => expect(() => storage.inTransaction(theirs as never))
    for (const [theirs, name, instead] of handedOver(drizzle(pool), pool)) {
      refused(theirs).toThrow(`This is ${name}, not a transaction`)
      refused(theirs).toThrow(instead)
    }
    refused(storage.db).toThrow(/This Kysely is in no transaction/)
    await drizzle(pool).transaction(async (tx) => refused(tx).toThrow('pass `fromDrizzle(tx)`.'))
    expect(() => fromDrizzle(drizzle(pool))).toThrow('fromDrizzle takes')
    expect(() => fromKnex(Knex({ client: 'pg' }) as never)).toThrow('fromKnex takes')
    expect(() => fromPrisma(Object(prisma))).toThrow('fromPrisma takes')
    const client = await pool.connect()
    const inside = storage.inTransaction(client)
    const written = inside.transaction((tx) => tx.facts.set('a', 'b'))
    await expect(written).rejects.toThrow(/in no transaction: begin one first/)
    await expect(inside.reads.facts.get('a')).rejects.toThrow(/in no transaction: begin one first/)
    client.release()
    expect(await storage.reads.facts.get('a')).toBeNull()
  })
})
