import { describe, expect, it } from 'vitest'
import { SlotTakenError, ValidationError } from '../../../core/src/errors.js'
import { as } from '../../../core/test/open-sav.js'
import { openPlanning, refusal } from '../../test/planning.js'

/** The Monday of the test clock. */
const monday = { du: '2026-03-16', au: '2026-03-16' }
const fields = (error: unknown) => (error instanceof ValidationError ? error.details.map(({ field }) => field) : error)

describe('slots', () => {
  it('are the free times of every skilled poseur, with tokens that book them in one account only', async () => {
    const { sav, actor, booking, poseur, helper } = await openPlanning()
    await sav.planning.putCompetences(actor, helper.id, ['electromenager'])
    await sav.planning.book(actor, booking)
    const slots = await sav.planning.slots('default', { duree: 120, pas: 60, type_probleme: 'facade', ...monday })
    expect(slots.map((slot) => [slot.debut, slot.poseur.id])).toEqual([
      ['2026-03-16T12:00:00.000Z', poseur.id],
      ['2026-03-16T13:00:00.000Z', poseur.id],
      ['2026-03-16T14:00:00.000Z', poseur.id],
    ])
    const [slot] = slots
    expect(slot).toMatchObject({ poseur: { nom: 'Bruno Petit' }, trajet_avant_minutes: 0, trajet_ajoute_minutes: 0 })
    const { client_id } = booking
    const booked = await sav.planning.book(actor, { jeton: slot?.jeton ?? '', client_id })
    expect(booked).toMatchObject({ debut: slot?.debut, fin: slot?.fin, poseur: { id: poseur.id }, avertissements: [] })
    expect(fields(await refusal(sav.planning.book(as('other'), { jeton: slot?.jeton ?? '', client_id })))).toEqual([
      'jeton',
    ])
  })

  it('begin on the account’s time grid, or on the requested one', async () => {
    const { sav, actor, booking } = await openPlanning()
    // This visit lasts until 9:10, so the next one begins then at the earliest.
    await sav.planning.book(actor, { ...booking, debut: '2026-03-16T08:00:00+01:00', duree_minutes: 70 })
    const minutes = async (asked = {}) => {
      const question = { duree: 60, poseur_id: booking.poseur_id, ...asked, ...monday }
      return (await sav.planning.slots('default', question)).slice(0, 2).map(({ debut }) => debut.slice(11, 16))
    }
    expect(await minutes()).toEqual(['08:15', '08:30'])
    await sav.accounts.update(actor, { pas: 20 })
    expect(await minutes()).toEqual(['08:20', '08:40'])
    expect(await minutes({ pas: 5 })).toEqual(['08:10', '08:15'])
    for (const pas of [4, 25, 61]) expect(fields(await refusal(sav.accounts.update(actor, { pas })))).toEqual(['pas'])
    for (const pas of [5, 60]) expect(await sav.accounts.update(actor, { pas })).toMatchObject({ pas })
  })

  it('come first if they are near existing visits', async () => {
    const { sav, actor, booking, client, helper } = await openPlanning()
    await sav.directory.clients.update(actor, client.id, { lieu: { code_postal: '69002', ville: 'Lyon' } })
    await sav.planning.book(actor, { ...booking, poseur_id: helper.id })
    await sav.directory.poseurs.update(actor, booking.poseur_id, { lieu: { code_postal: '42000' } })
    const [first] = await sav.planning.slots('default', { duree: 60, code_postal: '69003', ...monday })
    expect(first).toMatchObject({ poseur: { id: helper.id } })
    expect(first?.trajet_avant_minutes).toBeLessThan(15)
  })

  it('for a case include the travel to its client, and are only of poseurs with the skill for it', async () => {
    const { sav, actor, addCase, client, poseur, helper } = await openPlanning()
    await sav.directory.clients.update(actor, client.id, { lieu: { code_postal: '69002' } })
    const sav_id = await addCase()
    const { type_probleme } = await sav.cases.get('default', sav_id)
    for (const { id } of [poseur, helper])
      await sav.directory.poseurs.update(actor, id, { lieu: { code_postal: '69100' } })
    await sav.planning.putCompetences(actor, poseur.id, [type_probleme === 'facade' ? 'reglage' : 'facade'])
    const slots = await sav.planning.slots('default', { duree: 60, sav_id, ...monday })
    expect(new Set(slots.map((slot) => slot.poseur.id))).toEqual(new Set([helper.id]))
    expect(slots[0]?.trajet_avant_minutes).toBeGreaterThan(0)
  })

  it('for three months cover all their days, the best first', async () => {
    const { sav, actor, booking, poseur, helper } = await openPlanning()
    for (const { id } of [poseur, helper]) {
      await sav.directory.poseurs.update(actor, id, { lieu: { code_postal: id === poseur.id ? '69100' : '38200' } })
      const afternoon = [{ debut: '13:00', fin: '17:00' }]
      await sav.planning.putHoraires(actor, id, { periodes: [{ semaine: { lundi: afternoon, jeudi: afternoon } }] })
    }
    const visit = { ...booking, debut: '2026-05-28T13:15:00+02:00', duree_minutes: 30, lieu: { code_postal: '69400' } }
    await sav.planning.book(actor, visit)
    const asked = { duree: 60, pas: 60, code_postal: '69007', limite: 200 } as const
    const quarter = await sav.planning.slots('default', { ...asked, du: '2026-03-16', au: '2026-06-15' })
    const day = (n: number) => new Date(Date.UTC(2026, 2, 16 + n)).toISOString().slice(0, 10)
    const days = await Promise.all(
      Array.from({ length: 92 }, (_, n) => sav.planning.slots('default', { ...asked, du: day(n), au: day(n) })),
    )
    const named = (slots: typeof quarter) => slots.map((slot) => `${slot.debut} ${slot.poseur.id}`)
    expect(quarter.length).toBeGreaterThan(30)
    expect(quarter.length).toBeLessThan(200)
    expect(named(quarter).toSorted()).toEqual(named(days.flat()).toSorted())
    const added = quarter.map(({ trajet_ajoute_minutes }) => trajet_ajoute_minutes)
    expect(added).toEqual(added.toSorted((a, b) => a - b))
    expect(new Set(added).size).toBeGreaterThan(2)
    const best = await sav.planning.slots('default', { ...asked, du: '2026-03-16', au: '2026-06-15', limite: 20 })
    expect(named(best)).toEqual(named(quarter.slice(0, 20)))
  })

  it('are refused for unknown ids, and the refusal names the field', async () => {
    const { sav, addAccount } = await openPlanning()
    await addAccount('other')
    const asked = (input: object) =>
      refusal(sav.planning.slots('other', { duree: 60, ...monday, ...input })).then(fields)
    expect(await asked({ sav_id: 1 })).toEqual(['sav_id'])
    expect(await asked({ poseur_id: 1 })).toEqual(['poseur_id'])
    expect(await asked({ code_postal: 'W1' })).toEqual(['code_postal'])
    expect(await asked({ du: '2026-03-16', au: '2026-06-16' })).toEqual(['au'])
  })
})

