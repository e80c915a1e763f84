import type { SavClosedData, SavData } from '@sav/webhook-verify'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { memoryStorage } from '../../../test/memory-storage.js'
import { as, recordingHttp } from '../test/open-sav.js'
import { UnavailableError } from './errors.js'
import { createService, type ServiceDeps } from './service.js'
import { type FixedClock, fixedClock, seededRandom } from './testing/index.js'

const actor = as('default')
const minutes = 60_000

interface ServiceSetup extends Partial<Omit<ServiceDeps, 'clock'>> {
  readonly clock?: FixedClock
  readonly seed?: number
}

async function open({ clock = fixedClock(), storage: over, seed = 1, ...options }: ServiceSetup = {}) {
  const storage = over ?? (await memoryStorage())
  const faults: unknown[] = []
  const { http, posted } = recordingHttp()
  const service = createService({
    storage,
    clock,
    random: seededRandom(seed),
    secretKey: new Uint8Array(32).fill(7),
    http,
    onFault: (error) => faults.push(error),
    ...options,
  })
  return { service, clock, storage, faults, posted }
}

/** A case of a client of its own. */
async function createCase({ directory, cases }: ReturnType<typeof createService>, description = 'La porte frotte.') {
  const client = await directory.clients.add(actor, { nom: 'Lefèvre', prenom: 'Zoé' })
  return cases.create(actor, { client_id: client.id, description })
}

const history = async ({ webhooks }: ReturnType<typeof createService>) =>
  (await webhooks.deliveries.list('default', {})).items

describe('a service starts', () => {
  it('with an account, a worker and a listener, and closes the listener before the sender', async () => {
    const order: string[] = []
    const { http } = recordingHttp()
    const storage = await memoryStorage()
    const { service, clock } = await open({ storage, http: { ...http, close: async () => void order.push('sender') } })
    await expect(service.ready()).rejects.toThrow(UnavailableError)
    const listener = await service.start(async () => {
      expect(await storage.reads.accounts.find('default')).not.toBeNull()
      return { url: 'http://127.0.0.1:1', close: async () => void order.push('listener') }
    })
    expect(listener.url).toBe('http://127.0.0.1:1')
    await clock.advance(0)
    await service.ready()
    await Promise.all([service.close(), service.close()])
    expect(order).toEqual(['listener', 'sender'])
  })

  it('without a worker if another process sends, and is ready until it closes', async () => {
    const { service, clock, posted } = await open({ sends: false })
    await service.start()
    await service.webhooks.endpoints.add(actor, { url: 'https://atelier.example/', events: ['sav.created'] })
    await createCase(service)
    await clock.advance(2000)
    expect([posted.length, service.sending.heartbeat, service.sending.inFlight]).toEqual([0, 0, 0])
    await service.ready()
    await service.close()
    await expect(service.ready()).rejects.toThrow('The service is closing.')
  })

  it('and closes the sender in time, even if the listener does not end', async () => {
    const order: string[] = []
    const { http } = recordingHttp()
    const { service, clock } = await open({
      maxCloseMs: 9000,
      http: { ...http, close: async () => void order.push('sender') },
    })
    await service.start(async () => ({ close: () => new Promise(() => {}) }))
    const closed = service.close().then(() => order.push('closed'))
    await clock.advance(8999)
    expect(order).toEqual([])
    await clock.advance(1)
    await closed
    expect(order).toEqual(['sender', 'closed'])
  })

  it('and closes the rest if one part fails, and reports the error', async () => {
    const order: string[] = []
    const { http } = recordingHttp()
    const { service, clock } = await open({ http: { ...http, close: async () => void order.push('sender') } })
    await service.start(async () => ({ close: () => Promise.reject(new Error('the listener is stuck')) }))
    await clock.advance(0)
    await expect(service.close()).rejects.toThrow('the listener is stuck')
    expect(order).toEqual(['sender'])
  })

  it('and stores the notes of keys and calls when it closes', async () => {
    const { service, clock, storage } = await open()
    await service.start()
    const { key, id } = await service.keys.create(actor, { nom: 'site', permissions: ['sav:read'] })
    await service.inTransaction({ ...storage }).keys.authenticate(key, '192.0.2.1')
    const call = { method: 'GET', endpoint: '/api/v1/sav', ip: '192.0.2.1', request_id: 'r1' }
    const caller = { account_id: 'default', key_id: id, user_id: null, target: null }
    service.audit.note({ ...call, ...caller, time: clock.now(), status: 200, duration_ms: 1 })
    await service.close()
    expect(await service.keys.list('default')).toMatchObject([
      { id, last_used_at: new Date(clock.now()).toISOString() },
    ])
    expect((await service.audit.list('default', {})).items).toMatchObject([{ key_id: id, request_id: 'r1' }])
  })

  it.each([
    ['without its schema', { pendingMigrations: async () => ['0016'] }, '0016: call storage.migrate() before start()'],
    ['of a later release', { newerMigrations: async () => ['0099'] }, 'later release (0099)'],
  ])('not on a store %s', async (_, migrations, message) => {
    const { service } = await open({ storage: { ...(await memoryStorage()), ...migrations } })
    await expect(service.start()).rejects.toThrow(message)
  })

  it('not with another secret key, unless `findSecretKey` returns the first one', async () => {
    const storage = await memoryStorage()
    const first = (await open({ storage })).service
    await first.start()
    await first.close()
    const secretKey = new Uint8Array(32).fill(8)
    await expect((await open({ storage, secretKey })).service.start()).rejects.toThrow('was made with the secret key')
    const rotating = (await open({ storage, secretKey, findSecretKey: () => new Uint8Array(32).fill(7) })).service
    await rotating.start()
    await rotating.close()
  })

  it('only once', async () => {
    const { service } = await open()
    await service.start()
    await expect(service.start()).rejects.toThrow('started already')
    await service.close()
  })

  it('or, if its listener fails, closes each part once', async () => {
    const order: string[] = []
    const { http } = recordingHttp()
    const { service } = await open({ http: { ...http, close: async () => void order.push('sender') } })
    await expect(service.start(() => Promise.reject(new Error('EADDRINUSE')))).rejects.toThrow('EADDRINUSE')
    await service.close()
    expect(order).toEqual(['sender'])
  })
})

