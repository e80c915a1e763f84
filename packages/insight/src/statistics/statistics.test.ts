import { describe, expect, it } from 'vitest'
import { ValidationError } from '../../../core/src/errors.js'
import { openPlanning } from '../../../planning/test/planning.js'
import { spread } from './statistics.js'

/** A shop in March: three cases, one of which was closed, reopened and visited twice. */
async function openShop() {
  const opened = await openPlanning()
  const { sav, actor, clock, poseur, client, addCase } = opened
  const visit = async (sav_id: number, debut: string) => {
    const rdv = await sav.planning.book(actor, { sav_id, poseur_id: poseur.id, debut, duree_minutes: 90 })
    const pieces = [{ designation: 'Charnière 110°', quantite: 2, reference: 'CH-110' }]
    await sav.planning.change(actor, rdv.id, { statut: 'realise', pieces })
  }
  const hinge = await addCase()
  await clock.advance(4 * 86_400_000)
  await visit(hinge, '2026-03-20T05:00:00Z')
  await sav.cases.close(actor, hinge, { resolution: 'Charnières remplacées.' })
  await sav.cases.reopen(actor, hinge, { motif: 'La porte retombe encore.' })
  await visit(hinge, '2026-03-24T05:00:00Z')
  const description = 'Façade rayée à la livraison.'
  const { id: facade } = await sav.cases.create(actor, { client_id: client.id, description, type_probleme: 'facade' })
  await clock.advance(36 * 3_600_000)
  await sav.cases.close(actor, facade, { resolution: 'Façade remplacée.' })
  await addCase()
  return opened
}

describe('the numbers of a period', () => {
  it('include the work by type, by poseur and by month, and how many days visits and closes took', async () => {
    const { sav, poseur } = await openShop()
    const found = await sav.statistics('default', { du: '2026-02-15', au: '2026-03-31' })
    expect(found).toMatchObject({ du: '2026-02-15', au: '2026-03-31' })
    expect(found.ouverts).toEqual({ moins_7_jours: 2, moins_30_jours: 0, plus: 0 })
    expect(found.premiere_visite_jours).toEqual({ mediane: 4, p90: 4 })
    expect(found.cloture_jours).toEqual({ mediane: 1.5, p90: 1.5 })
    expect(found.par_type.filter(({ crees }) => crees > 0)).toEqual([
      { type: 'facade', crees: 1, clos: 1, rouverts: 0, secondes_visites: 0 },
      { type: 'reglage', crees: 2, clos: 0, rouverts: 1, secondes_visites: 1 },
    ])
    expect(found.par_poseur).toEqual([
      { poseur: { id: poseur.id, nom: poseur.nom }, visites: 2, minutes_route: 0, minutes_travail: 180, rouverts: 1 },
    ])
    expect(found.par_mois).toEqual([
      { mois: '2026-02', crees: 0, clos: 0, rouverts: 0, secondes_visites: 0 },
      { mois: '2026-03', crees: 3, clos: 1, rouverts: 1, secondes_visites: 1 },
    ])
    expect(found.pieces).toEqual([{ designation: 'Charnière 110°', reference: 'CH-110', quantite: 4 }])
  })

  it('equal the totals of the list of cases with matching filters', async () => {
    const { sav, clock } = await openShop()
    await clock.advance(8 * 86_400_000)
    const { ouverts, par_type } = await sav.statistics('default', { du: '2026-03-01' })
    const total = async (input: Parameters<typeof sav.cases.list>[1]) => (await sav.cases.list('default', input)).total
    expect(ouverts).toEqual({
      moins_7_jours: await total({ statut: 'non_clos', age_max: 7 }),
      moins_30_jours: await total({ statut: 'non_clos', age_min: 7, age_max: 30 }),
      plus: await total({ statut: 'non_clos', age_min: 30 }),
    })
    expect(ouverts.moins_30_jours).toBe(2)
    for (const { type: type_probleme, crees } of par_type)
      expect(crees).toBe(await total({ type_probleme, depuis: '2026-03-01' }))
  })

  it('have list filters for cases closed, reopened, visited or revisited in the period, or by poseur', async () => {
    const { sav, poseur } = await openShop()
    const list = async (input: Parameters<typeof sav.cases.list>[1]) =>
      (await sav.cases.list('default', input)).items.map(({ id }) => id)
    const march = { du: '2026-03-01', au: '2026-03-31' }
    expect(await list({ survenu: 'clos', ...march })).toEqual([2])
    expect(await list({ survenu: 'rouvert', ...march })).toEqual([1])
    expect(await list({ survenu: 'visite', ...march })).toEqual([1])
    expect(await list({ survenu: 'visite', du: '2026-03-21' })).toEqual([])
    expect(await list({ survenu: 'revisite', ...march })).toEqual([1])
    expect(await list({ survenu: 'revisite', du: '2026-03-24', au: '2026-03-24' })).toEqual([1])
    expect(await list({ survenu: 'revisite', au: '2026-03-23' })).toEqual([])
    expect(await list({ survenu: 'revisite', du: '2026-03-25' })).toEqual([])
    expect(await list({ survenu: 'clos', au: '2026-03-20' })).toEqual([])
    expect(await list({ survenu: 'rouvert', type_probleme: 'facade' })).toEqual([])
    expect(await list({ survenu: 'clos', type_probleme: 'facade', recherche: 'rayée' })).toEqual([2])
    expect(await list({ visite_par: poseur.id, au: '2026-03-20' })).toEqual([1])
    expect(await list({ visite_par: poseur.id, au: '2026-03-19' })).toEqual([])
    expect(await list({ visite_par: poseur.id + 1 })).toEqual([])
  })

  it('cover the twelve months up to today by default, and at most five years', async () => {
    const { sav } = await openPlanning()
    const found = await sav.statistics('default', {})
    expect([found.du, found.au, found.par_mois.length]).toEqual(['2025-04-01', '2026-03-16', 12])
    expect((await sav.statistics('default', { du: '2021-03-13', au: '2026-03-16' })).par_mois).toHaveLength(61)
    await expect(sav.statistics('default', { du: '2021-03-12', au: '2026-03-16' })).rejects.toThrow(ValidationError)
    await expect(sav.statistics('default', { du: '2026-03-17', au: '2026-03-16' })).rejects.toThrow(ValidationError)
  })

  it('can include the first and the last month that a date can name', async () => {
    const { sav } = await openPlanning()
    const months = async (du: string, au: string) =>
      (await sav.statistics('default', { du, au })).par_mois.map(({ mois }) => mois)
    expect(await months('9999-11-15', '9999-12-31')).toEqual(['9999-11', '9999-12'])
    expect(await months('0001-01-01', '0001-02-01')).toEqual(['0001-01', '0001-02'])
  })

  it('count by the local days of the account', async () => {
    const { sav, actor, addCase, clock } = await openPlanning()
    await clock.advance(Date.UTC(2026, 2, 31, 22, 30) - clock.now())
    await addCase()
    const created = async () =>
      (await sav.statistics('default', { du: '2026-04-01', au: '2026-04-01' })).par_mois[0]?.crees
    expect(await created()).toBe(1)
    await sav.accounts.update(actor, { fuseau: 'Atlantic/Azores' })
    expect(await created()).toBe(0)
  })
})

it.each([
  [[], null, null],
  [[3], 3, 3],
  [[4, 1], 2.5, 4],
  [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 5.5, 9],
  [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 6, 10],
  [[1.04, 1.06], 1.1, 1.1],
])('the values %j have the median %j and the 90th percentile %j', (values, mediane, p90) => {
  expect(spread(values)).toEqual({ mediane, p90 })
})