describe('alternatives of a refused booking', () => {
  it('are at most three times when the whole team is free, nearest first, and can be booked', async () => {
    const { sav, actor, booking, helper } = await openPlanning()
    await sav.planning.book(actor, booking)
    // The helper has another appointment later that day.
    await sav.planning.book(actor, {
      ...booking,
      poseur_id: helper.id,
      debut: '2026-03-16T13:00:00+01:00',
      duree_minutes: 60,
    })
    const error = await refusal(sav.planning.book(actor, { ...booking, equipiers: [helper.id] }))
    if (!(error instanceof SlotTakenError)) throw error
    const { alternatives } = error
    expect(alternatives.map(({ debut }) => debut)).toEqual([
      '2026-03-16T13:00:00.000Z',
      '2026-03-16T13:15:00.000Z',
      '2026-03-16T13:30:00.000Z',
    ])
    for (const { jeton } of alternatives.slice(0, 1))
      expect(
        await sav.planning.book(actor, { jeton, client_id: booking.client_id, equipiers: [helper.id] }),
      ).toMatchObject({ debut: '2026-03-16T13:00:00.000Z' })
  })

  it('may overlap the moved appointment’s own time', async () => {
    const { sav, actor, booking } = await openPlanning()
    const first = await sav.planning.book(actor, booking)
    const second = await sav.planning.book(actor, { ...booking, debut: '2026-03-16T14:00:00+01:00' })
    const error = await refusal(sav.planning.change(actor, second.id, { debut: first.debut }))
    if (!(error instanceof SlotTakenError)) throw error
    expect(error.alternatives.map(({ debut }) => debut)).toContain('2026-03-16T12:00:00.000Z')
  })
})
