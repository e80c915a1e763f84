import { describe, expect, it } from 'vitest'
import { day } from '../../core/test/case-samples.js'
import { planningStore } from '../../planning/src/appointments/planning-store.js'
import { openPlanning } from '../../planning/test/planning.js'
import { isOwn, mayTell, reachOf } from './own-visits.js'

const hour = 3_600_000

describe('the visits of an installer', () => {
  it('are those as poseur or teammate, from 7 days ago to 14 days ahead', async () => {
    const { sav, actor, booking, helper, poseur } = await openPlanning()
    const on = async (days: number, fields: object = {}) => {
      const debut = new Date(Date.UTC(2026, 2, 16 + days, 8)).toISOString()
      return (await sav.planning.book(actor, { ...booking, debut, ...fields })).id
    }
    const [, first, today, last] = [await on(-8), await on(-7), await on(0), await on(14)]
    await on(15)
    await on(1, { poseur_id: helper.id })
    const along = await on(2, { poseur_id: helper.id, equipiers: [poseur.id] })
    await on(3, { statut: 'propose' })
    const told = await sav.field.day('default', { poseur_id: poseur.id }, {})
    expect(told.rdv.map(({ id }) => id)).toEqual([first, today, along, last])
    expect([told.du, told.au, told.poseur.nom]).toEqual(['2026-03-09', '2026-03-30', poseur.nom])
  })

  it('include their cases, with the details needed on site', async () => {
    const { sav, actor, booking, addCase, poseur, client } = await openPlanning()
    await sav.directory.clients.update(actor, client.id, { telephone: '06 12 34 56 78', adresse: '3 rue Basse, Lyon' })
    await sav.accounts.update(actor, { textes_terrain: ['Porte réglée.'] })
    const sav_id = await addCase()
    await sav.planning.book(actor, { ...booking, sav_id })
    const { rdv, dossiers, textes_terrain } = await sav.field.day('default', { poseur_id: poseur.id }, {})
    expect(rdv[0]?.client).toMatchObject({ telephone: '06 12 34 56 78', adresse: '3 rue Basse, Lyon' })
    expect(dossiers).toMatchObject([{ id: sav_id, description: 'Le tiroir à couverts frotte en bas à gauche.' }])
    expect(Object.keys(dossiers[0] ?? {})).not.toContain('notes_internes')
    expect(textes_terrain).toEqual(['Porte réglée.'])
  })

  it('can be reported on for 14 days after a reassignment', async () => {
    const { sav, storage, actor, booking, clock, helper, poseur } = await openPlanning()
    const { id } = await sav.planning.book(actor, booking)
    const given = clock.now()
    await sav.planning.change(actor, id, { poseur_id: helper.id })
    const rdv = await storage.reads.of(planningStore).find('default', id)
    if (rdv === null) throw new Error('the visit is missing')
    const at = (ms: number) => new Date(given + ms).toISOString()
    const before = { poseur_id: poseur.id }
    expect([isOwn(rdv, before), isOwn(rdv, { poseur_id: helper.id }), isOwn(rdv, 'all')]).toEqual([false, true, true])
    expect(mayTell(rdv, before, at(14 * day - 1))).toBe(true)
    expect(mayTell(rdv, before, at(14 * day))).toBe(false)
    expect(mayTell(rdv, before, at(-hour))).toBe(true)
    expect(mayTell(rdv, { poseur_id: 99 }, at(0))).toBe(false)
    expect(mayTell(rdv, 'all', at(90 * day))).toBe(true)
  })

  it('record their previous people at each move', async () => {
    const { sav, storage, actor, booking, helper, poseur } = await openPlanning()
    const { id } = await sav.planning.book(actor, booking)
    await sav.planning.change(actor, id, { notes: 'Sonner deux fois.' })
    await sav.planning.change(actor, id, { debut: '2026-03-16T10:00:00+01:00' })
    await sav.planning.change(actor, id, { poseur_id: helper.id })
    const { deplacements } = (await storage.reads.of(planningStore).find('default', id)) ?? {}
    expect(deplacements?.map(({ version, personnes }) => [version, personnes])).toEqual([
      [3, [poseur.id]],
      [4, [poseur.id]],
    ])
  })

  it('can be reported on by a removed teammate', async () => {
    const { sav, actor, booking, clock, helper, poseur } = await openPlanning()
    const { id, debut } = await sav.planning.book(actor, { ...booking, equipiers: [helper.id] })
    const deplacements = [{ rdv_id: id, debut, poseur_id: poseur.id, sans: [helper.id] }]
    await sav.planning.replace(actor, { deplacements })
    const where = { rdv_id: id, reach: { poseur_id: helper.id }, cle: 'k1' }
    const began = { survenu_a: new Date(clock.now()).toISOString(), version: 1 }
    expect(await sav.field.began(actor, where, began)).toMatchObject({
      statut: 'en_cours',
      constat: { codes: ['rdv_donne'] },
    })
  })
})

describe('the reach of a caller', () => {
  const actor = { account_id: 'default', type: 'utilisateur', id: 'usr_1', nom: 'Bruno' } as const

  it('is an installer’s own visits, or all visits if the caller has all rights', () => {
    expect(reachOf({ ...actor, poseur_id: 3 }, false)).toEqual({ poseur_id: 3 })
    expect(reachOf({ ...actor, poseur_id: 3 }, true)).toEqual({ poseur_id: 3 })
    expect(reachOf({ ...actor, poseur_id: null }, true)).toBe('all')
    expect(() => reachOf({ ...actor, poseur_id: null }, false)).toThrow(/not linked to an installer/)
    expect(() => reachOf(actor, false)).toThrow(/not linked to an installer/)
  })
})
