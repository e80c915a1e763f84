import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { permissions, type Writes } from '@sav/core'
import type { Storage } from '@sav/core/ports'
import { openSqlite } from '@sav/storage-kysely/sqlite'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { migratedFile } from '../../../../test/sqlite.js'
import { tokenOf } from '../../../core/test/people.js'
import { answered } from '../../test/browser.js'
import { as } from '../../test/composed.js'
import { callsOf, type ExampleCall, isSuccess, unsentReport, writeRoutes } from '../../test/example-calls.js'
import { type Answer, fetchDoor, openService, type Service } from '../../test/service.js'
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
  const file = await migratedFile(join(folder, 'sav.db'))
  const opened = await openSqlite(file)
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
  const service = await openService(storage, { letters: ['whatsapp'], publicUrl: origin })
  await unsentReport(service.sav)
  const person = await somebody(service.sav)
  const door = fetchDoor(service.api)
  // A new key, or session, for each call: the one before may have ended its own.
  const headersWith = async ({ path }: ExampleCall, more: Headers) => {
    const { authorization: _, ...headers } = service.auth(more)
    if (!path.startsWith('/api/v1/session'))
      return { ...headers, authorization: `Bearer ${await service.key(permissions)}` }
    const { secret } = await person.signIn()
    return { ...headers, origin, 'x-sav-console': '1', cookie: `__Host-sav=${secret}` }
  }
  const send = ({ method, path, body }: ExampleCall, headers: Headers) =>
    door.call(method, path, { headers, ...(body !== undefined && { body }) })

  return {
    call: async (made: ExampleCall) => send(made, await headersWith(made, {})),
    ids: { client_id: service.client_id, poseur_id: service.poseur_id, ...person.ids },

    async observe(made: ExampleCall, more: Headers, isAuditTaken: boolean): Promise<Observed> {
      const headers = await headersWith(made, more)
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

const origin = 'https://sav.petit.example'

/** Somebody who is signed in and has a passkey. */
async function somebody({ users, signIns }: Service['sav']) {
  const actor = as('default')
  const claire = { nom: 'Claire Petit', email: 'claire@petit.example', role: 'administration' } as const
  const { id } = await users.add(actor, claire)
  const signIn = async () => {
    const token = tokenOf(await users.invite(actor, id))
    return signIns.byInvitation({ token }, { ip: '192.0.2.7', appareil: 'Firefox' })
  }
  const page = { origin, rp_id: 'sav.petit.example' }
  const { challenge } = Object(await signIns.askNewPasskey(actor, id, page))
  const response = answered({ challenge }, 'téléphone', origin)
  const passkey = await signIns.addPasskey(actor, id, { response }, page)
  const { session } = await signIn()
  return { signIn, ids: { passkey: passkey.id, session: session.id } }
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

describe.each(writeRoutes.map((route) => [route.name, route] as const))('%s', (name, route) => {
  describe.each([
    ['without', {}],
    ['with', { 'idempotency-key': 'the one' }],
  ] as const)('%s an Idempotency-Key', (_, headers) => {
    // One for both tests: the first of them writes nothing.
    let watched: Watched
    beforeAll(async () => {
      watched = await openWatched()
    })
    afterAll(() => watched.close())

    /** The first of its calls that ends so, after none that ended in any other way than for want of what it is about. */
    async function first(isIt: (answer: Answer) => boolean, isAuditTaken: boolean): Promise<Observed> {
      for await (const made of callsOf(route, watched.call, watched.ids)) {
        const observed = await watched.observe(made, headers, isAuditTaken)
        if (isIt(observed.answer)) return observed
        expect([404, 409], observed.answer.text).toContain(observed.answer.status)
      }
      throw new Error(`no call of ${name} ended so: what makes one possible?`)
    }

    it('writes nothing at all when its row in the audit fails', async () => {
      const { answer, begun, before, after } = await first(({ status }) => status >= 500, false)
      expect(answer.status).toBe(500)
      expect(begun).toBe(1)
      expect(after).toBe(before)
    })

    it('is one transaction', async () => {
      const { begun, before, after } = await first(isSuccess, true)
      expect(begun).toBe(1)
      expect(after).not.toBe(before)
    })
  })
})
