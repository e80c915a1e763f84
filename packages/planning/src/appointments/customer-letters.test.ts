import { describe, expect, it } from 'vitest'
import { httpAnswer } from '../../../core/src/testing/index.js'
import { carrying } from '../../../core/test/reporting.js'
import { openShop } from '../../test/customers.js'

describe('a letter of confirmation', () => {
  it('names installer, time and place, by every channel that reaches the customer, with a link and a calendar file', async () => {
    const { sav, actor, at, sent, zoe, invitations } = await openShop()
    const { id, version } = await sav.planning.book(actor, at('2026-03-18T09:30', { client_id: zoe.id }))
    const { email, whatsapp } = await sent()
    const said = {
      kind: 'rdv',
      about: 'confirmation',
      societe: expect.objectContaining({ raison_sociale: 'Ateliers Lœuvre', telephone: '04 78 00 11 22' }),
      logo: null,
      client: { nom: 'Martin', prenom: 'Zoé' },
      confirmed: false,
      debut: '2026-03-18T08:30:00.000Z',
      fin: null,
      fin_prevue: '2026-03-18T10:00:00.000Z',
      fuseau: 'Europe/Paris',
      lieu: '12 quai Tilsitt, 69002 Lyon',
      poseur: 'Bruno',
      retard_minutes: null,
      page_url: expect.stringMatching(/^https:\/\/sav\.example\/rdv\/sav_rdv_[\w-]{43}$/),
    }
    expect(email).toEqual([expect.objectContaining({ ...said, to: 'zoe@martin.example' })])
    expect(whatsapp).toEqual([expect.objectContaining({ ...said, to: '+33612345678', ical: null })])
    expect(whatsapp[0]?.page_url).toBe(email[0]?.page_url)
    expect(invitations).toEqual([
      expect.objectContaining({
        version,
        debut: said.debut,
        fin: '2026-03-18T10:00:00.000Z',
        societe: 'Ateliers Lœuvre',
      }),
    ])
    expect(invitations[0]?.uid).toMatch(new RegExp(`^rdv-${id}-`))
    expect(email[0]?.ical).toContain(invitations[0]?.uid)
  })

  it('has no link if the service does not know its public address', async () => {
    const { sav, actor, at, sent } = await openShop({ publicUrl: null })
    await sav.planning.book(actor, at('2026-03-18T09:30'))
    expect((await sent()).email).toEqual([expect.objectContaining({ page_url: null })])
  })

  it('is written once for each change that concerns the customer', async () => {
    const { sav, actor, at, mailed } = await openShop()
    const told = (debut: string) => [{ about: 'confirmation', to: 'paul@petit.example', debut }]
    const { id } = await sav.planning.book(actor, at('2026-03-18T09:30'))
    expect(await mailed()).toEqual(told('2026-03-18T08:30:00.000Z'))
    for (const unimportant of [
      { notes: 'Prévoir deux charnières.' },
      { duree_minutes: 120 },
      { type: 'pose' },
      { debut: '2026-03-18T09:30:00+01:00' },
    ] as const) {
      await sav.planning.change(actor, id, unimportant)
      expect(await mailed(), JSON.stringify(unimportant)).toEqual([])
    }
    await sav.planning.change(actor, id, { debut: '2026-03-19T14:00:00+01:00' })
    expect(await mailed()).toEqual(told('2026-03-19T13:00:00.000Z'))
    await sav.planning.change(actor, id, { statut: 'confirme' })
    expect(await mailed()).toEqual(told('2026-03-19T13:00:00.000Z'))
    await sav.planning.change(actor, id, { statut: 'confirme' })
    expect(await mailed()).toEqual([])
    await sav.planning.change(actor, id, { statut: 'annule', motif_annulation: 'La pièce manque.' })
    expect(await mailed()).toEqual([{ ...told('2026-03-19T13:00:00.000Z')[0], about: 'annulation' }])
  })

  it('names the window if there is one, and is not repeated for a move within it', async () => {
    const { sav, actor, at, sent } = await openShop()
    const fenetre_client = { debut: '2026-03-18T07:00:00.000Z', fin: '2026-03-18T11:00:00.000Z' }
    const { id } = await sav.planning.book(actor, at('2026-03-18T09:30', { fenetre_client }))
    expect((await sent()).email).toEqual([expect.objectContaining({ ...fenetre_client, fin_prevue: null })])
    await sav.planning.change(actor, id, { debut: '2026-03-18T10:00:00+01:00' })
    expect((await sent()).email).toEqual([])
    await sav.planning.change(actor, id, { debut: '2026-03-18T14:00:00+01:00' })
    expect((await sent()).email).toEqual([expect.objectContaining({ debut: '2026-03-18T13:00:00.000Z', fin: null })])
  })

  it('is not sent for a visit that has begun, to a customer without a channel, or while switched off', async () => {
    const { sav, actor, at, sent, client } = await openShop()
    const nobody = { email: [], whatsapp: [] }
    await sav.planning.book(actor, at('2026-03-16T06:00'))
    await sav.planning.book(actor, at('2026-03-18T09:30', { client_id: client.id }))
    expect(await sent()).toEqual(nobody)
    await sav.accounts.update(actor, { confirmation_rdv: false })
    await sav.planning.book(actor, at('2026-03-18T14:30'))
    expect(await sent()).toEqual(nobody)
    expect((await sav.webhooks.deliveries.list('default', {})).items).toEqual([])
  })

  it('leaves neither the customer’s address nor the server’s answer in the delivery history', async () => {
    const email = carrying(() => ({
      ...httpAnswer(550),
      ok: false,
      final: true,
      response: '550 <paul@petit.example> unknown',
    }))
    const { sav, actor, at, sent, storage } = await openShop({ email })
    await sav.planning.book(actor, at('2026-03-18T09:30'))
    expect((await sent()).email).toHaveLength(1)
    const [{ id = '' } = {}] = (await sav.webhooks.deliveries.list('default', {})).items
    const kept = await sav.webhooks.deliveries.get('default', id)
    expect(kept).toMatchObject({ state: 'failed', attempts: [{ status: 550, response: null }] })
    const bodies = await storage.transaction((tx) => tx.deliveries.list('default', { limit: 10 }))
    expect(JSON.stringify([kept, bodies])).not.toMatch(/petit|Paul/i)
  })

  it('is not attempted again if the visit was moved, cancelled or begun, or the customer erased', async () => {
    let isAway = true
    const email = carrying(() => (isAway ? { ...httpAnswer(421), ok: false } : httpAnswer(250)))
    const { sav, actor, at, sent, failures, paul, until } = await openShop({ email })
    const moved = await sav.planning.book(actor, at('2026-03-18T08:00'))
    const cancelled = await sav.planning.book(actor, at('2026-03-18T10:00'))
    const begun = await sav.planning.book(actor, at('', { debut: '2026-03-16T06:00:20+01:00', duree_minutes: 5 }))
    const { id: client_id } = await sav.directory.clients.add(actor, {
      nom: 'Roy',
      prenom: 'Lou',
      email: 'lou@roy.example',
    })
    await sav.planning.book(actor, at('2026-03-18T14:00', { client_id }))
    expect((await sent()).email).toHaveLength(4)

    await sav.planning.change(actor, moved.id, { debut: '2026-03-19T08:00:00+01:00' })
    await sav.planning.change(actor, cancelled.id, { statut: 'annule', motif_annulation: 'La pièce manque.' })
    await sav.directory.clients.erase(actor, client_id)
    isAway = false
    const { email: later } = await sent(until('2026-03-16T05:11:00Z'))
    expect(later.map(({ debut }) => debut)).toEqual(['2026-03-19T07:00:00.000Z'])
    expect(later[0]?.to).toBe(paul.email)
    expect((await failures()).toSorted()).toEqual(
      [
        `rdv ${moved.id} was moved: a later letter has its new time`,
        `rdv ${cancelled.id} is annule: its customer no longer needs this letter`,
        `rdv ${begun.id} has begun`,
        'the customer was erased',
      ].toSorted(),
    )
  })
})

