import { describe, expect, it } from 'vitest'
import { ConflictError, SlotTakenError, VersionMismatchError } from '../../../core/src/errors.js'
import { openPlanning, refusal } from '../../test/planning.js'
import type { ChangeRdvInput } from './inputs.js'

const later = { debut: '2026-03-17T09:00:00+01:00' }

describe('changing an appointment', () => {
  it('to a taken time is refused, but to one that overlaps its own previous time is allowed', async () => {
    const { sav, actor, booking, kinds } = await openPlanning()
    const first = await sav.planning.book(actor, booking)
    const second = await sav.planning.book(actor, { ...booking, ...later })
    const error = await refusal(sav.planning.change(actor, second.id, { debut: first.debut }))
    expect(error).toBeInstanceOf(SlotTakenError)
    expect(error).toMatchObject({ conflit: { id: first.id } })
    await kinds()
    const moved = await sav.planning.change(actor, first.id, { debut: '2026-03-16T09:30:00+01:00' })
    expect(moved).toMatchObject({ fin: '2026-03-16T10:30:00.000Z', version: 2 })
    expect(await kinds()).toEqual(['rdv.rescheduled'])
  })

  it('at an outdated version is refused, and setting an equal value creates no version', async () => {
    const { sav, actor, booking } = await openPlanning()
    const { id } = await sav.planning.book(actor, booking)
    expect((await sav.planning.change(actor, id, { notes: 'Sonner fort' }, [1])).version).toBe(2)
    expect(await refusal(sav.planning.change(actor, id, { notes: 'x' }, [1]))).toBeInstanceOf(VersionMismatchError)
    expect((await sav.planning.change(actor, id, { notes: 'Sonner fort' }, [1, 2])).version).toBe(2)
  })

  it('is refused for each person who cannot be assigned, but a teammate deactivated later may stay', async () => {
    const { sav, actor, booking, helper, poseur, clock } = await openPlanning()
    const { id } = await sav.planning.book(actor, { ...booking, equipiers: [helper.id] })
    await clock.advance(6 * 3_600_000)
    await sav.directory.poseurs.update(actor, helper.id, { actif: false })
    expect(await sav.planning.change(actor, id, { notes: 'x', poseur_id: poseur.id })).toMatchObject({ version: 2 })
    const error = await refusal(sav.planning.change(actor, id, { poseur_id: 999, equipiers: [998] }))
    expect(error).toMatchObject({ details: [{ field: 'poseur_id' }, { field: 'equipiers[0]' }] })
    expect(await refusal(sav.planning.change(actor, id, { poseur_id: helper.id }))).toMatchObject({
      details: [{ field: 'equipiers' }],
    })
  })

  it.each([
    ['motif_annulation', { statut: 'annule' }],
    ['motif_annulation', { motif_annulation: 'x' }],
    ['motif_annulation', { statut: 'annule', motif_annulation: 'x'.repeat(501) }],
    ['resultat', { resultat: 'resolu' }],
    ['resultat', { statut: 'realise', resultat: 'bon' }],
    ['compte_rendu', { compte_rendu: 'x', statut: 'confirme' }],
    ['retard_minutes', { retard_minutes: 481 }],
    ['body', {}],
  ])('is refused with a problem in %s: %j', async (field, change) => {
    const { sav, actor, booking } = await openPlanning()
    const { id } = await sav.planning.book(actor, booking)
    const input = JSON.parse(JSON.stringify(change))
    expect(await refusal(sav.planning.change(actor, id, input))).toMatchObject({ details: [{ field }] })
  })
})