describe('a handler of the host', () => {
  it('gets only its kinds of events, with the data of their webhook', async () => {
    const { service, clock } = await open()
    const given: unknown[] = []
    service.on('crm', ['sav.created', 'sav.closed'], (event, { account_id }) => {
      if (event.event === 'sav.closed') expectTypeOf(event.data).toEqualTypeOf<SavClosedData>()
      else expectTypeOf(event.data).toEqualTypeOf<SavData>()
      given.push([event.event, event.data.reference, account_id])
    })
    await service.start()
    const { id } = await createCase(service)
    await service.cases.update(actor, id, { priorite: 'haute' })
    await clock.advance(500)
    expect(given).toEqual([['sav.created', 'SAV-2026-00001', 'default']])
    expect(await history(service)).toMatchObject([
      { event: 'sav.created', channel: 'host:crm', endpoint_id: 'host:crm', state: 'delivered', attempt_count: 1 },
    ])
    await service.close()
  })

  it('that throws is called again on the schedule, and its error is reported', async () => {
    const { service, clock, faults } = await open()
    let calls = 0
    service.on('crm', ['sav.created'], () => {
      calls += 1
      if (calls === 1) throw new Error('the CRM is closed on Sundays')
    })
    await service.start()
    await createCase(service)
    await clock.advance(29_000)
    expect(calls).toBe(1)
    const kept = await history(service)
    expect(kept).toMatchObject([{ state: 'pending', last_error: 'the handler threw Error' }])
    expect(faults).toMatchObject([
      { message: `The handler crm failed for delivery ${kept[0]?.id}.`, cause: { message: /Sundays/ } },
    ])
    await clock.advance(2_000)
    expect(calls).toBe(2)
    expect(await history(service)).toMatchObject([{ state: 'delivered', attempt_count: 2 }])
    await service.close()
  })

  it.each([
    [
      'a class and a code',
      Object.assign(new TypeError('Alice Durand, 0612345678'), { code: '23505' }),
      'TypeError 23505',
    ],
    ['a code that is a sentence', Object.assign(new Error('refused'), { code: 'no Alice Durand' }), 'Error'],
    ['a name that is a sentence', Object.assign(new Error('refused'), { name: 'Alice Durand' }), 'Error'],
    ['no error at all', 'Alice Durand', 'string'],
  ])(
    'that throws %s leaves no text of the error in the history, where an erasure would not find it',
    async (_, thrown, kind) => {
      const { service, clock } = await open()
      service.on('crm', ['sav.created'], () => {
        throw thrown
      })
      await service.start()
      await createCase(service)
      await clock.advance(500)
      expect(await history(service)).toMatchObject([{ last_error: `the handler threw ${kind}` }])
      await service.close()
    },
  )

  it.each([
    ['ends just before its time', 4_999, 'delivered', false],
    ['takes longer than its time', 5_001, 'pending', true],
  ] as const)('that %s', async (_, takesMs, state, aborted) => {
    const { service, clock } = await open()
    const signals: AbortSignal[] = []
    service.on('crm', ['sav.created'], (_event, { signal }) => {
      signals.push(signal)
      return new Promise((resolve) => void clock.after(takesMs, resolve))
    })
    await service.start()
    await createCase(service)
    await clock.advance(6_000)
    expect(signals.map((signal) => signal.aborted)).toEqual([aborted])
    expect(await history(service)).toMatchObject([
      { state, attempt_count: 1, last_error: aborted ? 'the handler did not end within 5000 ms' : null },
    ])
    const closed = service.close()
    await clock.advance(6_000)
    await closed
  })

  it('misses nothing while no process has added it: its events wait until one does', async () => {
    const storage = await memoryStorage()
    const clock = fixedClock()
    const first = (await open({ storage, clock })).service
    first.on('crm', ['sav.created'], () => {})
    await first.start()
    await first.close()

    const without = (await open({ storage, clock, seed: 2 })).service
    await without.start()
    await createCase(without)
    await clock.advance(120 * minutes)
    expect(await history(without)).toMatchObject([{ state: 'pending', attempt_count: 0 }])

    const given: string[] = []
    const later = (await open({ storage, clock, seed: 3 })).service
    later.on('crm', ['sav.created'], ({ data }) => void given.push(data.reference))
    await later.start()
    await clock.advance(1_000)
    expect(given).toEqual(['SAV-2026-00001'])
    await Promise.all([without.close(), later.close()])
  })

  it('that is removed gets nothing more, and its waiting deliveries fail within a minute', async () => {
    const { service, clock } = await open()
    service.on('crm', ['sav.created'], () => Promise.reject(new Error('not now')))
    await service.start()
    await createCase(service)
    await clock.advance(1_000)
    await service.off('crm')
    await createCase(service)
    await clock.advance(2 * minutes)
    expect(await history(service)).toMatchObject([{ state: 'failed', last_error: 'handler removed' }])
    await service.close()
  })

  it('that drops a kind fails the waiting deliveries of that kind, and the history gives the reason', async () => {
    const storage = await memoryStorage()
    const clock = fixedClock()
    const first = (await open({ storage, clock })).service
    first.on('crm', ['sav.created', 'sav.updated'], () => Promise.reject(new Error('not now')))
    await first.start()
    await createCase(first)
    await clock.advance(1_000)
    await first.close()
    const second = (await open({ storage, clock, seed: 2 })).service
    second.on('crm', ['sav.updated'], () => {})
    await second.start()
    await clock.advance(minutes)
    expect(await history(second)).toMatchObject([
      { state: 'failed', last_error: 'the handler no longer takes sav.created', attempt_count: 2 },
    ])
    await second.close()
  })

  it('must have a unique name, and be added before the start', async () => {
    const { service } = await open()
    service.on('crm', ['sav.created'], () => {})
    expect(() => service.on('crm', ['sav.closed'], () => {})).toThrow('already a handler named crm')
    expect(() => service.on('le crm', ['sav.closed'], () => {})).toThrow('must be 1 to 63')
    expect(() => service.on('agenda', ['sav.closed', 'rdv.created'], () => {})).toThrow(
      'No composed feature has rdv.created: compose the feature',
    )
    await service.start()
    expect(() => service.on('stock', ['sav.closed'], () => {})).toThrow('before start()')
    await service.close()
  })
})

it('a write before the start is refused, since no account exists yet, and the refusal says what to do', async () => {
  const { service } = await open()
  const { directory, webhooks } = service
  const writes = [
    () => directory.clients.add(actor, { nom: 'Lefèvre', prenom: 'Zoé' }),
    () => directory.poseurs.add(actor, { nom: 'Karim Benali' }),
    () => webhooks.endpoints.add(actor, { url: 'https://erp.example/', events: ['sav.created'] }),
  ]
  for (const write of writes)
    await expect(write()).rejects.toThrow(/^There is no account default: accounts\.add creates it, and start\(\)/)
  await service.start()
  for (const write of writes) await write()
  await service.close()
})
