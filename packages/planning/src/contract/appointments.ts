import { addCase, addOwner, client, ended, insertCase, present, type Suite, twoOwners } from '@sav/storage-contract'
import { planningStore } from '../appointments/planning-store.js'
import { cancelled, completed, held, missed, type NewRdv, type Rdv, standing } from '../appointments/rdv.js'
import { addPerson, addRdv, at, changeRdv, newRdv } from './rdv-samples.js'

const anyPage = { page: 1, limite: 100 }
const thatWeek = { from: at(0), until: at(0, 7) }
const ids = (rdvs: readonly Pick<Rdv, 'id'>[]) => rdvs.map(({ id }) => id)

export function appointmentContract(suite: Suite): void {
  recordContract(suite)
  listContract(suite)
  takenContract(suite)
  agendaContract(suite)
}

function recordContract({ describe, it, expect }: Suite): void {
  describe('appointments', () => {
    it('is read as it was added, with the names of its case and people', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const of = await addCase(storage, owner)
      const helper = await addPerson(storage, owner, 'Ismaël Roy')
      const lieu = {
        ligne1: '3 rue de l’Église',
        code_postal: '69005',
        ville: 'Lyon',
        lat: 45.76,
        lon: 4.82,
        acces: null,
      }
      const whole: NewRdv = {
        ...newRdv(owner, 8),
        sav: { id: of.id, reference: of.reference },
        equipiers: [helper],
        fenetre_client: { debut: at(7.5), fin: at(9) },
        lieu,
        trajet_avant_minutes: 12,
        tournee: { date: '2026-03-16', ordre: 2 },
        retard_minutes: 0,
        notes: 'Prévoir l’échelle ; « sonner deux fois ».',
      }
      const added = await addRdv(storage, whole)
      expect(added).toEqual({ ...whole, id: expect.any(Number), client: { ...whole.client, prenom: 'Alice' } })
      expect(await storage.reads.of(planningStore).find('ours', added.id + 1000)).toBeNull()
    })

    it('keeps the fields of its status', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const added = await addRdv(storage, { ...newRdv(owner, 8), ...held(at(0.25)) })
      expect(added).toMatchObject({ statut: 'propose', expire_a: at(0.25), motif_annulation: null, bilan: null })
      const gone = await changeRdv(storage, added, (rdv) => ({ ...rdv, ...cancelled('Le client part en voyage.') }))
      expect(gone).toMatchObject({ statut: 'annule', expire_a: null, motif_annulation: 'Le client part en voyage.' })
      const pieces = [{ designation: 'Charnière 110°', quantite: 2, reference: 'CH-110' }]
      const bilan = { resultat: 'partiel' as const, compte_rendu: 'Reste à régler.', pieces }
      const other = await addRdv(storage, newRdv(owner, 12))
      const done = await changeRdv(storage, other, (rdv) => ({ ...rdv, ...completed(bilan), intervention_id: null }))
      expect(done).toMatchObject({ statut: 'realise', bilan, version: 2 })
    })

    it('shows current names, and the client’s current place', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const added = await addRdv(storage, newRdv(owner, 8))
      const lieu = { ligne1: null, code_postal: '97400', ville: 'Saint-Denis', lat: null, lon: null, acces: 'Portail' }
      await storage.transaction(async (tx) => {
        await tx.directory.updateClient('ours', owner.client_id, { nom: 'Évrard', lieu, telephone: '+33612345678' })
        await tx.directory.updatePoseur('ours', owner.poseur_id, { nom: 'Bruno Grand' })
      })
      expect(await storage.reads.of(planningStore).find('ours', added.id)).toMatchObject({
        client: { id: owner.client_id, nom: 'Évrard' },
        poseur: { id: owner.poseur_id, nom: 'Bruno Grand' },
        lieu: null,
        lieu_client: lieu,
        telephone_client: '+33612345678',
      })
    })

    it('is invisible to another account, and does not block its people', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      const added = await addRdv(storage, newRdv(ours, 8))
      expect(await storage.reads.of(planningStore).find('theirs', added.id)).toBeNull()
      expect(await storage.reads.of(planningStore).list('theirs', thatWeek, anyPage)).toEqual({ items: [], total: 0 })
      expect(await storage.reads.of(planningStore).overlapping('theirs', [ours.poseur_id], added)).toEqual([])
      expect(await storage.reads.of(planningStore).ofClient('theirs', ours.client_id)).toEqual([])
      expect(await storage.reads.of(planningStore).comingOfPoseur('theirs', ours.poseur_id, at(0), 9)).toEqual([])
      await ended(
        storage.transaction((tx) => tx.of(planningStore).update([{ ...added, account_id: 'theirs', notes: 'X' }])),
      )
      expect(await storage.reads.of(planningStore).find('ours', added.id)).toEqual(added)
      const foreign = { ...newRdv(ours, 12), poseur: { id: theirs.poseur_id, nom: 'X' } }
      await expect(storage.transaction((tx) => tx.of(planningStore).add(foreign))).rejects.toThrow()
    })

    it('of a case may have interventions, which are read and erased with the case', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const of = await addCase(storage, owner)
      const rdv = await addRdv(storage, newRdv(owner, 8))
      const pieces = [{ designation: 'Pied réglable', quantite: 4, reference: null }]
      const told = {
        rdv_id: rdv.id,
        poseur: rdv.poseur,
        ...{ type: 'sav', date_debut: rdv.debut, date_fin: rdv.fin, resultat: 'resolu', pieces, survenu_a: rdv.fin },
      }
      const [first, second] = await storage.transaction(async (tx) => [
        await tx.cases.addIntervention('ours', of.id, { ...told, compte_rendu: 'Mme Durand est contente.' }),
        await tx.cases.addIntervention('ours', of.id, { ...told, compte_rendu: null }),
      ])
      expect(await storage.reads.cases.interventions('ours', of.id)).toEqual([
        { ...told, id: first, compte_rendu: 'Mme Durand est contente.' },
        { ...told, id: second, compte_rendu: null },
      ])
      expect(await storage.reads.cases.interventions('theirs', of.id)).toEqual([])
      const visited = (account_id: string, afterId: number) =>
        storage.reads.cases.listVisited(account_id, { afterId, limit: 1 })
      expect([await visited('ours', 0), await visited('ours', of.id), await visited('theirs', 0)]).toEqual([
        [of.id],
        [],
        [],
      ])
      await storage.transaction((tx) => tx.cases.erase('ours', of.id, '(effacé)'))
      expect(await storage.reads.cases.interventions('ours', of.id)).toEqual([
        { ...told, id: first, compte_rendu: '(effacé)', pieces: [] },
        { ...told, id: second, compte_rendu: null, pieces: [] },
      ])
    })
  })
}

