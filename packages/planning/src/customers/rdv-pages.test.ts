import { describe, expect, it } from 'vitest'
import { ConflictError, NotFoundError, SlotTakenError, ValidationError } from '../../../core/src/errors.js'
import { openShop } from '../../test/customers.js'
import { refusal } from '../../test/planning.js'
import { rdvPageStore } from './rdv-page-store.js'

/** Wednesday, 09:30 in Paris; the shop's clock shows Monday, 06:00. */
async function openPage(more: object = {}) {
  const opened = await openShop()
  const { sav, actor, at, sent } = opened
  const rdv = await sav.planning.book(actor, at('2026-03-18T09:30', more))
  const secretIn = (url: string | null | undefined) => (url ?? '').replace('https://sav.example/rdv/', '')
  const { email } = await sent()
  const secret = secretIn(email[0]?.page_url)
  const { rdvPages, planning } = sav
  const now = () => planning.get('default', rdv.id)
  return { ...opened, rdv, secret, secretIn, rdvPages, now }
}

describe('the page of an appointment', () => {
  it('shows the appointment and the shop, and no other personal data', async () => {
    const { rdvPages, secret, sav, actor, rdv } = await openPage({ notes: 'Mauvais payeur.' })
    const view = await rdvPages.find(secret)
    expect(view).toEqual({
      statut: 'planifie',
      debut: rdv.debut,
      fin: rdv.fin,
      fenetre_client: null,
      fuseau: 'Europe/Paris',
      lieu: null,
      acces_fin: null,
      societe: { nom: 'Ateliers Lœuvre', telephone: '04 78 00 11 22', email: null, logo: null, couleur: '#17507a' },
      poseur: 'Bruno',
      version: 1,
      confirmable: true,
      changeable: true,
      autres: expect.any(Array),
    })
    await sav.planning.change(actor, rdv.id, { lieu: { ligne1: '3 rue Neuve', ville: 'Lyon', acces: 'Code 14B' } })
    expect(await rdvPages.find(secret)).toMatchObject({ lieu: '3 rue Neuve, Lyon', acces_fin: '4B' })
    expect(JSON.stringify(await rdvPages.find(secret))).not.toMatch(/14B|Petit|payeur/)
    // The page shows the end of a code, but nothing of a text without a code.
    await sav.planning.change(actor, rdv.id, { lieu: { ligne1: '3 rue Neuve', acces: 'Deuxième étage' } })
    expect(await rdvPages.find(secret)).toMatchObject({ acces_fin: '' })
  })

  it('has the same address in all letters, which is stored only as a hash', async () => {
    const { secret, secretIn, sav, actor, sent, rdv, storage, zoe, at } = await openPage()
    await sav.planning.change(actor, rdv.id, { statut: 'confirme' })
    expect(secretIn((await sent()).email[0]?.page_url)).toBe(secret)
    await sav.planning.book(actor, at('2026-03-18T14:00', { client_id: zoe.id }))
    const { email, whatsapp } = await sent()
    expect(secretIn(email[0]?.page_url)).not.toBe(secret)
    expect(whatsapp[0]?.page_url).toBe(email[0]?.page_url)
    expect(await storage.reads.of(rdvPageStore).find(secret)).toBeNull()
  })

  it('offers up to three free times of the same people, in different half-days, at least 24 hours away', async () => {
    const { rdvPages, secret, clock } = await openPage()
    const { autres = [] } = (await rdvPages.find(secret)) ?? {}
    expect(autres.map(({ debut }) => debut)).toEqual([
      '2026-03-17T07:00:00.000Z',
      '2026-03-17T12:00:00.000Z',
      '2026-03-18T07:00:00.000Z',
    ])
    await clock.advance(26 * 3_600_000)
    expect((await rdvPages.find(secret))?.autres[0]?.debut).toBe('2026-03-18T07:30:00.000Z')
  })

  it('exists until the appointment is over', async () => {
    const { rdvPages, secret, clock, until } = await openPage()
    await clock.advance(until('2026-03-18T09:59:59.999Z'))
    expect(await rdvPages.find(secret)).toMatchObject({ confirmable: false, changeable: false, autres: [] })
    await clock.advance(1)
    expect(await rdvPages.find(secret)).toBeNull()
    expect(await refusal(rdvPages.answer(secret, { action: 'acces', acces: '14B' }))).toBeInstanceOf(NotFoundError)
  })

  it('shows a cancelled visit, but is gone once the visit is done or missed, or the customer erased', async () => {
    const { rdvPages, secret, sav, actor, paul, rdv } = await openPage()
    await sav.planning.change(actor, rdv.id, { statut: 'annule', motif_annulation: 'La pièce manque.' })
    const view = await rdvPages.find(secret)
    expect(view).toMatchObject({ statut: 'annule', confirmable: false, changeable: false })
    expect(JSON.stringify(view)).not.toContain('pièce')
    await sav.directory.clients.erase(actor, paul.id)
    expect(await rdvPages.find(secret)).toBeNull()
    for (const change of [{ statut: 'absent' }, { statut: 'realise', resultat: 'resolu' }] as const) {
      const other = await openPage()
      await other.sav.planning.change(other.actor, other.rdv.id, change)
      expect(await other.rdvPages.find(other.secret), change.statut).toBeNull()
    }
  })
})

