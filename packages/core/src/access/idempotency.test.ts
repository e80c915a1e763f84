import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import { createSealer } from '../crypto/sealing.js'
import {
  conflict,
  fieldProblem,
  IdempotencyInProgressError,
  IdempotencyMismatchError,
  UnavailableError,
  ValidationError,
} from '../errors.js'
import type { Storage } from '../storage.js'
import { fixedClock, seededRandom } from '../testing/index.js'
import { createIdempotency, type Idempotency, type IdempotentAnswer, type IdempotentRequest } from './idempotency.js'

const day = 86_400_000

const request = (fields: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  account_id: 'default',
  key_id: 'key_1',
  method: 'POST',
  path: '/api/v1/sav',
  key: 'order-4711',
  body: Buffer.from('{"client_id":1}'),
  secret: false,
  ...fields,
})

const created: IdempotentAnswer = {
  status: 201,
  headers: ['Content-Type', 'application/json; charset=utf-8', 'Location', '/api/v1/sav/1', 'ETag', '"1"'],
  body: '{"success":true,"data":{"id":1,"nom":"Zoé 🔧"}}',
}

async function open() {
  const storage = await memoryStorage()
  const clock = fixedClock()
  const sealer = createSealer(new Uint8Array(32).fill(7), seededRandom(1))
  /** The idempotency of another process of the same installation. */
  const process = (store: Storage = storage) => createIdempotency({ storage: store, clock, sealer })
  const effects = async () => Number((await storage.reads.facts.get('effects')) ?? 0)

  /** Counts an effect and keeps its answer in the same transaction, after `before` has resolved. */
  const effect =
    (answer: IdempotentAnswer = created, before: Promise<void> = Promise.resolve()) =>
    async (keep: Parameters<Parameters<Idempotency['once']>[1]>[0]) => {
      await before
      await storage.transaction(async (tx) => {
        await tx.facts.set('effects', String(Number((await tx.facts.get('effects')) ?? 0) + 1))
        await keep(tx, answer)
      })
      return answer
    }
  return { storage, clock, process, idempotency: process(), effect, effects }
}

describe('a repeated request', () => {
  it('gets the first answer byte for byte, and has no second effect', async () => {
    const { idempotency, process, effect, effects } = await open()
    expect(await idempotency.once(request(), effect())).toEqual({ replayed: false, answer: created })
    for (const each of [idempotency, process()])
      expect(await each.once(request(), effect())).toEqual({ replayed: true, answer: created })
    expect(await effects()).toBe(1)
  })

  it('is refused while the first request runs, and also afterwards if its body differs', async () => {
    const { idempotency, process, effect, effects } = await open()
    const other = request({ body: Buffer.from('{"client_id":2}') })
    const gate = Promise.withResolvers<void>()
    const first = idempotency.once(request(), effect(created, gate.promise))
    await expect(idempotency.once(request(), effect())).rejects.toThrow(IdempotencyInProgressError)
    await expect(idempotency.once(other, effect())).rejects.toThrow(IdempotencyMismatchError)
    gate.resolve()
    expect(await first).toMatchObject({ replayed: false })
    for (const each of [idempotency, process()])
      await expect(each.once(other, effect())).rejects.toThrow(IdempotencyMismatchError)
    expect(await idempotency.once(request(), effect())).toMatchObject({ replayed: true })
    expect(await effects()).toBe(1)
  })

  it.each([
    ['account', { account_id: 'other' }],
    ['key', { key_id: 'key_2' }],
    ['method', { method: 'PATCH' }],
    ['path', { path: '/api/v1/clients' }],
    ['Idempotency-Key', { key: 'order-4712' }],
    ['path and Idempotency-Key that are the same when joined', { path: '/api/v1/sav"', key: ',"order-4711' }],
  ])('with another %s is a new one', async (_, fields) => {
    const { idempotency, effect, effects } = await open()
    await idempotency.once(request(), effect())
    expect(await idempotency.once(request(fields), effect())).toMatchObject({ replayed: false })
    expect(await effects()).toBe(2)
  })

  it('gets the first answer for 24 hours, and is then performed as a new request', async () => {
    const { idempotency, clock, effect, effects } = await open()
    await idempotency.once(request(), effect())
    await clock.advance(day)
    expect(await idempotency.once(request(), effect())).toMatchObject({ replayed: true })
    await clock.advance(1)
    const second = { ...created, body: '{"success":true,"data":{"id":2}}' }
    expect(await idempotency.once(request(), effect(second))).toEqual({ replayed: false, answer: second })
    expect(await idempotency.once(request(), effect())).toEqual({ replayed: true, answer: second })
    expect(await effects()).toBe(2)
  })

  it('that another process performs at the same time, with another body, is refused if it comes second', async () => {
    const { process, effect, effects } = await open()
    const ends = await Promise.allSettled([
      process().once(request(), effect()),
      process().once(request({ body: Buffer.from('{}') }), effect()),
    ])
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const refusal = ends.find((end) => end.status === 'rejected')?.reason
    expect(refusal).toBeInstanceOf(IdempotencyMismatchError)
    expect(await effects()).toBe(1)
  })

  it('that fails because another process was first gets the answer from that process', async () => {
    const { process, effect } = await open()
    const losing = process().once(request(), async () => {
      await process().once(request(), effect())
      throw conflict('key_revoked', { id: 1 })
    })
    expect(await losing).toEqual({ replayed: true, answer: created })
  })
})