describe('work', () => {
  it('that begins sets its case to en_cours', async () => {
    const { sav, actor, booking, addCase, kinds } = await openPlanning()
    const sav_id = await addCase()
    const { id } = await sav.planning.book(actor, { ...booking, sav_id })
    await kinds()
    await sav.planning.change(actor, id, { statut: 'en_cours' })
    expect((await sav.cases.get('default', sav_id)).statut).toBe('en_cours')
    expect(await kinds()).toEqual(['sav.status_changed'])
  })

  it('that is done adds an intervention and a history line to its case, which stays open', async () => {
    const { sav, actor, booking, addCase, poseur, kinds } = await openPlanning()
    const sav_id = await addCase()
    const { id } = await sav.planning.book(actor, { ...booking, sav_id })
    await kinds()
    const pieces = [{ designation: 'Glissière 450 mm', quantite: 2 }]
    const told = { resultat: 'partiel', compte_rendu: 'Une glissière manque.', pieces } as const
    const done = await sav.planning.change(actor, id, { statut: 'realise', ...told })
    const kept = { ...told, pieces: [{ ...pieces[0], reference: null }] }
    expect(done).toMatchObject({ statut: 'realise', ...kept, intervention_id: expect.any(Number) })
    const dossier = await sav.cases.get('default', sav_id)
    expect(dossier.statut).toBe('en_cours')
    expect(dossier.interventions).toEqual([
      {
        id: done.intervention_id,
        rdv_id: id,
        poseur: { id: poseur.id, nom: 'Bruno Petit' },
        type: 'sav',
        date_debut: done.debut,
        date_fin: done.fin,
        survenu_a: null,
        ...kept,
      },
    ])
    expect(dossier.historique.at(-1)).toMatchObject({
      type: 'intervention',
      nouvelle_valeur: done.intervention_id,
      commentaire: 'Une glissière manque.',
    })
    expect((await kinds()).toSorted()).toEqual(['rdv.completed', 'sav.status_changed'])
    await sav.cases.close(actor, sav_id, { resolution: 'Glissière remplacée.' })
    expect(await sav.evidence.verify('default')).toMatchObject({ broken: [] })
  })

  it('without a case adds no intervention', async () => {
    const { sav, actor, booking } = await openPlanning()
    const { id } = await sav.planning.book(actor, booking)
    const done = await sav.planning.change(actor, id, { statut: 'realise', resultat: 'resolu' })
    expect(done).toMatchObject({ intervention_id: null, resultat: 'resolu' })
  })
})

describe('a close', () => {
  it('cancels future appointments of its case, but lets one under way continue and add its intervention', async () => {
    const { sav, actor, booking, addCase, kinds, clock } = await openPlanning()
    const [sav_id, elsewhere] = [await addCase(), await addCase()]
    const book = (debut: string, of = sav_id) => sav.planning.book(actor, { ...booking, sav_id: of, debut })
    const past = await book('2026-03-16T07:00:00+01:00')
    const running = await book('2026-03-16T10:00:00+01:00')
    const coming = [await book('2026-03-18T09:00:00+01:00'), await book('2026-03-19T09:00:00+01:00')]
    const others = await book('2026-03-20T09:00:00+01:00', elsewhere)
    await sav.planning.change(actor, running.id, { statut: 'en_cours' })
    await clock.advance(2 * 3_600_000)
    await kinds()
    await sav.cases.close(actor, sav_id, { resolution: 'Façade recollée.' })
    expect(await kinds()).toEqual(['rdv.cancelled', 'rdv.cancelled'])
    const statut = async ({ id }: { id: number }) => (await sav.planning.get('default', id)).statut
    expect([await statut(past), await statut(running), await statut(others)]).toEqual([
      'planifie',
      'en_cours',
      'planifie',
    ])
    for (const { id } of coming)
      expect(await sav.planning.get('default', id)).toMatchObject({
        statut: 'annule',
        motif_annulation: 'Le dossier est clos.',
      })

    await sav.planning.change(actor, running.id, { statut: 'realise', compte_rendu: 'Mme Durand a signé.' })
    const dossier = await sav.cases.get('default', sav_id)
    expect(dossier).toMatchObject({ statut: 'clos', interventions: [{ rdv_id: running.id }] })
    expect(dossier.historique.at(-1)).toMatchObject({ type: 'intervention' })
    expect(await sav.evidence.verify('default')).toMatchObject({ broken: [] })
  })
})

describe('an erasure', () => {
  it('leaves appointments that can be moved and ended, but accept no text about the client', async () => {
    const { sav, actor, booking, client } = await openPlanning()
    const fenetre_client = { debut: '2026-03-17T08:00:00Z', fin: '2026-03-17T12:00:00Z' }
    const { id } = await sav.planning.book(actor, { ...booking, ...later, fenetre_client })
    await sav.directory.clients.erase(actor, client.id)
    expect(await sav.planning.get('default', id)).toMatchObject({ statut: 'planifie', fenetre_client: null })
    const words: ChangeRdvInput[] = [
      { notes: 'Mme Durand est sourde' },
      { lieu: { ligne1: '3 rue Tupin' } },
      { fenetre_client: { debut: '2026-03-16T08:00:00Z', fin: '2026-03-16T12:00:00Z' } },
      { statut: 'realise', compte_rendu: 'Mme Durand a signé' },
      { statut: 'realise', pieces: [{ designation: 'Pour Durand', quantite: 1 }] },
      { statut: 'annule', motif_annulation: 'Mme Durand voyage' },
    ]
    const before = await sav.planning.get('default', id)
    await expect(sav.planning.book(actor, booking)).rejects.toMatchObject({ code: 'client_erased' })
    for (const change of words)
      await expect(sav.planning.change(actor, id, change)).rejects.toMatchObject({ code: 'client_erased' })
    expect(await sav.planning.get('default', id)).toEqual(before)
    await sav.planning.change(actor, id, { duree_minutes: 30, notes: null })
    const ended = await sav.planning.change(actor, id, { statut: 'annule', motif_annulation: '(effacé)' })
    expect(ended).toMatchObject({ statut: 'annule', motif_annulation: '(effacé)' })
  })
})

