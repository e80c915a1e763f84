import { describe, expect, it } from 'vitest'
import { NotFoundError } from '../../../core/src/errors.js'
import { httpAnswer } from '../../../core/src/testing/index.js'
import { as } from '../../../core/test/open-sav.js'
import { carrying } from '../../../core/test/reporting.js'
import { openShop } from '../../test/customers.js'
import { refusal } from '../../test/planning.js'

const sees = { receivers: true }
const claire = { ...as('default'), type: 'utilisateur', id: 'usr_1', nom: 'Claire Martin' } as const

/** A visit of a case on Wednesday, 09:30 in Paris, and the page of its customer; it is Monday, 06:00. */
async function openOffice(options: Parameters<typeof openShop>[0] = {}) {
  const shop = await openShop(options)
  const { sav, actor, paul, poseur, sent } = shop
  const description = 'Le tiroir à couverts frotte en bas à gauche.'
  const { id: sav_id } = await sav.cases.create(actor, { client_id: paul.id, description })
  const booking = { sav_id, poseur_id: poseur.id, debut: '2026-03-18T09:30:00+01:00', duree_minutes: 90 }
  const rdv = await sav.planning.book(actor, booking)
  const { email } = await sent()
  const secret = (email[0]?.page_url ?? '').replace('https://sav.example/rdv/', '')
  const toDo = () => sav.followUps.list('default', sees)
  return { ...shop, sav_id, rdv, secret, booking, toDo }
}

describe('customers’ own actions', () => {
  it('add a follow-up and a history line, and send the shop an e-mail if it wants one', async () => {
    const { sav, actor, secret, rdv, sav_id, toDo, paul, shopMail } = await withMail()
    await sav.rdvPages.answer(secret, { action: 'annuler', version: 1, motif: 'En voyage.' })
    expect(await toDo()).toEqual([
      {
        id: `rdv_annule_client-${rdv.id}-2`,
        type: 'rdv_annule_client',
        depuis: expect.any(String),
        rdv_id: rdv.id,
        sav_id,
        client: { id: paul.id, nom: 'Petit', prenom: 'Paul' },
        texte: 'Annulé par le client : En voyage.',
        code: null,
      },
    ])
    const { historique } = await sav.cases.get('default', sav_id)
    expect(historique.at(-1)).toMatchObject({
      type: 'rdv',
      nouvelle_valeur: rdv.id,
      acteur: { type: 'client', nom: 'client' },
      commentaire: 'Annulé par le client : En voyage.',
    })
    expect(await shopMail()).toMatchObject([
      {
        to: 'atelier@loeuvre.example',
        notice: {
          type: 'rdv_client',
          acte: 'annule',
          client: { nom: 'Petit' },
          motif: 'Annulé par le client : En voyage.',
        },
      },
    ])
    await sav.directory.clients.erase(actor, paul.id)
    expect(await toDo()).toEqual([])
  })

  it('add a follow-up with the old and the new time of a moved visit, until it is moved again or over', async () => {
    const { sav, actor, secret, rdv, toDo, shopMail, clock, until } = await withMail()
    const jeton = (await sav.rdvPages.find(secret))?.autres[0]?.jeton ?? ''
    await sav.rdvPages.answer(secret, { action: 'deplacer', version: 1, jeton })
    const texte = 'Déplacé par le client : du 18/03/2026 à 09:30 au 17/03/2026 à 08:00.'
    expect(await toDo()).toMatchObject([{ type: 'rdv_deplace_client', texte }])
    expect(await shopMail()).toMatchObject([
      { notice: { acte: 'deplace', debut: '2026-03-17T07:00:00.000Z', ancien_debut: '2026-03-18T08:30:00.000Z' } },
    ])
    await sav.planning.change(actor, rdv.id, { debut: '2026-03-17T08:15:00+01:00' })
    expect(await toDo()).toEqual([])
    await sav.planning.change(actor, rdv.id, { debut: '2026-03-17T08:00:00+01:00' })
    await clock.advance(until('2026-03-17T08:29:59.999Z'))
    expect(await toDo()).toHaveLength(1)
    await clock.advance(1)
    expect(await toDo()).toEqual([])
  })

  it('send the shop no e-mail unless it wants one, and a confirmation adds only a history line', async () => {
    const { sav, secret, sav_id, toDo, shopMail } = await withMail(false)
    await sav.rdvPages.answer(secret, { action: 'confirmer', version: 1 })
    expect((await sav.cases.get('default', sav_id)).historique.at(-1)).toMatchObject({
      type: 'rdv',
      commentaire: 'Confirmé par le client : 18/03/2026 à 09:30.',
    })
    expect(await toDo()).toEqual([])
    await sav.rdvPages.answer(secret, { action: 'annuler', version: 2 })
    expect(await toDo()).toHaveLength(1)
    expect(await shopMail()).toEqual([])
  })

  it('are dealt with when the first person marks them as done, or the case is booked again or closed', async () => {
    const { sav, actor, secret, rdv, sav_id, booking, toDo, clock, at } = await openOffice()
    // An appointment that was booked before the cancellation does not settle the follow-up.
    await sav.planning.book(actor, { ...booking, debut: '2026-03-23T09:30:00+01:00' })
    await clock.advance(1)
    await sav.rdvPages.answer(secret, { action: 'annuler', version: 1 })
    const id = `rdv_annule_client-${rdv.id}-2`
    // An appointment for another case does not settle it either, and neither does a proposal.
    await clock.advance(1)
    await sav.planning.book(actor, at('2026-03-19T09:30'))
    await sav.planning.book(actor, { ...booking, statut: 'propose' })
    expect(await toDo()).toMatchObject([{ id }])
    const again = await sav.planning.book(actor, { ...booking, debut: '2026-03-20T09:30:00+01:00' })
    expect(await toDo()).toEqual([])
    expect(await refusal(sav.followUps.done(claire, id, sees))).toBeInstanceOf(NotFoundError)
    await sav.planning.change(actor, again.id, { statut: 'annule', motif_annulation: 'La pièce manque.' })
    expect(await toDo()).toMatchObject([{ id }])

    const done = await sav.followUps.done(claire, id, sees)
    expect(done).toMatchObject({ id, type: 'rdv_annule_client', fait_par: { id: 'usr_1', nom: 'Claire Martin' } })
    await clock.advance(1_000)
    expect(await sav.followUps.done(actor, id, sees)).toEqual(done)
    expect(await toDo()).toEqual([])
    expect(await refusal(sav.followUps.done(as('other'), id, sees))).toBeInstanceOf(NotFoundError)

    const absent = await sav.planning.book(actor, { ...booking, debut: '2026-03-20T09:30:00+01:00' })
    await sav.planning.change(actor, absent.id, { statut: 'absent' })
    expect(await toDo()).toMatchObject([{ type: 'client_absent', texte: 'Client absent le 20/03/2026 à 09:30.' }])
    await sav.cases.close(actor, sav_id, { resolution: 'Réglé par téléphone avec le client.' })
    expect((await toDo()).filter(({ type }) => type === 'client_absent')).toEqual([])
  })

  /** A shop with an e-mail address. */
  async function withMail(prevenir_bureau = true) {
    const email = carrying(() => httpAnswer(250))
    const office = await openOffice({ email })
    await office.sav.accounts.update(office.actor, { email: 'atelier@loeuvre.example', prevenir_bureau })
    const shopMail = async () => {
      await office.sent()
      return email.letters.filter(({ kind }) => kind === 'notice')
    }
    return { ...office, shopMail }
  }
})

