import { describe, expect, it } from 'vitest'
import { ConflictError, SlotTakenError, ValidationError } from '../../core/src/errors.js'
import { openPlanning, refusal } from '../test/planning.js'
import { note } from './travel/notes.js'

const fields = (error: unknown) =>
  error instanceof ValidationError ? error.details.map(({ field }) => field).toSorted() : error

describe('booking', () => {
  it('answers with the whole planned appointment, its times in UTC, without warnings', async () => {
    const { sav, actor, booking, client, poseur, helper } = await openPlanning()
    const lieu = { ligne1: '12 quai Tilsitt', code_postal: '69002', ville: 'Lyon' }
    await sav.directory.clients.update(actor, client.id, { lieu })
    const rdv = await sav.planning.book(actor, { ...booking, equipiers: [helper.id], notes: ' Code 14B ' })
    expect(rdv).toEqual({
      id: expect.any(Number),
      type: 'autre',
      statut: 'planifie',
      sav: null,
      client: { id: client.id, nom: 'Durand', prenom: 'Alice' },
      poseur: { id: poseur.id, nom: 'Bruno Petit' },
      equipiers: [{ id: helper.id, nom: 'Ismaël Roy' }],
      debut: '2026-03-16T08:00:00.000Z',
      fin: '2026-03-16T10:00:00.000Z',
      fuseau: 'Europe/Paris',
      duree_minutes: 120,
      fenetre_client: null,
      lieu: { ...lieu, lat: null, lon: null, acces: null },
      trajet_avant_minutes: null,
      tournee: null,
      expire_a: null,
      motif_annulation: null,
      intervention_id: null,
      resultat: null,
      compte_rendu: null,
      pieces: [],
      retard_minutes: null,
      notes: 'Code 14B',
      version: 1,
      avertissements: [],
    })
    const { avertissements: _, ...kept } = rdv
    expect(await sav.planning.get('default', rdv.id)).toEqual(kept)
  })

  it('for a case uses its client, assigns the poseur to the case, and emits two events with ids only', async () => {
    const { sav, actor, booking, addCase, emitted, client, poseur } = await openPlanning()
    const sav_id = await addCase()
    const { client_id: _, ...ofCase } = booking
    const rdv = await sav.planning.book(actor, { ...ofCase, sav_id, statut: 'confirme' })
    expect(rdv).toMatchObject({
      type: 'sav',
      client: { id: client.id },
      sav: { id: sav_id, reference: 'SAV-2026-00001' },
    })
    const told = await emitted()
    expect(told.map(({ event }) => event).toSorted()).toEqual(['rdv.confirmed', 'rdv.created', 'sav.assigned'])
    expect(told.find(({ event }) => event === 'rdv.created')?.data).toEqual({
      event_id: expect.stringMatching(/^evt_/),
      id: rdv.id,
      sav: { id: sav_id, reference: 'SAV-2026-00001' },
      client: { id: client.id },
      poseur: { id: poseur.id },
      equipiers: [],
      type: 'sav',
      statut: 'confirme',
      debut: rdv.debut,
      fin: rdv.fin,
      version: 1,
      changements: [],
    })
    expect(JSON.stringify(told)).not.toMatch(/Durand|Alice|Bruno|tiroir/)
    expect(await sav.cases.get('default', sav_id)).toMatchObject({
      statut: 'ouvert',
      poseur_assigne: { id: poseur.id },
    })
  })

  it('never changes the poseur of a case, and a proposal sets the poseur only once it is accepted', async () => {
    const { sav, actor, booking, addCase, helper, kinds } = await openPlanning()
    const sav_id = await addCase()
    const held = await sav.planning.book(actor, { ...booking, sav_id, statut: 'propose' })
    expect((await sav.cases.get('default', sav_id)).poseur_assigne).toBeNull()
    expect(await kinds()).toEqual(['rdv.created'])
    await sav.planning.change(actor, held.id, { statut: 'planifie' })
    expect(await kinds()).toEqual(['sav.assigned'])
    await sav.planning.book(actor, { ...booking, sav_id, poseur_id: helper.id })
    expect(await kinds()).toEqual(['rdv.created'])
  })

  it.each([
    [['client_id'], { client_id: undefined }],
    [['client_id'], { client_id: 999 }],
    [['sav_id'], { sav_id: 999 }],
    [['poseur_id'], { poseur_id: 999 }],
    [['equipiers[1]', 'poseur_id'], { poseur_id: 998, equipiers: [2, 999] }],
    [['equipiers'], { equipiers: [1] }],
    [['equipiers'], { equipiers: [2, 2] }],
    [['debut'], { debut: '2026-03-16T09:00:00' }],
    [['debut'], { debut: '1999-12-31T23:59:59Z' }],
    [['duree_minutes'], { duree_minutes: 721 }],
    [['duree_minutes'], { duree_minutes: 0 }],
    [['duree_minutes'], { duree_minutes: undefined }],
    [['duree_minutes'], { fin: '2026-03-16T10:00:00+01:00' }],
    [['fin'], { duree_minutes: undefined, fin: '2026-03-16T09:00:00+01:00' }],
    [['statut'], { statut: 'realise' }],
    [['fenetre_client.fin'], { fenetre_client: { debut: '2026-03-16T09:00:00Z', fin: '2026-03-16T09:00:00Z' } }],
    [['lieu.lon'], { lieu: { lat: 45.7 } }],
    [['jeton'], { poseur_id: undefined, debut: undefined, duree_minutes: undefined, jeton: 'forgé' }],
    [['debut', 'duree_minutes', 'poseur_id'], { jeton: 'x' }],
    [['lien'], { lien: 'x' }],
  ])('is refused with problems in %j: %j', async (expected, change) => {
    const { sav, actor, booking } = await openPlanning()
    const input = JSON.parse(JSON.stringify({ ...booking, ...change }))
    expect(fields(await refusal(sav.planning.book(actor, input)))).toEqual(expected)
  })

  it('is refused for a closed case, another client’s case, and an inactive poseur', async () => {
    const { sav, actor, booking, addCase, helper } = await openPlanning()
    const sav_id = await addCase()
    const other = await sav.directory.clients.add(actor, { nom: 'Petit', prenom: 'Ida' })
    expect(fields(await refusal(sav.planning.book(actor, { ...booking, client_id: other.id, sav_id })))).toEqual([
      'client_id',
    ])
    await sav.directory.poseurs.update(actor, helper.id, { actif: false })
    expect(fields(await refusal(sav.planning.book(actor, { ...booking, poseur_id: helper.id })))).toEqual(['poseur_id'])
    await sav.cases.close(actor, sav_id, { resolution: 'Glissière remplacée.' })
    expect(await refusal(sav.planning.book(actor, { ...booking, sav_id }))).toBeInstanceOf(ConflictError)
  })

  it('is refused with the conflicting appointment if a teammate is busy', async () => {
    const { sav, actor, booking, helper, poseur } = await openPlanning()
    const first = await sav.planning.book(actor, { ...booking, equipiers: [helper.id] })
    const error = await refusal(sav.planning.book(actor, { ...booking, poseur_id: helper.id, duree_minutes: 15 }))
    expect(error).toBeInstanceOf(SlotTakenError)
    const { id, debut, fin } = first
    expect(error).toMatchObject({ conflit: { id, debut, fin, poseur: { id: poseur.id } } })
    await sav.planning.book(actor, { ...booking, debut: '2026-03-16T11:00:00+01:00' })
  })

  it('outside the poseur’s hours, during an absence or without the skill is allowed, with warnings', async () => {
    const { sav, actor, booking, poseur, addCase } = await openPlanning()
    const debut = '2026-03-19T08:00:00Z'
    await sav.planning.putAbsences(actor, poseur.id, [{ debut, fin: '2026-03-20T17:00:00Z', motif: 'Formation' }])
    await sav.planning.putCompetences(actor, poseur.id, ['facade'])
    const sav_id = await addCase()
    const warned = async (time: string, duree_minutes: number) =>
      (await sav.planning.book(actor, { ...booking, sav_id, debut: time, duree_minutes })).avertissements
    const { id, nom } = poseur
    const unskilled = note('poseur_not_skilled', { nom, id, type_probleme: 'reglage' })
    expect(await warned('2026-03-17T08:00:00+01:00', 240)).toEqual([unskilled])
    const late = note('poseur_not_working', { nom, id })
    expect(await warned('2026-03-18T11:00:00+01:00', 61)).toEqual([late, unskilled])
    expect(await warned('2026-03-20T13:00:00+01:00', 60)).toEqual([
      note('poseur_away', { nom, id, debut: '2026-03-19T08:00:00.000Z', fin: '2026-03-20T17:00:00.000Z' }),
      unskilled,
    ])
    // This day is Easter Monday.
    expect(await warned('2027-03-29T09:00:00+02:00', 60)).toEqual([late, unskilled])
  })
})