describe('deactivating a poseur', () => {
  it('is refused while future appointments include the poseur, even as a teammate, and names them', async () => {
    const { sav, actor, booking, helper, clock } = await openPlanning()
    const { id, debut } = await sav.planning.book(actor, { ...booking, ...later, equipiers: [helper.id] })
    const error = await refusal(sav.directory.poseurs.update(actor, helper.id, { actif: false }))
    expect(error).toBeInstanceOf(ConflictError)
    expect(error).toMatchObject({ message: expect.stringContaining(`${id} (${debut})`) })
    expect((await sav.directory.poseurs.update(actor, helper.id, { nom: 'Ismaël Le Roy' })).actif).toBe(true)
    await clock.advance(Date.parse(debut) - clock.now())
    expect(await refusal(sav.directory.poseurs.update(actor, helper.id, { actif: false }))).toBeInstanceOf(
      ConflictError,
    )
    await clock.advance(1)
    expect((await sav.directory.poseurs.update(actor, helper.id, { actif: false })).actif).toBe(false)
  })

  it('is allowed once all future appointments are cancelled or are expired proposals', async () => {
    const { sav, actor, booking, clock, poseur } = await openPlanning()
    const { id } = await sav.planning.book(actor, { ...booking, ...later })
    await sav.planning.book(actor, { ...booking, debut: '2026-03-18T09:00:00Z', statut: 'propose' })
    await sav.planning.change(actor, id, { statut: 'annule', motif_annulation: 'Reporté' })
    await clock.advance(15 * 60_000 - 1)
    expect(await refusal(sav.directory.poseurs.update(actor, poseur.id, { actif: false }))).toBeInstanceOf(
      ConflictError,
    )
    await clock.advance(1)
    expect((await sav.directory.poseurs.update(actor, poseur.id, { actif: false })).actif).toBe(false)
  })
})

describe('an agenda', () => {
  it('has default hours until others are recorded, and replacing one part leaves the others unchanged', async () => {
    const { sav, actor, poseur } = await openPlanning()
    const usual = await sav.planning.horaires('default', poseur.id)
    expect(usual.periodes[0]?.semaine.vendredi).toEqual([
      { debut: '08:00', fin: '12:00' },
      { debut: '13:00', fin: '17:00' },
    ])
    const week = { periodes: [{ du: null, au: null, semaine: { mardi: [{ debut: '07:00', fin: '11:30' }] } }] }
    await sav.planning.putCompetences(actor, poseur.id, ['reglage'])
    expect(await sav.planning.putHoraires(actor, poseur.id, week)).toEqual({ ...week, exceptions: [] })
    expect(await sav.planning.horaires('default', poseur.id)).toEqual({ ...week, exceptions: [] })
    expect(await sav.planning.competences('default', poseur.id)).toEqual(['reglage'])
    expect(await sav.planning.absences('default', poseur.id)).toEqual({ absences: [], rdv: [] })
  })

  it('lists the appointments that overlap an absence by at least a moment', async () => {
    const { sav, actor, booking, poseur } = await openPlanning()
    const hit = await sav.planning.book(actor, booking)
    const beside = await sav.planning.book(actor, { ...booking, ...later })
    const absences = (debut: string, fin: string) => sav.planning.putAbsences(actor, poseur.id, [{ debut, fin }])
    const ids = async (debut: string, fin: string) => (await absences(debut, fin)).rdv.map(({ id }) => id)
    expect(await ids('2026-03-16T00:00:00Z', hit.debut)).toEqual([])
    expect(await ids(hit.fin, beside.debut)).toEqual([])
    expect(await ids('2026-03-16T00:00:00Z', '2026-03-16T08:00:00.001Z')).toEqual([hit.id])
    expect(await ids('2026-03-16T09:59:59.999Z', '2026-03-17T08:00:00.001Z')).toEqual([hit.id, beside.id])
    expect((await sav.planning.absences('default', poseur.id)).rdv).toHaveLength(2)
  })
})