describe('derived follow-ups', () => {
  it('list a future visit during an absence, until it is moved or marked as done', async () => {
    const { sav, actor, poseur, rdv, toDo, clock, until } = await openOffice()
    const putAbsence = (debut: string, fin: string) =>
      sav.planning.putAbsences(actor, poseur.id, [{ debut, fin, motif: null }])
    await putAbsence('2026-03-18T10:00:00Z', '2026-03-18T18:00:00Z')
    expect(await toDo()).toEqual([])
    await clock.advance(60_000)
    await putAbsence('2026-03-18T09:59:59Z', '2026-03-18T18:00:00Z')
    const depuis = new Date(clock.now()).toISOString()
    const [found] = await toDo()
    expect(found).toMatchObject({
      type: 'rdv_pendant_absence',
      depuis,
      rdv_id: rdv.id,
      texte: 'Bruno Petit',
    })
    await sav.planning.change(actor, rdv.id, { debut: '2026-03-18T08:30:00+01:00' })
    expect(await toDo()).toEqual([])
    await sav.planning.change(actor, rdv.id, { debut: '2026-03-18T09:30:00+01:00' })
    expect(await toDo()).toHaveLength(1)
    await sav.followUps.done(claire, found?.id ?? '', sees)
    expect(await toDo()).toEqual([])
    await putAbsence('2026-03-18T00:00:00Z', '2026-03-19T18:00:00Z')
    expect(await toDo()).toHaveLength(1)
    await clock.advance(until('2026-03-18T10:00:00Z'))
    expect(await toDo()).toEqual([])
  })

  it('list an undelivered report, until it is sent', async () => {
    let answers = false
    const email = carrying(() => (answers ? httpAnswer(250) : { ...httpAnswer(550), final: true }))
    const { sav, actor, sav_id, toDo, sent } = await openOffice({ email })
    await sav.cases.close(actor, sav_id, { resolution: 'Coulisse remplacée, tiroir réglé.' })
    expect(await toDo()).toEqual([])
    await sent()
    expect(await toDo()).toMatchObject([{ type: 'rapport_non_remis', sav_id, client: { nom: 'Petit' } }])
    expect((await toDo())[0]?.texte).toMatch(/^email: /)
    answers = true
    await sav.cases.sendReport(actor, sav_id, {})
    await sent()
    expect(await toDo()).toEqual([])
  })

  it('list a disabled or failing endpoint, for callers who may see it', async () => {
    const { sav, actor, toDo, storage, clock } = await openOffice()
    const url = 'https://erp.example/hooks'
    const { id } = await sav.webhooks.endpoints.add(actor, { url, events: ['sav.created'] })
    const set = (changes: object) =>
      storage.transaction(async (tx) => {
        const found = await tx.endpoints.find('default', id)
        if (found !== null) await tx.endpoints.update({ ...found, ...changes })
      })
    const depuis = new Date(clock.now()).toISOString()
    const failed = (echecs_consecutifs: number) =>
      storage.transaction(async (tx) => {
        const none = { account_id: 'default', endpoint_id: id, minutes: [], derniere_reponse: null }
        await tx.endpoints.keepRecords([{ ...none, echecs_consecutifs, echecs_depuis: depuis, dernier_echec: depuis }])
      })
    await failed(4)
    expect(await toDo()).toEqual([])
    await failed(5)
    expect(await toDo()).toEqual([
      expect.objectContaining({ type: 'recepteur_en_echec', depuis, client: null, texte: url }),
    ])
    expect(await sav.followUps.list('default', { receivers: false })).toEqual([])
    await sav.webhooks.endpoints.disable(actor, id)
    expect(await toDo()).toEqual([])
    await set({ disabled_reason: 'a delivery ended with 410 Gone' })
    expect(await toDo()).toMatchObject([{ type: 'recepteur_en_echec' }])
  })
})