describe('a proposal', () => {
  it('holds its time for exactly a quarter of an hour, and then expires with an event', async () => {
    const { sav, actor, booking, clock, emitted } = await openPlanning()
    const held = await sav.planning.book(actor, { ...booking, statut: 'propose' })
    expect(held.expire_a).toBe('2026-03-16T05:15:00.000Z')
    await clock.advance(15 * 60_000 - 1)
    expect(await refusal(sav.planning.book(actor, booking))).toBeInstanceOf(SlotTakenError)
    await clock.advance(1)
    const rdv = await sav.planning.book(actor, booking)
    expect(await sav.planning.get('default', held.id)).toMatchObject({
      statut: 'annule',
      motif_annulation: 'La proposition a expiré.',
      version: 2,
    })
    const told = (await emitted()).map(({ event, data }) => [event, data['id']])
    expect(told.toSorted()).toEqual([
      ['rdv.cancelled', held.id],
      ['rdv.created', held.id],
      ['rdv.created', rdv.id],
    ])
  })

  it('that expires is cancelled by a worker within a minute', async () => {
    const { sav, actor, booking, clock, worker } = await openPlanning()
    const { id } = await sav.planning.book(actor, { ...booking, statut: 'propose' })
    worker.start()
    await clock.advance(15 * 60_000 - 1)
    expect((await sav.planning.get('default', id)).statut).toBe('propose')
    await clock.advance(60_000)
    expect((await sav.planning.get('default', id)).statut).toBe('annule')
    await worker.stop()
  })
})

