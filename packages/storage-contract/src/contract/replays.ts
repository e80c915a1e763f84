import type { ReplayJob } from '@sav/core/ports'
import { ended, instant, present, twoOwners } from '../samples/samples.js'
import type { Suite } from './suite.js'

function replay(id: string, fields: Partial<ReplayJob> = {}): ReplayJob {
  return {
    id,
    account_id: 'ours',
    state: 'running',
    filter: { state: 'failed', endpoint_id: null, event: null, since: null, letters: true },
    position: { created_at: instant(), id: '~' },
    matched: 10,
    retried: 0,
    created_at: instant(),
    ended_at: null,
    ...fields,
  }
}

const ids = (jobs: readonly ReplayJob[]) => jobs.map(({ id }) => id)

export function replayContract({ describe, it, expect }: Suite): void {
  describe('replays', () => {
    it('a replay reads back as it was added, and as it was replaced', async (storage) => {
      await twoOwners(storage)
      const job = replay('rpl_1', {
        filter: { state: 'delivered', endpoint_id: 'wh_1', event: 'sav.closed', since: instant(-1), letters: false },
      })
      await storage.transaction((tx) => tx.replays.add(job))
      expect(await storage.reads.replays.find('ours', 'rpl_1')).toEqual(job)
      expect(await storage.reads.replays.find('ours', 'rpl_2')).toBeNull()

      const done = replay('rpl_1', {
        state: 'done',
        position: { created_at: instant(5), id: 'dlv_5' },
        matched: 11,
        retried: 7,
        ended_at: instant(9),
      })
      await storage.transaction((tx) => tx.replays.update(done))
      expect(await storage.reads.replays.find('ours', 'rpl_1')).toEqual(done)
      expect(await storage.reads.replays.list('ours', { limit: 10 })).toEqual([done])
    })

    it('are listed newest first, up to the limit', async (storage) => {
      await twoOwners(storage)
      await storage.transaction(async (tx) => {
        await tx.replays.add(replay('rpl_b', { created_at: instant(2) }))
        await tx.replays.add(replay('rpl_c', { created_at: instant(1), state: 'cancelled' }))
        await tx.replays.add(replay('rpl_a', { created_at: instant(2), state: 'done' }))
      })
      expect(ids(await storage.reads.replays.list('ours', { limit: 3 }))).toEqual(['rpl_b', 'rpl_a', 'rpl_c'])
      const newest = await storage.reads.replays.list('ours', { limit: 2 })
      expect(ids(newest)).toEqual(['rpl_b', 'rpl_a'])
      const last = present(newest.at(-1))
      const older = await storage.reads.replays.list('ours', { limit: 2, after: [last.created_at, last.id] })
      expect(ids(older)).toEqual(['rpl_c'])
    })

    it('of another account are neither found, listed nor changed', async (storage) => {
      await twoOwners(storage)
      const foreign = replay('rpl_1', { account_id: 'theirs' })
      await storage.transaction((tx) => tx.replays.add(foreign))
      expect(await storage.reads.replays.find('ours', 'rpl_1')).toBeNull()
      expect(await storage.reads.replays.list('ours', { limit: 10 })).toEqual([])
      await ended(storage.transaction((tx) => tx.replays.update(replay('rpl_1', { state: 'cancelled' }))))
      expect(await storage.reads.replays.find('theirs', 'rpl_1')).toEqual(foreign)
    })

    it('running ones of every account are found, oldest first', async (storage) => {
      await twoOwners(storage)
      await storage.transaction(async (tx) => {
        await tx.replays.add(replay('rpl_d', { created_at: instant(2) }))
        await tx.replays.add(replay('rpl_c', { created_at: instant(1), account_id: 'theirs' }))
        await tx.replays.add(replay('rpl_b', { created_at: instant(2), account_id: 'theirs' }))
        await tx.replays.add(replay('rpl_a', { state: 'done', ended_at: instant(3) }))
      })
      expect(ids(await storage.reads.replays.running())).toEqual(['rpl_c', 'rpl_b', 'rpl_d'])
      await storage.transaction((tx) => tx.replays.update(replay('rpl_d', { state: 'cancelled' })))
      expect(ids(await storage.reads.replays.running())).toEqual(['rpl_c', 'rpl_b'])
    })

    it('a transaction sees its changes of running replays, and a rollback undoes them', async (storage) => {
      await twoOwners(storage)
      await storage.transaction(async (tx) => {
        await tx.replays.add(replay('rpl_1'))
        expect(ids(await tx.replays.running())).toEqual(['rpl_1'])
      })
      await ended(
        storage.transaction(async (tx) => {
          await tx.replays.update(replay('rpl_1', { state: 'done', ended_at: instant(1) }))
          expect(await tx.replays.running()).toEqual([])
          throw new Error('changed our mind')
        }),
      )
      expect(ids(await storage.reads.replays.running())).toEqual(['rpl_1'])
    })
  })
}