describe('an answer', () => {
  it('without a transaction is kept in a transaction of its own', async () => {
    const { idempotency } = await open()
    const answer = { status: 200, headers: [], body: '{"matched":7}' }
    expect(await idempotency.once(request(), async () => answer)).toEqual({ replayed: false, answer })
    const again = await idempotency.once(request(), () => Promise.reject(new Error('it ran again')))
    expect(again).toEqual({ replayed: true, answer })
  })

  it.each([199, 300, 304, 400, 409, 422, 429, 500, 503])('with status %i is not kept', async (status) => {
    const { idempotency } = await open()
    const answer = { status, headers: [], body: '{}' }
    for (let n = 0; n < 2; n += 1)
      expect(await idempotency.once(request(), async () => answer)).toEqual({ replayed: false, answer })
  })

  it('that is a refusal is not kept, and a repeated request runs again', async () => {
    const { idempotency, effect, effects } = await open()
    const refusal = new ValidationError([fieldProblem('client_id', 'client_unknown', { id: 1 })])
    await expect(idempotency.once(request(), () => Promise.reject(refusal))).rejects.toBe(refusal)
    expect(await idempotency.once(request(), effect())).toMatchObject({ replayed: false })
    expect(await effects()).toBe(1)
  })

  it('that was committed is returned even if the commit was not reported', async () => {
    const { idempotency, effect, effects } = await open()
    const lost = idempotency.once(request(), async (keep) => {
      await effect()(keep)
      throw new UnavailableError('the connection was lost', { retryAfterSeconds: 1 })
    })
    expect(await lost).toEqual({ replayed: true, answer: created })
    expect(await effects()).toBe(1)
  })

  it('that contains a secret is stored sealed, and cannot be opened for another request', async () => {
    const { idempotency, storage, effect } = await open()
    const secret = { ...created, body: '{"secret":"whsec_abcdefgh"}' }
    await idempotency.once(request({ secret: true }), effect(secret))
    await idempotency.once(request({ key: 'plain' }), effect())
    expect(await idempotency.once(request({ secret: true }), effect())).toEqual({ replayed: true, answer: secret })

    const rows = await storedAnswers(storage)
    expect(rows.filter(({ answer }) => answer.includes('Location'))).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain('abcdefgh')
    const [sealed] = rows.filter(({ answer }) => !answer.startsWith('{'))
    if (sealed === undefined) throw new Error('nothing is sealed')
    const theirs = { ...sealed, account_id: 'other' }
    await storage.transaction((tx) => tx.idempotency.add(theirs, '9999'))
    await expect(idempotency.once(request({ account_id: 'other', secret: true }), effect())).rejects.toThrow(
      'unable to authenticate',
    )
  })

  async function storedAnswers(storage: Storage) {
    const requests = ['order-4711', 'plain'].map((key) =>
      createHash('sha256')
        .update(JSON.stringify(['POST', '/api/v1/sav', key]))
        .digest('hex'),
    )
    const found = await Promise.all(requests.map((each) => storage.reads.idempotency.find('default', 'key_1', each)))
    return found.filter((each) => each !== null)
  }
})

describe('an Idempotency-Key', () => {
  it.each([' ', 'a', 'x'.repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"', '~!@#$%^&*()'])(
    'may be %j',
    async (key) => {
      const { idempotency, effect } = await open()
      expect(await idempotency.once(request({ key }), effect())).toMatchObject({ replayed: false })
      expect(await idempotency.once(request({ key }), effect())).toMatchObject({ replayed: true })
    },
  )

  it.each(['', 'x'.repeat(256), 'é', '\t', 'a\n', '\0', 'a\u007f', '🔧'])('may not be %j', async (key) => {
    const { idempotency, effect, effects } = await open()
    const refusal = await idempotency.once(request({ key }), effect()).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'validation_failed', details: [{ field: 'Idempotency-Key' }] })
    expect(await effects()).toBe(0)
  })
})