describe('the list', () => {
  it('covers the current week in the account’s time zone if no days are given', async () => {
    const { sav, actor, booking } = await openPlanning()
    for (const debut of ['2026-03-15T23:30:00Z', '2026-03-22T22:30:00Z', '2026-03-22T23:30:00Z'])
      await sav.planning.book(actor, { ...booking, debut, duree_minutes: 15 })
    const list = async (input = {}) => (await sav.planning.list('default', input)).items.map(({ debut }) => debut)
    expect(await list()).toEqual(['2026-03-15T23:30:00.000Z', '2026-03-22T22:30:00.000Z'])
    expect(await list({ du: '2026-03-23' })).toEqual(['2026-03-22T23:30:00.000Z'])
    expect(await list({ au: '2026-03-16' })).toEqual(['2026-03-15T23:30:00.000Z'])
    await sav.accounts.update(actor, { fuseau: 'Indian/Reunion' })
    expect(await list()).toEqual(['2026-03-15T23:30:00.000Z'])
    expect(await sav.planning.book(actor, { ...booking, duree_minutes: 720 })).toMatchObject({
      fuseau: 'Indian/Reunion',
      duree_minutes: 720,
    })
  })

  it('is refused for more than 92 days, or if the last day is before the first', async () => {
    const { sav } = await openPlanning()
    await sav.planning.list('default', { du: '2026-03-01', au: '2026-05-31' })
    for (const input of [
      { du: '2026-03-01', au: '2026-06-01' },
      { du: '2026-03-02', au: '2026-03-01' },
    ])
      expect(fields(await refusal(sav.planning.list('default', input)))).toEqual(['au'])
  })
})
