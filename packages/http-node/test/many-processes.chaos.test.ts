import type { PostgresStorage } from '@sav/storage-kysely/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migratedDatabase, type TestDatabase } from '../../../test/postgres.js'
import { openPostgres } from '../../../test/whole/opening.js'
import { secureRandom, systemClock } from '../src/runtime.js'
import { type ApiProcess, startApi } from './api-processes.js'
import { as, composeWith } from './composed.js'

const isFull = process.env['SAV_TEST_CHAOS'] === '1'
const description = 'La porte du meuble bas ne ferme plus.'

interface Answer {
  readonly status: number
  readonly text: string
  readonly replayed: boolean
}

/** The number of processes: two are enough to conflict, so the short run has two. */
const count = isFull ? 4 : 2

describe(`${count} processes on one PostgreSQL`, () => {
  let database: TestDatabase
  let storage: PostgresStorage
  let client_id: number
  let key: string
  let processes: ApiProcess[] = []

  beforeAll(async () => {
    database = await migratedDatabase()
    storage = await openPostgres(database.url)
    const { sav } = composeWith({ storage, clock: systemClock, random: secureRandom })
    await sav.accounts.add(as('default'), 'default')
    client_id = (await sav.directory.clients.add(as('default'), { nom: 'Durand', prenom: 'Alice' })).id
    key = (await sav.keys.create(as('default'), { nom: 'test', permissions: ['sav:read', 'sav:write'] })).key
    processes = await Promise.all(Array.from({ length: count }, () => startApi(database.url)))
  })
  afterAll(async () => {
    await stop()
    await storage.close()
    await database[Symbol.asyncDispose]()
  })

  const total = async () => (await storage.reads.cases.list('default', {}, { page: 1, limite: 1 })).total
  async function stop() {
    await Promise.all(processes.map((each) => each.close()))
    processes = []
  }

  /** Creates a case; null when the connection broke. */
  async function create(nth: number, name: string, body: object = { client_id, description }): Promise<Answer | null> {
    const url = processes[nth % processes.length]?.url ?? ''
    try {
      const response = await fetch(`${url}/api/v1/sav`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': name,
          'x-request-timestamp': String(Math.floor(Date.now() / 1000)),
        },
        body: JSON.stringify(body),
      })
      const replayed = response.headers.has('idempotency-replayed')
      return { status: response.status, text: await response.text(), replayed }
    } catch {
      return null
    }
  }

  async function expectOne(name: string, before: number, answers: readonly (Answer | null)[]): Promise<void> {
    const again = await create(0, name)
    expect(again).toMatchObject({ status: 201, replayed: true })
    expect(await total()).toBe(before + 1)
    for (const answer of answers) {
      if (answer === null) continue
      expect([201, 409, 503]).toContain(answer.status)
      if (answer.status === 201) expect(answer.text).toBe(again?.text)
    }
    expect(answers.filter((answer) => answer?.status === 201 && !answer.replayed).length).toBeLessThanOrEqual(1)
    expect(await create(1, name, { client_id, description: `${description} Autre.` })).toMatchObject({ status: 422 })
  }

  const rounds = isFull ? 200 : 1
  it(`make one case of 50 identical requests, ${rounds} times`, { timeout: 600_000 }, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const name = `together ${round}`
      const before = await total()
      const answers = await Promise.all(Array.from({ length: 50 }, (_, nth) => create(nth, name)))
      expect(answers).not.toContain(null)
      await expectOne(name, before, answers)
    }
  })

  const kills = isFull ? 200 : 1
  it(`make one case of 50 identical requests while one is killed, ${kills} times`, { timeout: 1_800_000 }, async () => {
    let broken = 0
    for (let round = 0; round < kills; round += 1) {
      const name = `killed ${round}`
      const before = await total()
      const victim = round % processes.length
      const sent = Array.from({ length: 50 }, (_, nth) => create(nth, name))
      // Each round kills at another moment: at the first answer, or within 20 ms.
      await Promise.race([...sent, new Promise((resolve) => setTimeout(resolve, round % 20))])
      await processes[victim]?.kill()
      processes[victim] = await startApi(database.url)
      const answers = await Promise.all(sent)
      broken += answers.filter((answer) => answer === null).length
      // Each caller without a 201 repeats the call, as a client does.
      for (const [nth, answer] of answers.entries()) if (answer?.status !== 201) await create(nth, name)
      await expectOne(name, before, answers)
    }
    console.log(`${kills} kills broke ${broken} of ${kills * 50} requests`)
  })
})
