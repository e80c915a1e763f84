import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { permissions, type Writes } from '@sav/core'
import type { Storage } from '@sav/core/ports'
import { openSqlite } from '@sav/storage-kysely/sqlite'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import { callsOf, type ExampleCall, isSuccess, unsentReport, writeRoutes } from '../../test/example-calls.js'
import { type Answer, fetchDoor, openService } from '../../test/service.js'
import type { Queries } from '../routes/route.js'

/** A call, with what it did to the store. */
interface Observed {
  readonly made: ExampleCall
  readonly answer: Answer
  /** Transactions that it began. */
  readonly begun: number
  /** Every row of every table, before it and after it. */
  readonly before: string
  readonly after: string
}

type Headers = Readonly<Record<string, string>>
type Watched = Awaited<ReturnType<typeof openWatched>>

/** A service on a store whose transactions are counted, and whose audit takes no row on demand. */
async function openWatched() {
  const folder = await mkdtemp(join(tmpdir(), 'sav-writes-'))
  const file = join(folder, 'sav.db')
  const opened = await openSqlite(file)
  await opened.migrate()
  let begun = 0
  let takesAudit = true
  const storage: Storage = {
    ...opened,
    // What follows a commit is no part of the write; nor may the write need it.
    scrub: () => Promise.reject(new Error('not now')),
    transaction(work) {
      begun += 1
      if (takesAudit) return opened.transaction(work)
      const add = () => Promise.reject(new Error('this row is not written'))
      return opened.transaction((tx) => work({ ...tx, audit: { ...tx.audit, add } }))
    },
  }
  const service = await openService(storage, { letters: ['whatsapp'] })
  await unsentReport(service.sav)
  const door = fetchDoor(service.api)
  // A new key for each call: the one before may have revoked its own.
  const headersWith = async (more: Headers) =>
    service.auth({ authorization: `Bearer ${await service.key(permissions)}`, ...more })
  const send = ({ method, path, body }: ExampleCall, headers: Headers) =>
    door.call(method, path, { headers, ...(body !== undefined && { body }) })

  return {
    call: async (made: ExampleCall) => send(made, await headersWith({})),
    ids: { client_id: service.client_id, poseur_id: service.poseur_id },

    async observe(made: ExampleCall, more: Headers, isAuditTaken: boolean): Promise<Observed> {
      const headers = await headersWith(more)
      const before = rowsOf(file)
      begun = 0
      takesAudit = isAuditTaken
      const answer = await send(made, headers)
      takesAudit = true
      return { made, answer, begun, before, after: rowsOf(file) }
    },

    async close() {
      await door.close()
      await opened.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function rowsOf(file: string): string {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = db.prepare("select name from sqlite_schema where type = 'table' order by 1").all()
    return JSON.stringify(tables.map(({ name }) => [name, db.prepare(`select * from "${name}"`).all()]))
  } finally {
    db.close()
  }
}

it('an operation is handed nothing that begins a transaction', () => {
  expectTypeOf<Queries>().not.toHaveProperty('perform')
  expectTypeOf<keyof Queries['cases'] & keyof Writes['cases']>().toBeNever()
  expectTypeOf<keyof Queries['keys'] & keyof Writes['keys']>().toBeNever()
  expectTypeOf<keyof Queries['directory']['clients'] & keyof Writes['clients']>().toBeNever()
  expectTypeOf<keyof Queries['directory']['poseurs'] & keyof Writes['poseurs']>().toBeNever()
  expectTypeOf<keyof Queries['webhooks']['endpoints'] & keyof Writes['endpoints']>().toBeNever()
  expectTypeOf<keyof Queries['webhooks']['deliveries'] & keyof Writes['deliveries']>().toBeNever()
  expectTypeOf<keyof Queries['webhooks']['replays'] & keyof Writes['replays']>().toBeNever()
})

const ways = [
  ['', {}],
  [' with an Idempotency-Key', { 'idempotency-key': 'the one' }],
] as const

describe.each(writeRoutes.map((route) => [route.name, route] as const))('%s', (name, route) => {
  let watched: Watched
  beforeEach(async () => {
    watched = await openWatched()
  })
  afterEach(() => watched.close())

  /** The first of its calls that ends so, after none that ended in any other way than for want of what it is about. */
  async function first(isIt: (answer: Answer) => boolean, headers: Headers, isAuditTaken = true): Promise<Observed> {
    for await (const made of callsOf(route, watched.call, watched.ids)) {
      const observed = await watched.observe(made, headers, isAuditTaken)
      if (isIt(observed.answer)) return observed
      expect([404, 409], observed.answer.text).toContain(observed.answer.status)
    }
    throw new Error(`no call of ${name} ended so: what makes one possible?`)
  }

  it.each(ways)('is one transaction%s', async (_, headers) => {
    const { begun, before, after } = await first(isSuccess, headers)
    expect(begun).toBe(1)
    expect(after).not.toBe(before)
  })

  it.each(ways)('writes nothing at all when its row in the audit fails%s', async (_, headers) => {
    const { answer, begun, before, after } = await first(({ status }) => status >= 500, headers, false)
    expect(answer.status).toBe(500)
    expect(begun).toBe(1)
    expect(after).toBe(before)
  })
})
