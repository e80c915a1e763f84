import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import { attempt, claimedDelivery, outcome, update } from '../../../storage-contract/src/samples/queue-samples.js'
import { addEndpoint, addOwner, instant, present } from '../../../storage-contract/src/samples/samples.js'
import { as, openSav, recordingHttp } from '../../test/open-sav.js'
import { fixedClock, httpAnswer } from '../testing/index.js'
import { countReceivers, createReceiverRecords } from './receiver-records.js'

const shop = as('default')

describe('the health of a receiver', () => {
  it('is stored within a second of an answer', async () => {
    const { http } = recordingHttp(() => ({ ...httpAnswer(503), errorCode: 'status_503' }))
    const { sav, worker, clock } = await openSav({ http })
    const { id } = await sav.webhooks.endpoints.add(shop, { url: 'https://caisse.example/h', events: ['sav.created'] })
    const health = async () => (await sav.webhooks.endpoints.list('default')).map((each) => each.sante)
    expect(await health()).toMatchObject([{ etat: 'ok', part_reussie: null }])
    worker.start()
    await sav.webhooks.endpoints.test(shop, id)
    await clock.advance(2000)
    const { sante } = await sav.webhooks.deliveries.activity('default', id)
    expect(sante).toMatchObject({
      etat: 'en_echec',
      derniere_reponse: { statut: 503, code: 'status_503' },
      echecs_consecutifs: 1,
      en_attente: 1,
      part_reussie: 0,
    })
    expect(await health()).toEqual([sante])
    await worker.stop()
  })

  it('is written only after attempts, and only for webhooks', async () => {
    const storage = await memoryStorage()
    let written = 0
    const counting = {
      ...storage,
      transaction: ((work) => {
        written += 1
        return storage.transaction(work)
      }) as typeof storage.transaction,
    }
    const clock = fixedClock()
    const records = createReceiverRecords({ storage: counting, clock })
    await records.keep()
    expect(written).toBe(0)
    records.note([outcome(claimedDelivery()), outcome(claimedDelivery({ channel: 'email', target: 'client' }))])
    await records.keep()
    await records.keep()
    expect(written).toBe(1)
    const names = ['wh_1', 'client'].map((endpoint_id) => ({ account_id: 'ours', endpoint_id }))
    expect((await storage.reads.endpoints.records(names)).map(({ endpoint_id }) => endpoint_id)).toEqual(['wh_1'])
  })

  it('loses nothing while the store is unavailable', async () => {
    const storage = await memoryStorage()
    let away = true
    const transaction: typeof storage.transaction = (work) =>
      away ? Promise.reject(new Error('away')) : storage.transaction(work)
    const records = createReceiverRecords({ storage: { ...storage, transaction }, clock: fixedClock() })
    const seen = (error: string | null) => ({
      ...outcome(claimedDelivery(), update({ state: error === null ? 'delivered' : 'pending' })),
      attempt: attempt({ error }),
    })
    records.note([seen(null), seen('answered 500')])
    const failing = records.keep()
    records.note([seen('answered 500')])
    await expect(failing).rejects.toThrow('away')
    away = false
    await records.keep()
    const [kept] = await storage.reads.endpoints.records([{ account_id: 'ours', endpoint_id: 'wh_1' }])
    expect(kept).toMatchObject({ echecs_consecutifs: 2, minutes: [{ reussies: 1, echecs: 2 }] })
  })

  it('is written twice a minute without failures, and at once when a receiver fails or works again', async () => {
    const storage = await memoryStorage()
    const clock = fixedClock()
    const records = createReceiverRecords({ storage, clock })
    const kept = async () =>
      (await storage.reads.endpoints.records([{ account_id: 'ours', endpoint_id: 'wh_1' }]))[0]?.minutes.reduce(
        (sum, { reussies, echecs }) => sum + reussies + echecs,
        0,
      )
    const seen = async (state: 'delivered' | 'pending', afterMs: number) => {
      await clock.advance(afterMs)
      records.note([outcome(claimedDelivery(), update({ state }))])
      await records.keep()
      return kept()
    }
    expect(await seen('delivered', 0)).toBe(1)
    expect(await seen('delivered', 29_999)).toBe(1)
    expect(await seen('delivered', 1)).toBe(3)
    expect(await seen('delivered', 1)).toBe(3)
    expect(await seen('pending', 1)).toBe(5)
    expect(await seen('delivered', 1)).toBe(6)
    expect(await seen('delivered', 1)).toBe(6)
    await records.keepAll()
    expect(await kept()).toBe(7)
  })

  it('is counted by state, over all accounts', async () => {
    const storage = await memoryStorage()
    const clock = fixedClock()
    await addOwner(storage, 'ours')
    await addEndpoint(storage, 'ours', 'wh_off', { disabled_at: instant() })
    for (const id of ['wh_1', 'wh_2', 'wh_3']) await addEndpoint(storage, 'ours', id)
    const records = createReceiverRecords({ storage, clock })
    const failed = (target: string) => outcome(claimedDelivery({ target }))
    const delivered = (target: string) => outcome(claimedDelivery({ target }), update({ state: 'delivered' }))
    records.note([failed('wh_1'), delivered('wh_2'), failed('wh_2'), delivered('wh_3')])
    await records.keep()
    const counts = await countReceivers(storage.reads, clock.now())
    expect(counts).toEqual({ ok: 1, ralenti: 1, en_echec: 1, desactive: 1 })
    await clock.advance(10 * 60_000)
    expect(await countReceivers(storage.reads, clock.now())).toEqual({ ...counts, ralenti: 2, en_echec: 0 })
    await clock.advance(60 * 60_000)
    expect(present(await countReceivers(storage.reads, clock.now()))).toEqual({
      ...counts,
      ok: 3,
      ralenti: 0,
      en_echec: 0,
    })
  })
})
