import type { CaseFilter } from '@sav/core/ports'
import { completed } from '@sav/planning/feature'
import { addRdv, newRdv } from '@sav/planning/testing'
import {
  addCase,
  changeCase,
  closing,
  lineOfHistory as historyEntry,
  instantAfter as instant,
  type Suite,
  twoOwners,
} from '@sav/storage-contract'
import { statisticsStore } from './statistics-store.js'

const day = 86_400_000
/** Ten days, including the first instant and excluding the last. */
const period = { from: instant(0), until: instant(10 * day) }

/** The contract of `statisticsStore`, for `storageContract({ features })`. */
export function statisticsContract({ describe, it, expect }: Suite): void {
  describe('statistics', () => {
    it('count the cases of an account that were created or closed in a period, or are still open', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      for (const ms of [-1, 0, 5 * day, 10 * day - 1, 10 * day])
        await addCase(storage, ours, { date_creation: instant(ms), type_probleme: ms === 0 ? 'facade' : 'reglage' })
      await addCase(storage, theirs, { date_creation: instant(0) })
      const statistics = storage.reads.of(statisticsStore)
      expect((await statistics.created('ours', period)).toSorted((a, b) => a.nombre - b.nombre)).toEqual([
        { type: 'facade', nombre: 1 },
        { type: 'reglage', nombre: 2 },
      ])
      expect(await statistics.openCreated('ours', period)).toBe(3)
      const closes = [
        [-2 * day, -1],
        [-2 * day, 0],
        [day, 10 * day],
      ] as const
      for (const [created, closed] of closes) {
        const { account_id, id } = await addCase(storage, ours, {
          date_creation: instant(created),
          type_probleme: 'autre',
        })
        await changeCase(
          storage,
          { account_id, id },
          { statut: 'clos', closing: closing({ date_cloture: instant(closed) }) },
        )
      }
      expect(await statistics.closed('ours', period)).toEqual([
        { type: 'autre', date_creation: instant(-2 * day), date_cloture: instant(0) },
      ])
      expect(await statistics.openCreated('ours', period)).toBe(3)
      const listed = await storage.reads.cases.list(
        'ours',
        { survenu: 'clos', periode: period },
        { page: 1, limite: 10 },
      )
      expect(listed).toMatchObject({ total: 1, items: [{ date_creation: instant(-2 * day), statut: 'clos' }] })
    })

    it('include reopenings, the visits of cases with their rank, and visits that took place', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      const { poseur_id } = ours
      const { id, reference, date_creation } = await addCase(storage, ours, { type_probleme: 'facade' })
      await changeCase(storage, { account_id: 'ours', id }, { poseur_id })
      const lines = [-1, 0, 10 * day].map((ms) => historyEntry({ type: 'reouverture', date: instant(ms) }))
      const poseur = { id: poseur_id, nom: 'Poseur de ours' }
      const pieces = [{ designation: 'Charnière', quantite: 2, reference: null }]
      const bilan = { resultat: 'resolu', compte_rendu: null, pieces } as const
      const visit = { ...newRdv(ours, 8, completed(bilan)), sav: { id, reference }, trajet_avant_minutes: 20 }
      const rdv = await addRdv(storage, { ...visit, debut: instant(day), fin: instant(day + 3_600_000) })
      await addRdv(storage, { ...visit, debut: instant(10 * day), fin: instant(11 * day) })
      await addRdv(storage, { ...newRdv(ours, 20), debut: instant(2 * day), fin: instant(2 * day + 3_600_000) })
      await storage.transaction(async (tx) => {
        await tx.cases.appendHistory('ours', id, [...lines, historyEntry({ date: instant(1) })])
        const visited = {
          rdv_id: rdv.id,
          poseur,
          type: 'sav' as const,
          ...bilan,
          survenu_a: null,
          date_fin: instant(20 * day),
        }
        // The intervention with the later date is added first.
        for (const ms of [3 * day, day, -day, 10 * day])
          await tx.cases.addIntervention('ours', id, { ...visited, date_debut: instant(ms) })
      })
      const statistics = storage.reads.of(statisticsStore)
      expect(await statistics.reopened('ours', period)).toEqual([{ type: 'facade', poseur_id }])
      const done = await statistics.interventions('ours', period)
      expect(done.toSorted((a, b) => a.rang - b.rang)).toEqual([
        { type: 'facade', date_creation, date_debut: instant(day), rang: 2, pieces },
        { type: 'facade', date_creation, date_debut: instant(3 * day), rang: 3, pieces },
      ])
      expect(await statistics.visits('ours', period)).toEqual([
        { poseur_id, debut: instant(day), fin: instant(day + 3_600_000), trajet_avant_minutes: 20 },
      ])
      const listed = async (filter: CaseFilter, account = 'ours') =>
        (await storage.reads.cases.list(account, filter, { page: 1, limite: 10 })).total
      const nothing = { from: instant(4 * day), until: instant(10 * day) }
      for (const filter of [{ survenu: 'rouvert' }, { survenu: 'revisite' }, { visite_par: poseur_id }] as const) {
        expect({ filter, total: await listed({ ...filter, periode: period }) }).toEqual({ filter, total: 1 })
        expect({ filter, total: await listed({ ...filter, periode: nothing }) }).toEqual({ filter, total: 0 })
        expect({ filter, total: await listed({ ...filter, periode: period }, 'theirs') }).toEqual({ filter, total: 0 })
      }
      for (const name of ['reopened', 'interventions', 'visits'] as const)
        expect(await statistics[name](theirs.account_id, period)).toEqual([])
    })
  })
}
