import type { Storage } from '@sav/core/ports'
import { instant, twoOwners } from '../samples/samples.js'
import type { Suite } from './suite.js'

/** Writes an event with this id, which is also its body. */
const write = (storage: Storage, account_id: string, id: string) =>
  storage.transaction((tx) =>
    tx.outbox.add({
      id,
      account_id,
      event: 'sav.created',
      body: `{"id":"${id}"}`,
      created_at: instant(),
      deliveries: [],
    }),
  )

export function eventContract({ describe, it, expect }: Suite): void {
  describe('events', () => {
    it('are given from an id on, by id, as many as asked for, and those of the account alone', async (storage) => {
      await twoOwners(storage)
      for (const id of ['evt_3', 'evt_1', 'evt_2', 'evt_4']) await write(storage, 'ours', id)
      await write(storage, 'theirs', 'evt_5')
      const since = async (from: string, limit = 9) => {
        const found = await storage.reads.events.since('ours', from, limit)
        return found.map(({ id }) => id)
      }
      expect(await since('')).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4'])
      expect(await since('evt_2')).toEqual(['evt_2', 'evt_3', 'evt_4'])
      expect(await since('evt_2', 2)).toEqual(['evt_2', 'evt_3'])
      expect(await since('evt_5')).toEqual([])
      expect(await storage.reads.events.since('ours', 'evt_4', 9)).toEqual([
        { id: 'evt_4', event: 'sav.created', body: '{"id":"evt_4"}' },
      ])
      expect(await storage.reads.events.since('nobody', '', 9)).toEqual([])
    })

    it('are there from their commit on, and inside their own transaction before', async (storage) => {
      await twoOwners(storage)
      const refusal = new Error('changed our mind')
      const failing = storage.transaction(async (tx) => {
        const event = { account_id: 'ours', event: 'sav.created', body: '{}', created_at: instant(), deliveries: [] }
        await tx.outbox.add({ ...event, id: 'evt_1' })
        expect(await tx.events.since('ours', '', 9)).toHaveLength(1)
        throw refusal
      })
      await expect(failing).rejects.toBe(refusal)
      expect(await storage.reads.events.since('ours', '', 9)).toEqual([])
    })
  })
}
