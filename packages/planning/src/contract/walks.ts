import { addOwner, type List, present, type Suite, walked, walksOf } from '@sav/storage-contract'
import { planningStore } from '../appointments/planning-store.js'
import { addPerson, addRdv, at, changeRdv, newRdv } from './rdv-samples.js'

const thatWeek = { from: at(0), until: at(24, 7) }

export function planningWalkContract({ describe, it, expect }: Suite): void {
  const expectWalks = walksOf(expect)

  describe('paging through appointments by position', () => {
    it('meets each appointment once, even those at the same instant', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const helper = await addPerson(storage, owner, 'Ismaël Roy')
      const third = await addPerson(storage, owner, 'Carl Adam')
      for (const hours of [14, 8, 10, 12]) {
        await addRdv(storage, { ...newRdv(owner, hours), equipiers: [third] })
        await addRdv(storage, { ...newRdv(owner, hours), poseur: helper })
      }
      const { client_id } = owner
      for (const [filter, count] of [
        [{}, 8],
        [{ client_id, statut: 'planifie' as const }, 8],
        [{ poseur_id: third.id }, 4],
        [{ poseur_id: helper.id, statut: 'planifie' as const }, 4],
      ] as const)
        await expectWalks(
          (page) => storage.reads.of(planningStore).list('ours', { ...thatWeek, ...filter }, page),
          count,
        )
    })

    it('can start before the first position or after the last', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const rdv = await addRdv(storage, newRdv(owner, 8))
      const rdvs = async (...after: (string | number)[]) =>
        (await storage.reads.of(planningStore).list('ours', thatWeek, { page: 1, limite: 5, after })).items.map(
          (each) => each.id,
        )
      expect(await rdvs('2000-01-01T00:00:00.000Z', 1)).toEqual([rdv.id])
      expect(await rdvs('2100-01-01T00:00:00.000Z', 1)).toEqual([])
    })

    it('continues after the previous position of the last appointment if that has moved', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const rdvs = await Promise.all([8, 10, 12, 14].map((hours) => addRdv(storage, newRdv(owner, hours))))
      const planned: List = (page) => storage.reads.of(planningStore).list('ours', thatWeek, page)
      const seen = await walked(planned, 1, async ({ id }) => {
        const index = rdvs.findIndex((each) => each.id === id)
        // Each appointment moves to a time before all others.
        const [debut, fin] = [at(1 + index), at(2 + index)]
        await changeRdv(storage, present(rdvs[index]), (found) => ({ ...found, debut, fin }))
      })
      expect(seen).toEqual(rdvs.map(({ id }) => id))
    })
  })
}