describe('a reminder', () => {
  it('comes at 17:00 of the day before, once', async () => {
    const { sav, actor, at, mailed, until, clock } = await openShop()
    await sav.planning.book(actor, at('2026-03-17T00:00'))
    await sav.planning.book(actor, at('2026-03-17T22:15'))
    await sav.planning.book(actor, at('2026-03-16T23:45', { duree_minutes: 10 }))
    await sav.planning.book(actor, at('2026-03-18T00:00'))
    await mailed()
    await clock.advance(until('2026-03-16T15:59:00Z'))
    expect(await mailed(59_000)).toEqual([])
    const reminded = (debut: string) => ({ about: 'rappel', to: 'paul@petit.example', debut })
    expect(await mailed(2 * 60_000)).toEqual([
      reminded('2026-03-16T23:00:00.000Z'),
      reminded('2026-03-17T21:15:00.000Z'),
    ])
    expect(await mailed(10 * 60_000)).toEqual([])
    await clock.advance(until('2026-03-17T15:59:00Z'))
    expect(await mailed(59_000)).toEqual([])
    expect(await mailed(2 * 60_000)).toEqual([reminded('2026-03-17T23:00:00.000Z')])
  })

  it('follows the time zone of the account', async () => {
    const { sav, actor, at, mailed, until, clock } = await openShop()
    await sav.accounts.update(actor, { fuseau: 'Indian/Reunion', confirmation_rdv: false })
    await sav.planning.book(actor, at('2026-03-17T09:00'))
    await clock.advance(until('2026-03-16T12:59:00Z'))
    expect(await mailed(59_000)).toEqual([])
    expect(await mailed(2 * 60_000)).toHaveLength(1)
  })

  it('is omitted for visits booked since 17:00, cancelled ones and proposals', async () => {
    const { sav, actor, at, mailed, until, clock } = await openShop()
    await sav.accounts.update(actor, { confirmation_rdv: false })
    const { id } = await sav.planning.book(actor, at('2026-03-17T08:00'))
    await sav.planning.change(actor, id, { statut: 'annule', motif_annulation: 'La cliente est en voyage.' })
    await clock.advance(until('2026-03-16T15:59:59Z'))
    const before = await sav.planning.book(actor, at('2026-03-17T10:00'))
    await sav.planning.book(actor, at('2026-03-17T18:00', { statut: 'propose' }))
    await clock.advance(1000)
    await sav.planning.book(actor, at('2026-03-17T14:00'))
    expect(await mailed(2 * 60_000)).toEqual([{ about: 'rappel', to: 'paul@petit.example', debut: before.debut }])
  })

  it('is sent late if no worker ran at 17:00, but not on the day itself', async () => {
    const { sav, actor, at, mailed, until, clock } = await openShop()
    await sav.accounts.update(actor, { confirmation_rdv: false })
    await sav.planning.book(actor, at('2026-03-17T09:00'))
    await sav.planning.book(actor, at('2026-03-18T09:00'))
    await clock.advance(until('2026-03-16T22:50:00Z'))
    expect(await mailed()).toHaveLength(1)
    await clock.advance(until('2026-03-17T23:05:00Z'))
    expect(await mailed()).toEqual([])
  })

  it('reaches each of a day’s 130 customers exactly once, although 120 visits begin at the same time', async () => {
    const { sav, actor, paul, mailed, until, clock, worker, storage } = await openShop()
    await sav.accounts.update(actor, { confirmation_rdv: false })
    const debuts: string[] = []
    for (let number = 0; number < 130; number += 1) {
      const { id: poseur_id } = await sav.directory.poseurs.add(actor, { nom: `Poseur ${number}` })
      const debut = `2026-03-17T${number < 120 ? '09:00' : '14:30'}:00+01:00`
      debuts.push(new Date(debut).toISOString())
      await sav.planning.book(actor, { client_id: paul.id, poseur_id, debut, duree_minutes: 60 })
    }
    await clock.advance(until('2026-03-16T16:30:00Z'))
    expect((await mailed(10_000)).map(({ debut }) => debut).toSorted()).toEqual(debuts.toSorted())
    await worker.stop()
    expect(await storage.reads.facts.get('rdv_reminders default')).toContain('2026-03-17')
    expect(await mailed(2 * 60_000)).toEqual([])
  })

  it('is off until the account switches it on, and then is also sent for existing appointments', async () => {
    const { sav, actor, at, mailed, until, clock } = await openShop()
    await sav.accounts.update(actor, { rappel_rdv: false, confirmation_rdv: false })
    await sav.planning.book(actor, at('2026-03-17T09:00'))
    await clock.advance(until('2026-03-16T17:00:00Z'))
    expect(await mailed(2 * 60_000)).toEqual([])
    await sav.accounts.update(actor, { rappel_rdv: true })
    expect(await mailed(2 * 60_000)).toHaveLength(1)
  })
})
