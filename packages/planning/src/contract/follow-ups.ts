import { addOwner, instantAfter as instant, type Suite, twoOwners } from '@sav/storage-contract'
import type { FollowUpRecord } from '../follow-ups/follow-up.js'
import { followUpStore } from '../follow-ups/follow-up-store.js'

const cancelled = (account_id: string, minute: number, fields: Partial<FollowUpRecord> = {}): FollowUpRecord => ({
  account_id,
  id: `rdv_annule_client-${minute}-2`,
  type: 'rdv_annule_client',
  rdv_id: minute,
  sav_id: null,
  client_id: 1,
  depuis: instant(minute),
  debut: instant(minute),
  texte: null,
  fait: null,
  ...fields,
})
const claire = { type: 'utilisateur', id: 'usr_1', nom: 'Claire Martin' } as const

export function followUpContract({ describe, it, expect }: Suite): void {
  describe('a follow-up', () => {
    it('is listed newest first, by account', async (storage) => {
      await twoOwners(storage)
      const all = [
        cancelled('ours', 1),
        cancelled('ours', 3, { texte: 'Déplacé.', client_id: 2 }),
        cancelled('ours', 2),
      ]
      await storage.transaction(async (tx) => {
        for (const each of [...all, cancelled('theirs', 4)]) await tx.of(followUpStore).save(each)
      })
      const followUps = storage.reads.of(followUpStore)
      expect((await followUps.open('ours', 2)).map(({ rdv_id }) => rdv_id)).toEqual([3, 2])
      expect(await followUps.open('ours', 9)).toEqual([all[1], all[2], all[0]])
      expect(await followUps.find('ours', 'rdv_annule_client-4-2')).toBeNull()
      await storage.transaction((tx) => tx.of(followUpStore).forget('ours', 1))
      expect(await followUps.open('ours', 9)).toEqual([all[1]])
      expect(await followUps.open('theirs', 9)).toHaveLength(1)
    })

    it('is marked as done only once: the first record is kept', async (storage) => {
      await addOwner(storage, 'ours')
      const open = cancelled('ours', 1)
      const done = { ...open, fait: { le: instant(5), par: claire } }
      const derived = cancelled('ours', 2, { id: 'rapport_non_remis-7-5', type: 'rapport_non_remis', fait: done.fait })
      for (const each of [open, done, { ...done, fait: { ...done.fait, le: instant(6) } }, derived])
        await storage.transaction((tx) => tx.of(followUpStore).save(each))
      const followUps = storage.reads.of(followUpStore)
      expect(await followUps.find('ours', open.id)).toEqual(done)
      expect(await followUps.open('ours', 9)).toEqual([])
      expect(await followUps.done('ours', [derived.id, open.id, 'rapport_non_remis-8-5'])).toHaveLength(2)
      expect(await followUps.done('ours', [])).toEqual([])
    })
  })
}
