import { describe, expect, it } from 'vitest'
import { ConflictError, SlotTakenError } from '../../../core/src/errors.js'
import { openShop } from '../../test/customers.js'
import { refusal } from '../../test/planning.js'

/** Bruno is ill on Wednesday, with two visits, one of them confirmed; Ismaël can replace him. */
async function illness() {
  const shop = await openShop()
  const { sav, actor, at, poseur, paul, zoe } = shop
  const helper = await sav.directory.poseurs.add(actor, { nom: 'Ismaël Roy' })
  const first = await sav.planning.book(actor, at('2026-03-18T09:30', { statut: 'confirme' }))
  const second = await sav.planning.book(actor, at('2026-03-18T14:00', { client_id: zoe.id }))
  await sav.planning.change(actor, first.id, {
    fenetre_client: { debut: '2026-03-18T08:00:00Z', fin: '2026-03-18T11:00:00Z' },
  })
  await shop.sent()
  const absences = [{ debut: '2026-03-18T00:00:00Z', fin: '2026-03-19T00:00:00Z', motif: 'Maladie' }]
  await sav.planning.putAbsences(actor, poseur.id, absences)
  const now = () => Promise.all([first, second].map(({ id }) => sav.planning.get('default', id)))
  const places = async () =>
    (await now()).map(({ debut, poseur, statut, fenetre_client }) => ({ debut, poseur, statut, fenetre_client }))
  const toDo = async () =>
    (await sav.followUps.list('default', { receivers: false })).map(({ type, rdv_id, texte }) => ({
      type,
      rdv_id,
      texte,
    }))
  const move = (rdv_id: number, debut: string, poseur_id = helper.id) => ({ rdv_id, debut: `${debut}:00Z`, poseur_id })
  return { ...shop, helper, first, second, now, places, toDo, move, paul }
}

