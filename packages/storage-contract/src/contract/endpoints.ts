import type { ReceiverRecord } from '@sav/core/feature'
import { eventKinds } from '@sav/webhook-verify'
import { addDeliveries } from '../samples/queue-samples.js'
import { addEndpoint, addOwner, ended, endpoint, instant, twoOwners } from '../samples/samples.js'
import type { Suite } from './suite.js'

export function endpointContract({ describe, it, expect }: Suite): void {
  describe('endpoints', () => {
    const complete = endpoint('ours', 'wh_1', {
      description: 'Façade – entrepôt',
      events: eventKinds,
      sealed_secret: 'v1.sealed.secret',
      previous_secrets: [
        { sealed: 'v1.sealed.oldest', expires_at: instant(1) },
        { sealed: 'v1.sealed.previous', expires_at: instant(2) },
      ],
      sealed_headers: 'v1.sealed.headers',
      disabled_at: instant(2),
      disabled_reason: 'five days of failures',
      failing_since: instant(-6 * 86_400_000),
      failures: {
        first: instant(-6 * 86_400_000),
        last: instant(-86_400_000),
        counted_since: instant(-5 * 86_400_000),
      },
      updated_at: instant(3),
    })

    it('an endpoint reads back as it was added', async (storage) => {
      await addOwner(storage, 'ours')
      await storage.transaction((tx) => tx.endpoints.add(complete))
      expect(await storage.reads.endpoints.find('ours', 'wh_1')).toEqual(complete)
      expect(await storage.reads.endpoints.list('ours')).toEqual([complete])
      expect(await storage.reads.endpoints.ofTarget('wh_1')).toEqual(complete)
      expect(await storage.reads.endpoints.find('ours', 'wh_2')).toBeNull()
      expect(await storage.reads.endpoints.ofTarget('wh_2')).toBeNull()
    })

    it('an update replaces the whole record of that endpoint only', async (storage) => {
      await addOwner(storage, 'ours')
      await storage.transaction((tx) => tx.endpoints.add(complete))
      const other = await addEndpoint(storage, 'ours', 'wh_2')
      const plain = endpoint('ours', 'wh_1', { url: 'https://other.example/', events: ['sav.closed', 'sav.updated'] })
      await storage.transaction((tx) => tx.endpoints.update(plain))
      expect(await storage.reads.endpoints.find('ours', 'wh_1')).toEqual(plain)
      expect(await storage.reads.endpoints.ofTarget('wh_1')).toEqual(plain)
      expect(await storage.reads.endpoints.find('ours', 'wh_2')).toEqual(other)
    })

    it('endpoints are listed oldest first', async (storage) => {
      await addOwner(storage, 'ours')
      await addEndpoint(storage, 'ours', 'wh_b', { created_at: instant(2) })
      await addEndpoint(storage, 'ours', 'wh_c', { created_at: instant(1) })
      await addEndpoint(storage, 'ours', 'wh_a', { created_at: instant(3) })
      expect((await storage.reads.endpoints.list('ours')).map(({ id }) => id)).toEqual(['wh_c', 'wh_b', 'wh_a'])
    })

    const record = (endpoint_id: string, fields: Partial<ReceiverRecord> = {}): ReceiverRecord => ({
      account_id: 'ours',
      endpoint_id,
      minutes: [{ minute: 29_474_550, reussies: 3, echecs: 1 }],
      echecs_consecutifs: 0,
      echecs_depuis: null,
      dernier_echec: null,
      derniere_reponse: { date: instant(), statut: 204, erreur: null, code: null },
      ...fields,
    })
    const failing = {
      echecs_consecutifs: 2,
      echecs_depuis: instant(1),
      dernier_echec: instant(2),
      derniere_reponse: { date: instant(2), statut: null, erreur: 'connection refused', code: 'connection_refused' },
    }

    it('the record of attempts is replaced for each endpoint', async (storage) => {
      await addOwner(storage, 'ours')
      const names = ['wh_1', 'wh_2', 'wh_3'].map((endpoint_id) => ({ account_id: 'ours', endpoint_id }))
      for (const { endpoint_id } of names) await addEndpoint(storage, 'ours', endpoint_id)
      await storage.transaction((tx) => tx.endpoints.keepRecords([record('wh_2'), record('wh_1', failing)]))
      await storage.transaction((tx) => tx.endpoints.keepRecords([record('wh_2', failing)]))
      const kept = await storage.reads.endpoints.records(names)
      expect(kept.toSorted((a, b) => (a.endpoint_id < b.endpoint_id ? -1 : 1))).toEqual([
        record('wh_1', failing),
        record('wh_2', failing),
      ])
      expect(await storage.reads.endpoints.records([{ account_id: 'theirs', endpoint_id: 'wh_1' }])).toEqual([])
    })

    it('concurrent records of the same endpoints lose nothing', async (storage) => {
      await addOwner(storage, 'ours')
      const names = ['wh_2', 'wh_1'].map((endpoint_id) => ({ account_id: 'ours', endpoint_id }))
      await storage.transaction((tx) => tx.endpoints.keepRecords(names.map(({ endpoint_id }) => record(endpoint_id))))
      const count = (asked: typeof names) =>
        storage.transaction(async (tx) => {
          const kept = await tx.endpoints.records(asked)
          await tx.endpoints.keepRecords(
            kept.map((each) => ({ ...each, echecs_consecutifs: each.echecs_consecutifs + 1 })),
          )
        })
      await Promise.all(Array.from({ length: 6 }, (_, n) => count(n % 2 === 0 ? names : names.toReversed())))
      const kept = await storage.reads.endpoints.records(names)
      expect(kept.map(({ echecs_consecutifs }) => echecs_consecutifs)).toEqual([6, 6])
    })

    it('troubled endpoints are the enabled ones whose last attempt failed, or that failed recently', async (storage) => {
      await addOwner(storage, 'ours')
      await addEndpoint(storage, 'ours', 'wh_disabled', { disabled_at: instant(1) })
      for (const id of ['wh_last', 'wh_lately', 'wh_once', 'wh_ok', 'wh_new', 'wh_removed'])
        await addEndpoint(storage, 'ours', id)
      await storage.transaction(async (tx) => {
        await tx.endpoints.keepRecords([
          record('wh_disabled', failing),
          record('wh_last', { ...failing, dernier_echec: instant(1) }),
          record('wh_lately', { dernier_echec: instant(3) }),
          record('wh_once', { dernier_echec: instant(2) }),
          record('wh_ok'),
          record('wh_removed', failing),
        ])
        await tx.endpoints.update(endpoint('ours', 'wh_removed', { removed_at: instant(1) }))
      })
      const { enabled, disabled, troubled } = await storage.reads.endpoints.troubled(instant(3))
      expect([enabled, disabled]).toEqual([5, 1])
      expect(troubled.map(({ endpoint_id }) => endpoint_id).toSorted()).toEqual(['wh_last', 'wh_lately'])
    })

    it('the waiting deliveries of an endpoint are counted, with the due time of the oldest', async (storage) => {
      await addOwner(storage, 'ours')
      for (const id of ['wh_1', 'wh_2']) await addEndpoint(storage, 'ours', id)
      await addDeliveries(storage, { a: 5, b: 3 })
      const names = ['wh_1', 'wh_2'].map((endpoint_id) => ({ account_id: 'ours', endpoint_id }))
      const waiting = async (at: number) =>
        (await storage.reads.endpoints.waiting(names, instant(at))).toSorted((a, b) =>
          a.endpoint_id < b.endpoint_id ? -1 : 1,
        )
      const nothing = { endpoint_id: 'wh_2', en_attente: 0, plus_ancien: null }
      expect(await waiting(2)).toEqual([{ endpoint_id: 'wh_1', en_attente: 2, plus_ancien: null }, nothing])
      expect(await waiting(3)).toEqual([{ endpoint_id: 'wh_1', en_attente: 2, plus_ancien: instant(3) }, nothing])
    })

    it('a removed endpoint is neither found nor listed', async (storage) => {
      await addOwner(storage, 'ours')
      await addEndpoint(storage, 'ours', 'wh_1')
      const kept = await addEndpoint(storage, 'ours', 'wh_2')
      const removed = endpoint('ours', 'wh_1', { removed_at: instant(1) })
      await storage.transaction((tx) => tx.endpoints.update(removed))
      expect(await storage.reads.endpoints.find('ours', 'wh_1')).toBeNull()
      expect(await storage.reads.endpoints.list('ours')).toEqual([kept])
      expect(await storage.reads.endpoints.ofTarget('wh_1')).toBeNull()
    })

    it('an endpoint of another account is neither found, listed nor changed', async (storage) => {
      await twoOwners(storage)
      const foreign = await addEndpoint(storage, 'theirs', 'wh_1')
      expect(await storage.reads.endpoints.find('ours', 'wh_1')).toBeNull()
      expect(await storage.reads.endpoints.list('ours')).toEqual([])
      const hijacked = endpoint('ours', 'wh_1', { url: 'https://attacker.example/' })
      await ended(storage.transaction((tx) => tx.endpoints.update(hijacked)))
      expect(await storage.reads.endpoints.find('theirs', 'wh_1')).toEqual(foreign)
      expect(await storage.reads.endpoints.ofTarget('wh_1')).toEqual(foreign)
    })

    it('all endpoints of every account, including removed ones, are paged by id', async (storage) => {
      await twoOwners(storage)
      const added = [
        await addEndpoint(storage, 'theirs', 'wh_b', { created_at: instant(1) }),
        await addEndpoint(storage, 'ours', 'wh_c', { created_at: instant(0), removed_at: instant(9) }),
        await addEndpoint(storage, 'ours', 'wh_a', { created_at: instant(2), disabled_at: instant(9) }),
      ]
      const page = (afterId: string, limit: number) =>
        storage.transaction((tx) => tx.endpoints.every({ afterId, limit }))
      const [theirs, removed, first] = added
      expect(await page('', 2)).toEqual([first, theirs])
      expect(await page('wh_b', 2)).toEqual([removed])
      expect(await page('wh_c', 2)).toEqual([])
    })

    it('the endpoint of a target is found in any account, also when it is disabled', async (storage) => {
      await twoOwners(storage)
      const own = await addEndpoint(storage, 'ours', 'wh_1', { disabled_at: instant() })
      const foreign = await addEndpoint(storage, 'theirs', 'wh_2')
      expect(await storage.reads.endpoints.ofTarget('wh_1')).toEqual(own)
      expect(await storage.reads.endpoints.ofTarget('wh_2')).toEqual(foreign)
      await storage.transaction(async (tx) => {
        await tx.endpoints.update({ ...own, removed_at: instant(1) })
        expect(await tx.endpoints.ofTarget('wh_1')).toBeNull()
        expect(await tx.endpoints.ofTarget('wh_2')).toEqual(foreign)
      })
    })

    it('subscribers of an event are the account’s endpoints that chose it, including disabled ones', async (storage) => {
      await twoOwners(storage)
      await addEndpoint(storage, 'ours', 'wh_1', { events: ['sav.created', 'sav.closed'] })
      await addEndpoint(storage, 'ours', 'wh_2', { events: ['sav.closed'] })
      await addEndpoint(storage, 'ours', 'wh_3', { events: ['sav.created'], disabled_at: instant() })
      await addEndpoint(storage, 'ours', 'wh_4', { events: ['sav.created'], removed_at: instant() })
      await addEndpoint(storage, 'theirs', 'wh_5', { events: ['sav.created'] })
      const subscribers = (event: string) =>
        storage.transaction(async (tx) => (await tx.outbox.subscribers('ours', event)).toSorted())
      expect(await subscribers('sav.created')).toEqual(['wh_1', 'wh_3'])
      expect(await subscribers('sav.closed')).toEqual(['wh_1', 'wh_2'])
      expect(await subscribers('sav.updated')).toEqual([])
      expect(await subscribers('sav')).toEqual([])
    })

    it('subscribers follow a change of the chosen events and a removal', async (storage) => {
      await addOwner(storage, 'ours')
      await addEndpoint(storage, 'ours', 'wh_1', { events: ['sav.created'] })
      const subscribers = (event: string) => storage.transaction((tx) => tx.outbox.subscribers('ours', event))
      const update = (fields: Parameters<typeof endpoint>[2]) =>
        storage.transaction((tx) => tx.endpoints.update(endpoint('ours', 'wh_1', fields)))
      await update({ events: ['sav.closed'] })
      expect(await subscribers('sav.created')).toEqual([])
      expect(await subscribers('sav.closed')).toEqual(['wh_1'])
      await update({ events: ['sav.closed'], removed_at: instant() })
      expect(await subscribers('sav.closed')).toEqual([])
    })
  })
}
