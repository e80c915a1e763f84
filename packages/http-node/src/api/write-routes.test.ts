import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Writes } from '@sav/core'
import type { Storage } from '@sav/core/ports'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import { migratedFile } from '../../../../test/sqlite.js'
import { openSqlite } from '../../../../test/whole/opening.js'
import { permissions } from '../../../../test/whole/permissions.js'
import { tokenOf } from '../../../people/test/people.js'
import { answered } from '../../test/browser.js'
import { as } from '../../test/composed.js'
import {
  appliedRounds,
  callsOf,
  type ExampleCall,
  isSuccess,
  oneRdv,
  unsentReport,
  writeRoutes,
} from '../../test/example-calls.js'
import { type Answer, fetchDoor, openService, type Service } from '../../test/service.js'
import type { Queries } from '../routes/declaration/route.js'

/** A call, with what it did to the store. */
interface ObservedCall {
  readonly answer: Answer
  /** How many transactions the call began. */
  readonly begun: number
  /** Every row of every table, before the call and after it. */
  readonly before: string
  readonly after: string
}

type Headers = Readonly<Record<string, string>>
type WatchedService = Awaited<ReturnType<typeof openWatched>>

/** A service on a store that counts transactions, and whose audit rows can be made to fail. */
async function openWatched() {
  const folder = await mkdtemp(join(tmpdir(), 'sav-writes-'))
  const file = await migratedFile(join(folder, 'sav.db'))
  const opened = await openSqlite(file)
  let begun = 0
  let takesAudit = true
  const storage: Storage = {
    ...opened,
    // `scrub` runs after the commit, so a write must succeed even if `scrub` fails.
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
  const version = await appliedRounds(service.sav)
  const rdv_id = await oneRdv(service.sav, service)
  const door = fetchDoor(service.api)
  let key = await service.key(permissions)
  const headersWith = async ({ path }: ExampleCall, more: Headers) => {
    const { authorization: _, ...headers } = service.auth(more)
    const ofSession = ['/api/v1/session', '/api/v1/terrain/appareil'].some((begin) => path.startsWith(begin))
    if (!ofSession) return { ...headers, authorization: `Bearer ${key}` }
    const { secret } = await person.signIn()
    return { ...headers, origin, 'x-sav-console': '1', cookie: `__Host-sav=${secret}` }
  }
  const send = ({ method, path, body }: ExampleCall, headers: Headers) =>
    door.call(method, path, { headers, ...(body !== undefined && { body }) })

  return {
    async call(made: ExampleCall): Promise<Answer> {
      const answer = await send(made, await headersWith(made, {}))
      if (answer.status !== 401) return answer
      // An earlier call has revoked or replaced the key.
      key = await service.key(permissions)
      return send(made, await headersWith(made, {}))
    },
    ids: { client_id: service.client_id, poseur_id: service.poseur_id, version, rdv_id, ...person.ids },

    async observe(made: ExampleCall, more: Headers, isAuditTaken: boolean): Promise<ObservedCall> {
      key = await service.key(permissions)
      const headers = await headersWith(made, more)
      const before = rowsOf(file)
      begun = 0
      takesAudit = isAuditTaken
      const answer = await send(made, headers)
      takesAudit = true
      return { answer, begun, before, after: rowsOf(file) }
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
async function somebody({ users, signIns, sessions }: Service['sav']) {
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
  const phone = await signIn()
  await sessions.nameDevice({ ...actor, id }, phone.session.id, { nom: 'Téléphone', en_attente: 0 })
  return { signIn, ids: { passkey: passkey.id, session: session.id, appareil: phone.session.id } }
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

it('the queries that an operation gets contain nothing that begins a transaction', () => {
  expectTypeOf<Queries>().not.toHaveProperty('perform')
  expectTypeOf<keyof Queries['cases'] & keyof Writes['cases']>().toBeNever()
  expectTypeOf<keyof Queries['keys'] & keyof Writes['keys']>().toBeNever()
  expectTypeOf<keyof Queries['directory']['clients'] & keyof Writes['clients']>().toBeNever()
  expectTypeOf<keyof Queries['directory']['poseurs'] & keyof Writes['poseurs']>().toBeNever()
  expectTypeOf<keyof Queries['webhooks']['endpoints'] & keyof Writes['endpoints']>().toBeNever()
  expectTypeOf<keyof Queries['webhooks']['deliveries'] & keyof Writes['deliveries']>().toBeNever()
  expectTypeOf<keyof Queries['webhooks']['replays'] & keyof Writes['replays']>().toBeNever()
})

describe('each write', () => {
  // A store for each test: some operations are possible only once.
  let watched: WatchedService
  beforeEach(async () => {
    watched = await openWatched()
  })
  afterEach(() => watched.close())

  /** Every second write has an Idempotency-Key, so its answer is kept in the same transaction. */
  const each = writeRoutes.map((route, n) => [route.name, route, n % 2 ? {} : { 'idempotency-key': 'one' }] as const)
  it.each(each)(
    'is one transaction, which is rolled back if its audit row cannot be written: %s',
    async (name, route, headers) => {
      for await (const made of callsOf(route, watched.call, watched.ids)) {
        const failed = await watched.observe(made, headers, false)
        if (failed.answer.status < 500) {
          // The only allowed refusals: the subject is missing, or its state does not fit.
          expect([404, 409], failed.answer.text).toContain(failed.answer.status)
          continue
        }
        expect(failed.answer.status).toBe(500)
        expect(failed.begun).toBe(1)
        expect(failed.after).toBe(failed.before)

        const written = await watched.observe(made, headers, true)
        expect(written.answer, written.answer.text).toSatisfy(isSuccess)
        expect(written.begun).toBe(1)
        expect(written.after).not.toBe(written.before)
        return
      }
      throw new Error(`no call of ${name} came as far as the audit: what makes one possible?`)
    },
  )
})
