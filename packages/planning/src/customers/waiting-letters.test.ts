import { describe, expect, it } from 'vitest'
import { letterChannels } from '../../../core/src/letters/letter.js'
import { httpAnswer, seededRandom } from '../../../core/src/testing/index.js'
import { idMaker } from '../../../core/src/values/ids.js'
import { carrying } from '../../../core/test/reporting.js'
import { type Customers, openShop } from '../../test/customers.js'
import { createCustomerLetters, noChannels, rdvLetterDelayMs } from '../appointments/customer-letters.js'
import { dueLettersJob } from './due-letters.js'

const minute = 60_000
const cancellation = { statut: 'annule', motif_annulation: 'La pièce manque.' } as const
const [nine, ten, eleven] = ['2026-03-18T08:00:00.000Z', '2026-03-18T09:00:00.000Z', '2026-03-18T10:00:00.000Z']

/** A shop whose letters wait for the default time, a minute. It visits Paul Petit on a Wednesday at 09:00. */
async function open(customers: Customers = {}) {
  const shop = await openShop({ delayMs: rdvLetterDelayMs, ...customers })
  const { sav, actor, at } = shop
  const book = (more: object = {}) => sav.planning.book(actor, at('2026-03-18T09:00', { duree_minutes: 60, ...more }))
  const change = (id: number, input: Parameters<typeof sav.planning.change>[2]) => sav.planning.change(actor, id, input)
  /** Lets `ms` pass. Resolves to the e-mails that customers got. */
  const told = async (ms = 2 * minute) =>
    (await shop.sent(ms)).email.map(({ about, before, debut }) => [about, before?.debut ?? null, debut])
  return { ...shop, book, change, told }
}