describe('a customer', () => {
  it('confirms an appointment only once, and gets no letter about it', async () => {
    const { rdvPages, secret, now, mailed } = await openPage()
    expect(await rdvPages.answer(secret, { action: 'confirmer', version: 1 })).toEqual({ account_id: 'default' })
    expect(await now()).toMatchObject({ statut: 'confirme', version: 2 })
    await rdvPages.answer(secret, { action: 'confirmer', version: 1 })
    expect(await now()).toMatchObject({ version: 2 })
    expect(await mailed()).toEqual([])
  })

  it('moves an appointment to another time, which is confirmed at once, and gets a letter', async () => {
    const { rdvPages, secret, now, mailed } = await openPage({ statut: 'confirme' })
    const jeton = (await rdvPages.find(secret))?.autres[1]?.jeton ?? ''
    await rdvPages.answer(secret, { action: 'deplacer', version: 1, jeton })
    expect(await now()).toMatchObject({
      statut: 'confirme',
      debut: '2026-03-17T12:00:00.000Z',
      fin: '2026-03-17T13:30:00.000Z',
    })
    expect(await mailed()).toEqual([
      { about: 'confirmation', to: 'paul@petit.example', debut: '2026-03-17T12:00:00.000Z' },
    ])
  })

  it('cancels an appointment only once, with or without a reason', async () => {
    for (const [motif, said] of [
      ['Je suis en voyage.', 'Annulé par le client : Je suis en voyage.'],
      ['', 'Annulé par le client.'],
    ] as const) {
      const { rdvPages, secret, now } = await openPage()
      await rdvPages.answer(secret, { action: 'annuler', version: 1, motif })
      expect(await now()).toMatchObject({ statut: 'annule', motif_annulation: said })
      await rdvPages.answer(secret, { action: 'annuler', version: 1 })
      expect(await now()).toMatchObject({ version: 2 })
    }
  })

  it('can move and cancel an appointment until 24 hours before it, and confirm it until it begins', async () => {
    const { rdvPages, secret, clock, until, now } = await openPage()
    await clock.advance(until('2026-03-17T08:30:00Z'))
    const { autres = [], changeable } = (await rdvPages.find(secret)) ?? {}
    const jeton = autres[0]?.jeton ?? ''
    expect(changeable).toBe(true)
    await clock.advance(1)
    expect(await rdvPages.find(secret)).toMatchObject({ changeable: false })
    for (const answer of [
      { action: 'deplacer', version: 1, jeton },
      { action: 'annuler', version: 1 },
    ] as const)
      expect(await refusal(rdvPages.answer(secret, answer)), answer.action).toBeInstanceOf(ConflictError)
    await clock.advance(until('2026-03-18T08:29:59.999Z'))
    expect(await rdvPages.find(secret)).toMatchObject({ confirmable: true, changeable: false })
    await clock.advance(1)
    expect(await rdvPages.find(secret)).toMatchObject({ confirmable: false })
    const tooLate = await refusal(rdvPages.answer(secret, { action: 'confirmer', version: 1 }))
    expect(tooLate).toBeInstanceOf(ConflictError)
    expect(await now()).toMatchObject({ statut: 'planifie', version: 1 })
  })

  it('cannot choose a time of another length, poseur or account, one too soon, or one just taken', async () => {
    const { rdvPages, secret, sav, actor, poseur, addAccount, at, now } = await openPage()
    const { id: other } = await sav.directory.poseurs.add(actor, { nom: 'Ismaël Roy' })
    const theirs = await addAccount('autre')
    const slot = async (account_id: string, poseur_id: number, duree: number) =>
      (await sav.planning.slots(account_id, { duree, poseur_id, du: '2026-03-19', au: '2026-03-19' }))[0]?.jeton ?? ''
    const soon = await sav.planning.slots('default', {
      duree: 90,
      poseur_id: poseur.id,
      du: '2026-03-16',
      au: '2026-03-16',
    })
    for (const jeton of [
      await slot('default', poseur.id, 60),
      await slot('default', other, 90),
      await slot('autre', theirs.poseur.id, 90),
      soon[0]?.jeton ?? '',
      'c1.x.y.z',
    ])
      expect(await refusal(rdvPages.answer(secret, { action: 'deplacer', version: 1, jeton }))).toBeInstanceOf(
        ValidationError,
      )

    const { autres = [] } = (await rdvPages.find(secret)) ?? {}
    const [first] = autres
    await sav.planning.book(actor, at('', { debut: first?.debut, duree_minutes: 30 }))
    const taken = rdvPages.answer(secret, { action: 'deplacer', version: 1, jeton: first?.jeton ?? '' })
    expect(await refusal(taken)).toBeInstanceOf(SlotTakenError)
    expect(await now()).toMatchObject({ version: 1 })
  })

  it('gives access instructions, which are stored with the place of the appointment', async () => {
    const { rdvPages, secret, sav, actor, paul, rdv, now } = await openPage()
    await rdvPages.answer(secret, { action: 'acces', acces: 'Portail vert, 14B' })
    expect((await now()).lieu).toMatchObject({ ligne1: null, acces: 'Portail vert, 14B' })
    const { lieu } = await sav.directory.clients.get('default', paul.id)
    expect(lieu).toMatchObject({ acces: 'Portail vert, 14B' })
    await sav.planning.change(actor, rdv.id, { lieu: { ligne1: '3 rue Neuve', ville: 'Lyon' } })
    await rdvPages.answer(secret, { action: 'acces', acces: '3e étage' })
    expect((await now()).lieu).toMatchObject({ ligne1: '3 rue Neuve', ville: 'Lyon', acces: '3e étage' })
    expect((await sav.directory.clients.get('default', paul.id)).lieu).toEqual(lieu)
    await sav.planning.change(actor, rdv.id, { statut: 'annule', motif_annulation: 'La pièce manque.' })
    expect(await refusal(rdvPages.answer(secret, { action: 'acces', acces: 'x' }))).toBeInstanceOf(ConflictError)
  })

  it.each([
    ['motif', { action: 'annuler', version: 1, motif: 'x'.repeat(301) }],
    ['acces', { action: 'acces', acces: '  ' }],
    ['acces', { action: 'acces', acces: 'x'.repeat(201) }],
  ] as const)('gets a refusal that names the field %s if it is empty or too long', async (field, answer) => {
    const { rdvPages, secret } = await openPage()
    expect(await refusal(rdvPages.answer(secret, answer))).toMatchObject({ details: [{ field }] })
  })
})
