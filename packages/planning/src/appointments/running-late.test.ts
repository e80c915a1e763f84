import { describe, expect, it } from 'vitest'
import { present } from '../../../storage-contract/src/samples/samples.js'
import { openShop } from '../../test/customers.js'
import { planningStore } from './planning-store.js'
import { lateVisits } from './running-late.js'

/** A day of three visits: at 8, at 10 with half an hour between, and at 14; Paul has all of them. */
async function openDay() {
  const opened = await openShop()
  const { sav, actor, at, sent } = opened
  const book = (debut: string, more: object = {}) => sav.planning.book(actor, at(debut, more))
  const first = await book('2026-03-16T08:00')
  const second = await book('2026-03-16T10:00')
  const third = await book('2026-03-16T14:00')
  await sent()
  const late = async (id: number, retard_minutes: number | null) => {
    await sav.planning.change(actor, id, { retard_minutes })
    return (await sent()).email
      .filter(({ about }) => about === 'retard')
      .map((letter): [string, number | null] => [letter.debut.slice(11, 16), letter.retard_minutes])
      .toSorted()
  }
  return { ...opened, first, second, third, book, late }
}

describe('a reported delay', () => {
  it('is announced to every later customer who must wait, reduced by the gaps between the visits', async () => {
    const { first, late } = await openDay()
    expect(await late(first.id, 30)).toEqual([['07:00', 30]])
    expect(await late(first.id, 31)).toEqual([
      ['07:00', 31],
      ['09:00', 1],
    ])
    expect(await late(first.id, 300)).toEqual([
      ['07:00', 300],
      ['09:00', 270],
      ['13:00', 120],
    ])
  })

  it('is not announced again until its value increases', async () => {
    const { sav, actor, first, late } = await openDay()
    expect(await late(first.id, 20)).toHaveLength(1)
    expect(await late(first.id, 20)).toEqual([])
    await sav.planning.change(actor, first.id, { notes: 'Bouchon sur le pont.' })
    expect(await late(first.id, 0)).toEqual([])
    expect(await late(first.id, null)).toEqual([])
  })

  it('is not announced for a visit where work has begun, or for a cancelled one', async () => {
    const { sav, actor, first, second, late } = await openDay()
    await sav.planning.change(actor, first.id, { statut: 'en_cours' })
    expect(await late(first.id, 60)).toEqual([['09:00', 30]])
    await sav.planning.change(actor, second.id, { statut: 'annule', motif_annulation: 'La pièce manque.' })
    expect(await late(first.id, 90)).toEqual([])
  })

  it('is not announced for a visit that still begins within its window, but is for the visits after it', async () => {
    const { book, first, late } = await openDay()
    const fenetre_client = { debut: '2026-03-16T10:00:00Z', fin: '2026-03-16T11:00:00Z' }
    await book('2026-03-16T11:30', { fenetre_client })
    await book('2026-03-16T13:00', { duree_minutes: 60 })
    // 30 minutes after 11:30 is the end of the window, so the visit is not later than announced.
    expect((await late(first.id, 60)).map(([debut]) => debut)).toEqual(['07:00', '09:00', '12:00', '13:00'])
    expect((await late(first.id, 61)).map(([debut]) => debut)).toEqual(['07:00', '09:00', '10:00', '12:00', '13:00'])
  })

  it('is not announced for visits of another day or poseur, or for those that have begun', async () => {
    const { sav, actor, at, sent, book, third, late, clock, until } = await openDay()
    const { id: poseur_id } = await sav.directory.poseurs.add(actor, { nom: 'Ismaël Roy' })
    await sav.planning.book(actor, at('2026-03-16T16:00', { poseur_id }))
    await book('2026-03-17T00:00')
    const evening = await book('2026-03-16T22:00')
    await sent()
    expect(await late(third.id, 30)).toEqual([['13:00', 30]])
    expect(await late(evening.id, 480)).toEqual([['21:00', 480]])
    await clock.advance(until('2026-03-16T13:10:00Z'))
    expect(await late(third.id, 5)).toEqual([])
    expect(await late(third.id, 15)).toEqual([['13:00', 15]])
  })

  it('is not announced if it was withdrawn, or its visit over or cancelled, before the letters went out', async () => {
    const { sav, actor, first, second, sent, failures, clock, until } = await openDay()
    const change = (id: number, input: object) => sav.planning.change(actor, id, input)
    const told = async () => (await sent()).email.map(({ retard_minutes }) => retard_minutes)
    await change(first.id, { retard_minutes: 60 })
    await change(first.id, { retard_minutes: null })
    expect(await told()).toEqual([])
    expect(await failures()).toContain(`rdv ${first.id} no longer has this delay`)
    await change(first.id, { retard_minutes: 300 })
    await change(first.id, { retard_minutes: 30 })
    expect(await told()).toEqual([30])
    await change(second.id, { retard_minutes: 20 })
    await clock.advance(until('2026-03-16T09:20:00Z'))
    expect(await told()).toEqual([])
    await change(second.id, { retard_minutes: 240 })
    await change(second.id, { statut: 'annule', motif_annulation: 'La pièce manque.', prevenir: false })
    expect(await told()).toEqual([])
  })

  it('allows for the travel to the next visit, if a round has computed it', async () => {
    const { storage, first, second } = await openDay()
    const found = async (id: number) => present(await storage.reads.of(planningStore).find('default', id))
    const late = { ...(await found(first.id)), retard_minutes: 20 }
    const next = await found(second.id)
    const told = (trajet_avant_minutes: number | null) =>
      lateVisits(late, [{ ...next, trajet_avant_minutes }]).map(({ retard_minutes }) => retard_minutes)
    expect(told(null)).toEqual([20])
    expect(told(10)).toEqual([20])
    expect(told(11)).toEqual([20, 1])
    // If the trip takes longer than the gap, the next visit is as late as the one before, and no later.
    expect(told(90)).toEqual([20, 20])
  })

  it('is not announced while the account sends no letters', async () => {
    const { sav, actor, first, late } = await openDay()
    await sav.accounts.update(actor, { confirmation_rdv: false, rappel_rdv: false })
    expect(await late(first.id, 60)).toEqual([])
    await sav.accounts.update(actor, { rappel_rdv: true })
    expect(await late(first.id, 61)).toHaveLength(2)
  })
})