describe('a letter on an appointment', () => {
  it('is sent a minute after the first of several changes', async () => {
    const { book, change, clock, told } = await open()
    const { id } = await book()
    await clock.advance(40_000)
    await change(id, { debut: ten })
    expect(await told(19_000)).toEqual([])
    expect(await told(3_000)).toEqual([['confirmation', null, ten]])
    expect(await told()).toEqual([])
  })

  it('describes the net change since the last letter', async () => {
    const { book, change, told } = await open()
    const { id } = await book()
    expect(await told()).toEqual([['confirmation', null, nine]])
    await change(id, { debut: ten })
    await change(id, { debut: eleven })
    expect(await told()).toEqual([['confirmation', nine, eleven]])
    await change(id, { statut: 'confirme' })
    expect(await told()).toEqual([['confirmation', null, eleven]])
  })

  it('is not written if the changes cancel each other out', async () => {
    const { book, change, told, sav } = await open()
    const { id } = await book()
    expect(await told()).toHaveLength(1)
    await change(id, { debut: ten })
    await change(id, { debut: nine })
    expect(await told()).toEqual([])
    const never = await book({ debut: '2026-03-19T09:00:00+01:00' })
    await change(never.id, cancellation)
    expect(await told()).toEqual([])
    expect((await sav.webhooks.deliveries.list('default', {})).items).toHaveLength(1)
  })

  it('about a cancellation names the time of the last letter, on every channel', async () => {
    const { book, change, sent, invitations, zoe } = await open()
    const { id } = await book({ client_id: zoe.id })
    await sent(2 * minute)
    await change(id, { debut: ten })
    await change(id, cancellation)
    const { email, whatsapp } = await sent(2 * minute)
    const said = { about: 'annulation', before: { debut: nine, fin: null }, page_url: null }
    expect(email).toEqual([expect.objectContaining(said)])
    expect(whatsapp).toEqual([expect.objectContaining(said)])
    expect(invitations.map(({ isCancelled }) => isCancelled)).toEqual([false, true])
  })

  it('is written when a closing case cancels its visit', async () => {
    const { sav, actor, book, told, paul } = await open()
    const { id: sav_id } = await sav.cases.create(actor, {
      client_id: paul.id,
      description: 'La porte du four frotte.',
    })
    await book({ sav_id })
    expect(await told()).toHaveLength(1)
    await sav.cases.close(actor, sav_id, { resolution: 'Réglé par téléphone avec le client.' })
    expect(await told()).toEqual([['annulation', null, nine]])
  })

  it('is not sent for a proposal that is made, moved or cancelled, but is for one that is accepted', async () => {
    const { book, change, told } = await open()
    const { id } = await book({ statut: 'propose' })
    await change(id, { debut: ten })
    await change(id, cancellation)
    const taken = await book({ statut: 'propose' })
    expect(await told(5 * minute)).toEqual([])
    await change(taken.id, { statut: 'planifie' })
    expect(await told(20 * minute)).toHaveLength(1)
  })

  it('is not sent about the customer’s own confirmation or cancellation', async () => {
    const { sav, book, change, told, sent } = await open()
    const { id } = await book()
    const [letter] = (await sent(2 * minute)).email
    const secret = letter?.page_url?.split('/rdv/')[1] ?? ''
    await sav.rdvPages.answer(secret, { action: 'confirmer', version: 1 })
    expect(await told()).toEqual([])
    // The customer has confirmed already, so the shop’s confirmation is no news.
    await change(id, { statut: 'planifie' })
    await change(id, { statut: 'confirme' })
    expect(await told()).toEqual([])
    await change(id, { debut: ten, statut: 'confirme' })
    await sav.rdvPages.answer(secret, { action: 'annuler', version: 5 })
    expect(await told()).toEqual([])
  })

  it('is not sent for a change with `prevenir: false`, which the next letter includes', async () => {
    const { book, change, told } = await open()
    const { id } = await book({ prevenir: false })
    expect(await told()).toEqual([])
    await change(id, { debut: ten, prevenir: false })
    await change(id, { notes: 'Prévoir deux charnières.' })
    expect(await told()).toEqual([])
    await change(id, { statut: 'confirme' })
    expect(await told()).toEqual([['confirmation', null, ten]])
    await change(id, { debut: eleven, prevenir: false })
    expect(await told()).toEqual([])
    await change(id, { debut: nine })
    expect(await told()).toEqual([['confirmation', ten, nine]])
    await change(id, { retard_minutes: 30, prevenir: false })
    await change(id, { ...cancellation, prevenir: false })
    expect(await told()).toEqual([])
  })

  it('shows the time at the moment of sending, even one set with `prevenir: false`', async () => {
    const { book, change, told } = await open()
    const { id } = await book()
    await change(id, { debut: ten, prevenir: false })
    expect(await told()).toEqual([['confirmation', null, ten]])
  })

  it('is not sent once the account has switched letters off, or the visit has begun', async () => {
    const { sav, actor, book, told } = await open()
    await book()
    await book({ debut: '2026-03-16T06:01:00+01:00' })
    await sav.accounts.update(actor, { confirmation_rdv: false })
    expect(await told()).toEqual([])
    await sav.accounts.update(actor, { confirmation_rdv: true })
    expect(await told()).toEqual([])
  })

  it('is written only once if two workers run at the same time', async () => {
    const { book, clock, sav, storage } = await open()
    await book()
    await clock.advance(minute)
    const newId = idMaker(clock, seededRandom(5))
    const channels = { ...noChannels, confirmation: letterChannels }
    const job = () =>
      dueLettersJob({ storage, clock, letters: createCustomerLetters({ newId, channels, delayMs: minute }) })
    await Promise.all([job().run(), job().run()])
    expect((await sav.webhooks.deliveries.list('default', {})).items).toHaveLength(1)
  })

  it('that never arrived is written again after the next change, unless that cancels the visit', async () => {
    let isAway = true
    const email = carrying(() => (isAway ? { ...httpAnswer(421), ok: false } : httpAnswer(250)))
    const { book, change, told } = await open({ email })
    const { id } = await book()
    const dropped = await book({ debut: '2026-03-19T09:00:00+01:00' })
    // Each of the two letters is tried at once and again after 30 s. All four tries fail.
    expect(await told(100_000)).toHaveLength(4)
    await change(id, { debut: ten, prevenir: false })
    await change(dropped.id, cancellation)
    isAway = false
    // Both letters are outdated: one appointment was moved, the other was cancelled.
    expect(await told(3 * minute)).toEqual([])
    await change(id, { debut: nine })
    expect(await told()).toEqual([['confirmation', null, nine]])
    expect(await told(15 * minute)).toEqual([])
  })
})