function listContract({ describe, it, expect }: Suite): void {
  describe('lists of appointments', () => {
    it('have pages ordered by debut and id within the requested time, and the total of all pages', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const helper = await addPerson(storage, owner, 'Ismaël Roy')
      const late = await addRdv(storage, newRdv(owner, 14))
      const early = await addRdv(storage, newRdv(owner, 8))
      const beside = await addRdv(storage, { ...newRdv(owner, 8), poseur: helper })
      await addRdv(storage, { ...newRdv(owner, 10), debut: at(8, 7), fin: at(9, 7) })
      const list = async (from: string, until: string, page = anyPage) => {
        const { items, total } = await storage.reads.of(planningStore).list('ours', { from, until }, page)
        return [ids(items), total]
      }
      const all = [early.id, beside.id, late.id]
      expect(await list(at(8), at(14.01))).toEqual([all, 3])
      expect(await list(at(8.001), at(14))).toEqual([[], 0])
      expect(await list(at(0), at(24), { page: 2, limite: 2 })).toEqual([[late.id], 3])
      expect(await list(at(0), at(24), { page: 3, limite: 2 })).toEqual([[], 3])
    })

    it('can be filtered by poseur, client, case, status and type, and by several at once', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const helper = await addPerson(storage, owner, 'Ismaël Roy')
      const [of, client_id] = await storage.transaction(async (tx) => [
        await insertCase(tx, owner),
        await tx.directory.addClient('ours', client({ nom: 'Moreau', prenom: 'Zoé' })),
      ])
      const sav = { id: of.id, reference: of.reference }
      const alone = await addRdv(storage, { ...newRdv(owner, 8), sav, type: 'sav' })
      const both = await addRdv(storage, { ...newRdv(owner, 12), equipiers: [helper] })
      const theirs = await addRdv(storage, {
        ...newRdv(owner, 15, standing('confirme')),
        poseur: helper,
        client: { id: client_id, nom: 'Moreau', prenom: 'Zoé' },
      })
      const gone = await changeRdv(storage, both, (rdv) => ({ ...rdv, ...cancelled('Reporté.') }))
      const filtered = async (filter: object) => {
        const { items, total } = await storage.reads.of(planningStore).list('ours', { ...thatWeek, ...filter }, anyPage)
        expect(total).toBe(items.length)
        return ids(items)
      }
      expect(await filtered({ poseur_id: helper.id })).toEqual([gone.id, theirs.id])
      expect(await filtered({ poseur_id: owner.poseur_id })).toEqual([alone.id, gone.id])
      expect(await filtered({ client_id })).toEqual([theirs.id])
      expect(await filtered({ sav_id: of.id })).toEqual([alone.id])
      expect(await filtered({ statut: 'annule' })).toEqual([gone.id])
      expect(await filtered({ type: 'pose' })).toEqual([gone.id, theirs.id])
      expect(await filtered({ poseur_id: helper.id, statut: 'confirme', client_id })).toEqual([theirs.id])
      expect(await filtered({ poseur_id: helper.id, sav_id: of.id })).toEqual([])
    })

    it('include future appointments of a person or a case, and all appointments of a client', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const helper = await addPerson(storage, owner, 'Ismaël Roy')
      const of = await addCase(storage, owner)
      const sav = { id: of.id, reference: of.reference }
      const made: Rdv[] = []
      for (const hours of [8, 10, 12, 14])
        made.push(await addRdv(storage, { ...newRdv(owner, hours), sav, equipiers: [helper] }))
      const [before, next, gone, last] = made.map(present)
      if (before === undefined || next === undefined || gone === undefined || last === undefined) return
      await changeRdv(storage, gone, (rdv) => ({ ...rdv, ...missed(null) }))
      const planning = storage.reads.of(planningStore)
      expect(ids(await planning.comingOfPoseur('ours', helper.id, next.debut, 9))).toEqual([next.id, last.id])
      expect(ids(await planning.comingOfPoseur('ours', owner.poseur_id, at(0), 2))).toEqual([before.id, next.id])
      expect(ids(await planning.comingOfCase('ours', of.id, next.debut))).toEqual([next.id, last.id])
      expect(ids(await planning.comingOfCase('ours', of.id, at(10.001)))).toEqual([last.id])
      expect(ids(await planning.ofClient('ours', owner.client_id))).toEqual(ids(made))
    })

    it('of cases or clients show the latest first, whatever its status', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      const of = await addCase(storage, ours)
      const first = await addRdv(storage, { ...newRdv(ours, 8), sav: { id: of.id, reference: of.reference } })
      const second = await addRdv(storage, newRdv(ours, 12))
      await changeRdv(storage, second, (rdv) => ({ ...rdv, ...missed(null) }))
      await addRdv(storage, newRdv(theirs, 14))
      const latest = async (sav_ids: number[], client_ids: number[], limit = 9) =>
        ids(await storage.reads.of(planningStore).latest('ours', { sav_ids, client_ids, limit }))
      expect(await latest([of.id], [])).toEqual([first.id])
      expect(await latest([of.id], [ours.client_id])).toEqual([second.id, first.id])
      expect(await latest([], [ours.client_id], 1)).toEqual([second.id])
      expect(await latest([], [theirs.client_id])).toEqual([])
      expect(await latest([], [])).toEqual([])
    })

    it('of expired proposals cover every account, the first expired first, up to a limit', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      const second = await addRdv(storage, { ...newRdv(ours, 8), ...held(at(1)) })
      const first = await addRdv(storage, { ...newRdv(theirs, 8), ...held(at(0.5)) })
      await addRdv(storage, { ...newRdv(ours, 12), ...held(at(2)) })
      const taken = await addRdv(storage, { ...newRdv(ours, 15), ...held(at(0.1)) })
      await changeRdv(storage, taken, (rdv) => ({ ...rdv, ...standing('planifie') }))
      const expired = async (limit: number) => ids(await storage.reads.of(planningStore).expiredHolds(at(1), limit))
      expect(await expired(9)).toEqual([first.id, second.id])
      expect(await expired(1)).toEqual([first.id])
    })

    it('of due letters cover every account, the first due first, up to a limit', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      const derniere_lettre = { event_id: 'evt_1', debut: at(8), fin: null, confirme: false }
      const second = await addRdv(storage, { ...newRdv(ours, 8), lettre_due: at(1) })
      const first = await addRdv(storage, { ...newRdv(theirs, 8), lettre_due: at(0.5), derniere_lettre })
      await addRdv(storage, { ...newRdv(ours, 12), lettre_due: at(1.01) })
      const told = await addRdv(storage, { ...newRdv(ours, 15), lettre_due: at(0.1) })
      await changeRdv(storage, told, (rdv) => ({ ...rdv, lettre_due: null, derniere_lettre }))
      const due = async (limit: number) => ids(await storage.reads.of(planningStore).dueLetters(at(1), limit))
      expect(await due(9)).toEqual([first.id, second.id])
      expect(await due(1)).toEqual([first.id])
      expect(await storage.reads.of(planningStore).find(told.account_id, told.id)).toMatchObject({ derniere_lettre })
    })
  })
}