describe('replacing a poseur', () => {
  it('moves all visits in one write, and is undone in one write', async () => {
    const { sav, actor, helper, first, second, now, places, move, toDo, sent } = await illness()
    const texte = 'Bruno Petit · Maladie'
    expect((await toDo()).toSorted((a, b) => (a.rdv_id ?? 0) - (b.rdv_id ?? 0))).toEqual([
      { type: 'rdv_pendant_absence', rdv_id: first.id, texte },
      { type: 'rdv_pendant_absence', rdv_id: second.id, texte },
    ])
    const before = await places()
    const deplacements = [move(first.id, '2026-03-19T08:30'), move(second.id, '2026-03-18T13:00')]
    const { rdv, version } = await sav.planning.replace(actor, { deplacements })
    const [a, b] = await now()
    expect(rdv).toEqual(
      [a, b].map((each) => ({
        id: each?.id,
        debut: each?.debut,
        fin: each?.fin,
        poseur: { id: helper.id },
        version: each?.version,
      })),
    )
    // The customer confirmed neither the new day nor a window on it.
    expect(a).toMatchObject({ debut: '2026-03-19T08:30:00.000Z', statut: 'planifie', fenetre_client: null })
    expect(b).toMatchObject({ debut: '2026-03-18T13:00:00.000Z', poseur: { id: helper.id, nom: 'Ismaël Roy' } })
    expect(await toDo()).toEqual([])
    expect((await sent()).email.map(({ to }) => to)).toEqual(['paul@petit.example'])
    await sav.planning.undo(actor, { version })
    expect(await places()).toEqual(before)
    expect(await toDo()).toHaveLength(2)
  })

  it('moves no visit if one conflicts, and names the conflict', async () => {
    const { sav, actor, at, helper, first, second, places, move } = await illness()
    const other = await sav.planning.book(actor, at('2026-03-18T14:30', { poseur_id: helper.id }))
    const before = await places()
    const taken = await refusal(
      sav.planning.replace(actor, {
        deplacements: [move(first.id, '2026-03-18T08:30'), move(second.id, '2026-03-18T13:00')],
      }),
    )
    expect(taken).toBeInstanceOf(SlotTakenError)
    expect(taken).toMatchObject({ conflit: { id: other.id }, alternatives: [{}, {}, {}] })
    const among = [move(first.id, '2026-03-19T08:30'), move(second.id, '2026-03-19T09:00')]
    expect(await refusal(sav.planning.replace(actor, { deplacements: among }))).toMatchObject({
      conflit: { id: first.id, debut: '2026-03-19T08:30:00.000Z' },
      // These times are free once the first visit has its new time.
      alternatives: [{ debut: '2026-03-19T07:00:00.000Z' }, {}, {}],
    })
    expect(await places()).toEqual(before)
    // The two visits may exchange their times.
    const swapped = [move(first.id, '2026-03-18T13:00'), move(second.id, '2026-03-18T08:30')]
    await sav.planning.change(actor, other.id, { statut: 'annule', motif_annulation: 'Reporté.' })
    await sav.planning.replace(actor, { deplacements: swapped })
    expect((await places()).map(({ debut }) => debut)).toEqual(['2026-03-18T13:00:00.000Z', '2026-03-18T08:30:00.000Z'])
  })

  it('refuses an unknown, ended or repeated visit, and names it', async () => {
    const { sav, actor, poseur, first, move } = await illness()
    const replace = (...deplacements: ReturnType<typeof move>[]) => sav.planning.replace(actor, { deplacements })
    expect(
      await refusal(replace(move(999, '2026-03-19T08:30'), move(first.id, '2026-03-19T08:30', 998))),
    ).toMatchObject({
      details: [{ field: 'deplacements[0].rdv_id' }, { field: 'deplacements[1].poseur_id' }],
    })
    expect(
      await refusal(replace(move(first.id, '2026-03-19T08:30'), move(first.id, '2026-03-19T10:30'))),
    ).toMatchObject({
      details: [{ field: 'deplacements', code: 'rdv_named_twice' }],
    })
    expect(await refusal(replace())).toMatchObject({ details: [{ field: 'deplacements' }] })
    await sav.planning.change(actor, first.id, { statut: 'annule', motif_annulation: 'La cliente est en voyage.' })
    expect(await refusal(replace(move(first.id, '2026-03-19T08:30', poseur.id)))).toBeInstanceOf(ConflictError)
  })

  it('removes a sick teammate, who returns if this is undone', async () => {
    const { sav, actor, poseur, helper, first, places, toDo, sent } = await illness()
    const third = await sav.directory.poseurs.add(actor, { nom: 'Lucie Moreau' })
    await sav.planning.putAbsences(actor, poseur.id, [])
    await sav.planning.change(actor, first.id, { equipiers: [helper.id, third.id] })
    const absences = [{ debut: '2026-03-18T00:00:00Z', fin: '2026-03-19T00:00:00Z', motif: 'Grippe' }]
    await sav.planning.putAbsences(actor, helper.id, absences)
    await sent()
    expect(await toDo()).toMatchObject([{ rdv_id: first.id, texte: 'Ismaël Roy · Grippe' }])
    const before = await places()
    const team = async () => (await sav.planning.get('default', first.id)).equipiers.map(({ nom }) => nom)
    const without = { rdv_id: first.id, debut: first.debut, poseur_id: poseur.id, sans: [helper.id] }
    const { version } = await sav.planning.replace(actor, { deplacements: [without] })
    expect([await team(), await places(), await toDo(), (await sent()).email]).toEqual([
      ['Lucie Moreau'],
      before,
      [],
      [],
    ])
    await sav.planning.undo(actor, { version })
    expect(await team()).toEqual(['Ismaël Roy', 'Lucie Moreau'])
    expect(await toDo()).toHaveLength(1)
    // Removing somebody who is not in the team is no error.
    await sav.planning.replace(actor, { deplacements: [{ ...without, sans: [helper.id, third.id] }] })
    await sav.planning.replace(actor, { deplacements: [without] })
    expect(await team()).toEqual([])
  })

  it('cannot remove the poseur in charge, or an unknown person', async () => {
    const { sav, actor, helper, first } = await illness()
    const { id: rdv_id, debut } = first
    const deplacements = [{ rdv_id, debut, poseur_id: helper.id, sans: [helper.id, 999] }]
    expect(await refusal(sav.planning.replace(actor, { deplacements }))).toMatchObject({
      details: [
        { field: 'deplacements[0].sans[0]', code: 'person_goes_already' },
        { field: 'deplacements[0].sans[1]', code: 'poseur_unknown' },
      ],
    })
  })

  it('cannot be undone once the removed teammate has been deactivated', async () => {
    const { sav, actor, poseur, helper, first } = await illness()
    await sav.planning.change(actor, first.id, { equipiers: [helper.id] })
    const { version } = await sav.planning.replace(actor, {
      deplacements: [{ rdv_id: first.id, debut: first.debut, poseur_id: poseur.id, sans: [helper.id] }],
    })
    await sav.directory.poseurs.update(actor, helper.id, { actif: false })
    expect(await refusal(sav.planning.undo(actor, { version }))).toMatchObject({ code: 'poseur_no_longer_active' })
    expect((await sav.planning.get('default', first.id)).equipiers).toEqual([])
  })

  it('makes a teammate the poseur in charge, which can be undone', async () => {
    const { sav, actor, poseur, helper, first, second } = await illness()
    const third = await sav.directory.poseurs.add(actor, { nom: 'Lucie Moreau' })
    await sav.planning.change(actor, first.id, { equipiers: [helper.id, third.id] })
    const team = async () => {
      const { poseur: lead, equipiers } = await sav.planning.get('default', first.id)
      return [lead.nom, ...equipiers.map(({ nom }) => nom)]
    }
    const before = await team()
    const over = { rdv_id: first.id, debut: first.debut, poseur_id: helper.id }
    const { version } = await sav.planning.replace(actor, { deplacements: [over] })
    expect(await team()).toEqual([helper.nom, third.nom])
    // The former poseur gets another visit at that time.
    const { debut } = first
    await sav.planning.change(actor, second.id, { debut })
    expect(await refusal(sav.planning.undo(actor, { version }))).toBeInstanceOf(SlotTakenError)
    await sav.planning.change(actor, second.id, { debut: second.debut })
    await sav.planning.undo(actor, { version })
    expect(await team()).toEqual(before)
    // A poseur from outside leaves the team unchanged.
    const outside = await sav.directory.poseurs.add(actor, { nom: 'Tomasz Nowak' })
    await sav.planning.replace(actor, { deplacements: [{ ...over, poseur_id: outside.id }] })
    expect(await team()).toEqual([outside.nom, ...before.slice(1)])
    expect(poseur.nom).toBe(before[0])
  })

  it('adds a follow-up to call a customer whom no letter reaches, unless letters are suppressed', async () => {
    const { sav, actor, paul, first, second, move, toDo, poseur } = await illness()
    await sav.planning.putAbsences(actor, poseur.id, [])
    await sav.directory.clients.update(actor, paul.id, { email: null })
    const there = [move(first.id, '2026-03-19T08:30'), move(second.id, '2026-03-19T13:00')]
    await sav.planning.replace(actor, { deplacements: there, prevenir: false })
    expect(await toDo()).toEqual([])
    const deplacements = [move(first.id, '2026-03-20T08:30'), move(second.id, '2026-03-20T13:00')]
    const { version } = await sav.planning.replace(actor, { deplacements })
    const toCall = {
      type: 'rdv_pendant_absence',
      rdv_id: first.id,
      texte: 'Déplacé : aucun courrier ne prévient le client.',
    }
    expect(await toDo()).toEqual([toCall])
    await sav.planning.undo(actor, { version, prevenir: false })
    expect(await toDo()).toEqual([])
  })
})
