import { sql } from 'kysely'
import * as vitest from 'vitest'
import { asked, hasCitus, newSchema, nodesOf, twoPhaseCommits, within } from '../../../test/citus.js'
import { storageContract } from '../../../test/whole/contract.js'
import { openPostgres } from '../../../test/whole/opening.js'
import { delivered, failed, outcome } from '../../storage-contract/src/samples/queue-samples.js'
import { exceptParts, onlyParts } from '../test/contract-parts.js'
import { patient } from '../test/databases.js'
import { actor, openShop } from '../test/shop.js'
import type { PostgresStorage } from './postgres.js'

const { describe, expect, it, afterAll } = vitest
const coordinator = 'PostgreSQL with Citus, through the coordinator'
const onItsOwn = ['life of a store']

/** A store that drops its schema when it closes. */
async function opened(made = newSchema()): Promise<PostgresStorage> {
  const storage = await openPostgres(made.url, { ...patient, schema: made.schema })
  await storage.migrate()
  return withSchema(storage, made)
}

/** A store like that of `opened`, but connected to the node that holds its schema. Tables cannot be created there. */
async function openedAtNode(): Promise<PostgresStorage> {
  const made = newSchema()
  const maker = await openPostgres(made.url, { ...patient, schema: made.schema })
  await maker.migrate()
  await maker.close()
  const { own } = await nodesOf(made.schema)
  const url = new URL(made.url)
  url.host = `${own.nodename}:${own.nodeport}`
  return withSchema(await openPostgres(url.href, { ...patient, schema: made.schema }), made)
}

function withSchema(storage: PostgresStorage, made: AsyncDisposable): PostgresStorage {
  const close = async () => {
    await storage.close()
    await made[Symbol.asyncDispose]()
  }
  return { ...storage, close }
}

describe.runIf(hasCitus('the storage contract on Citus'))('a store on Citus', () => {
  describe.each([
    [coordinator, () => opened()],
    ['PostgreSQL with Citus, at the node of the schema', openedAtNode],
  ])('%s', (name, openThere) => {
    let shared: PostgresStorage | null = null
    afterAll(() => shared?.close())

    storageContract({
      name,
      vitest: exceptParts(onItsOwn),
      // Creating a store takes seconds, so one store is emptied for each test.
      async open() {
        shared ??= await openThere()
        const { db, tables, queue } = shared
        for (const table of [...tables.all.keys()].toReversed()) await sql`delete from ${sql.table(table)}`.execute(db)
        await queue.release([])
        return { ...shared, close: async () => {} }
      },
    })
  })

  storageContract({ name: coordinator, vitest: onlyParts(onItsOwn), open: () => opened() })

  it('creates, changes, closes, books and delivers without a two-phase commit', async () => {
    await using made = newSchema()
    const storage = await openPostgres(made.url, { ...patient, schema: made.schema })
    await storage.migrate()
    const { sav, take } = await openShop(storage)
    await sav.webhooks.endpoints.add(actor, { url: 'https://receiver.example/hook', events: ['sav.created'] })
    const { items } = await sav.directory.clients.list(actor.account_id, {})
    const before = await twoPhaseCommits()
    const description = 'La façade du four s’écaille.'
    const create = () => sav.cases.create(actor, { client_id: items[0]?.id ?? 0, description })
    await Promise.all(Array.from({ length: 20 }, create))
    for (const what of ['create', 'update', 'notes', 'visit', 'close', 'reopen'] as const)
      await take(what === 'create' ? { what } : { what, which: 0 })
    const now = new Date().toISOString()
    const due = await storage.queue.due(now)
    const requests = due.map((target) => ({ ...target, limit: 50 }))
    const leasedUntil = new Date(Date.now() + 15_000).toISOString()
    const claimed = await storage.queue.claim(requests, { now, leasedUntil, token: 'token' })
    expect(claimed.length).toBeGreaterThan(20)
    await storage.queue.record(claimed.map((each, place) => outcome(each, place % 2 === 0 ? delivered : failed)))
    // PostgreSQL counts the commits of a session only when the session ends. So the store is closed before the count is
    // read.
    expect(await asked(`select 1 from cases`, within(made.schema))).toHaveLength(21)
    await storage.close()
    expect((await twoPhaseCommits()) - before).toBe(0)
  })
})
