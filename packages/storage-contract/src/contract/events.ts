import type { Storage } from '@sav/core/ports'
import { instant, twoOwners } from '../samples/samples.js'
import type { Suite } from './suite.js'

/** Writes an event whose body contains its id too. */
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
    it('of the account are listed by id, from a given id on and up to the limit', async (storage) => {
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
  })
}