function takenContract({ describe, it, expect }: Suite): void {
  describe('the time of a person', () => {
    it('is taken from the beginning of an appointment to its end, and no longer, for its poseur and its teammates', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const helper = await addPerson(storage, owner, 'Ismaël Roy')
      const added = await addRdv(storage, { ...newRdv(owner, 10), equipiers: [helper] })
      const taken = async (from: number, until: number, person = helper.id) =>
        ids(await storage.reads.of(planningStore).overlapping('ours', [person], { debut: at(from), fin: at(until) }))
      expect(await taken(8, 10)).toEqual([])
      expect(await taken(12, 13)).toEqual([])
      expect(await taken(8, 10.001)).toEqual([added.id])
      expect(await taken(11.999, 13)).toEqual([added.id])
      expect(await taken(10.5, 11, owner.poseur_id)).toEqual([added.id])
      expect(await taken(0, 24, 424242)).toEqual([])
      const both = [owner.poseur_id, helper.id]
      expect(ids(await storage.reads.of(planningStore).overlapping('ours', both, added))).toEqual([added.id])
    })

    it('is taken until the last moment of the longest possible appointment', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const long = await addRdv(storage, { ...newRdv(owner, 6), fin: at(18) })
      const taken = async (from: number) =>
        ids(
          await storage.reads
            .of(planningStore)
            .overlapping('ours', [owner.poseur_id], { debut: at(from), fin: at(20) }),
        )
      expect(await taken(17.999)).toEqual([long.id])
      expect(await taken(18)).toEqual([])
      const overlapping = newRdv(owner, 17.99)
      await expect(storage.transaction((tx) => tx.of(planningStore).add(overlapping))).rejects.toThrow()
      await addRdv(storage, newRdv(owner, 18))
    })

    for (const state of [held(at(30)), standing('planifie'), standing('confirme'), standing('en_cours')])
      it(`is taken by an appointment that is ${state.statut}, and the store refuses another one`, async (storage) => {
        const owner = await addOwner(storage, 'ours')
        const helper = await addPerson(storage, owner, 'Ismaël Roy')
        await addRdv(storage, { ...newRdv(owner, 10, state), equipiers: [helper] })
        const refused = [
          newRdv(owner, 11.9),
          newRdv(owner, 8.1),
          { ...newRdv(owner, 10.5), fin: at(11) },
          { ...newRdv(owner, 9), fin: at(13) },
          { ...newRdv(owner, 10), poseur: helper },
        ]
        // The additions run in parallel, since a store may retry each for a while before it gives up.
        const tried = await Promise.allSettled(
          refused.map((rdv) => storage.transaction((tx) => tx.of(planningStore).add(rdv))),
        )
        expect(tried.map(({ status }) => status)).toEqual(refused.map(() => 'rejected'))
        expect((await storage.reads.of(planningStore).list('ours', thatWeek, anyPage)).total).toBe(1)
        await addRdv(storage, newRdv(owner, 8))
        await addRdv(storage, { ...newRdv(owner, 12), poseur: helper })
      })

    for (const state of [cancelled('Reporté.'), missed(null), completed(nothingTold)])
      it(`is free once its appointment is ${state.statut}, which cannot return to a taken time`, async (storage) => {
        const owner = await addOwner(storage, 'ours')
        const added = await addRdv(storage, newRdv(owner, 10))
        await changeRdv(storage, added, (rdv) => ({ ...rdv, ...state }))
        expect(await storage.reads.of(planningStore).overlapping('ours', [owner.poseur_id], added)).toEqual([])
        await addRdv(storage, newRdv(owner, 10))
        const again = changeRdv(storage, added, (rdv) => ({ ...rdv, ...standing('planifie') }))
        await expect(again).rejects.toThrow()
        expect((await storage.reads.of(planningStore).find('ours', added.id))?.statut).toBe(state.statut)
      })

    it('cannot be taken by moving an appointment or adding a teammate while it is occupied', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const helper = await addPerson(storage, owner, 'Ismaël Roy')
      const first = await addRdv(storage, newRdv(owner, 10))
      const second = await addRdv(storage, { ...newRdv(owner, 11), poseur: helper })
      const joins = changeRdv(storage, first, (rdv) => ({ ...rdv, equipiers: [helper] }))
      await expect(joins).rejects.toThrow()
      const taken = changeRdv(storage, second, (rdv) => ({ ...rdv, poseur: first.poseur }))
      await expect(taken).rejects.toThrow()
      expect(await storage.reads.of(planningStore).find('ours', first.id)).toEqual(first)
      expect(await storage.reads.of(planningStore).find('ours', second.id)).toEqual(second)
      const later = await changeRdv(storage, second, (rdv) => ({ ...rdv, debut: at(12), fin: at(13) }))
      const joined = await changeRdv(storage, first, (rdv) => ({ ...rdv, equipiers: [helper] }))
      expect(joined).toMatchObject({ equipiers: [helper], version: 2 })
      expect(
        ids(await storage.reads.of(planningStore).overlapping('ours', [helper.id], { debut: at(9), fin: at(18) })),
      ).toEqual([first.id, later.id])
    })

    it('can be exchanged by two appointments in one update', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const first = await addRdv(storage, newRdv(owner, 8))
      const second = await addRdv(storage, newRdv(owner, 10))
      const [to, back] = [
        { ...first, debut: second.debut, fin: second.fin },
        { ...second, debut: first.debut, fin: first.fin },
      ]
      await storage.transaction((tx) => tx.of(planningStore).update([to, back]))
      expect(await storage.reads.of(planningStore).find('ours', first.id)).toEqual(to)
      expect(await storage.reads.of(planningStore).find('ours', second.id)).toEqual(back)
    })

    it('is given to only one of fifty concurrent bookings, whether or not they look first', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const wanted = newRdv(owner, 10)
      const looking = async () =>
        storage.transaction(async (tx) => {
          const taken = await tx.of(planningStore).overlapping('ours', [owner.poseur_id], wanted)
          return taken.length > 0 ? null : tx.of(planningStore).add(wanted)
        })
      const won = (await Promise.all(Array.from({ length: 50 }, looking))).filter((id) => id !== null)
      expect(won).toHaveLength(1)
      const blind = Array.from({ length: 50 }, () =>
        storage.transaction((tx) => tx.of(planningStore).add(newRdv(owner, 14))),
      )
      const ends = await Promise.allSettled(blind)
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect((await storage.reads.of(planningStore).list('ours', thatWeek, anyPage)).total).toBe(2)
    })
  })
}

const nothingTold = { resultat: null, compte_rendu: null, pieces: [] }

function agendaContract({ describe, it, expect }: Suite): void {
  describe('the agenda of a poseur', () => {
    it('is null until it is recorded, and is replaced as a whole', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      const planning = storage.reads.of(planningStore)
      expect(await planning.agenda('ours', ours.poseur_id)).toBeNull()
      const semaine = { lundi: [{ debut: '07:30', fin: '12:00' }], samedi: [] }
      const agenda = {
        horaires: {
          periodes: [{ du: '2026-03-29', au: null, semaine }],
          exceptions: [{ date: '2026-05-15', plages: [] }],
        },
        absences: [{ debut: at(8), fin: at(8, 3), motif: 'Congé d’été' }],
        absences_depuis: at(7),
        competences: ['facade' as const, 'reglage' as const],
      }
      await storage.transaction((tx) => tx.of(planningStore).putAgenda('ours', ours.poseur_id, agenda))
      expect(await planning.agenda('ours', ours.poseur_id)).toEqual(agenda)
      const less = { horaires: null, absences: [], absences_depuis: null, competences: [] }
      await storage.transaction((tx) => tx.of(planningStore).putAgenda('ours', ours.poseur_id, less))
      expect(await planning.agenda('ours', ours.poseur_id)).toEqual(less)
      expect(await planning.agenda('theirs', ours.poseur_id)).toBeNull()
      expect(await planning.agenda('theirs', theirs.poseur_id)).toBeNull()
      expect(await planning.agendas('ours')).toEqual([{ poseur_id: ours.poseur_id, ...less }])
      expect(await planning.agendas('theirs')).toEqual([])
    })
  })
}
