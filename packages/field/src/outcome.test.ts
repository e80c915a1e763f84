import { describe, expect, it } from 'vitest'
import { cancelled, completed, missed, type Rdv, standing } from '../../planning/src/appointments/rdv.js'
import { type ArrivalState, type FieldReport, isRefused, outcomeOf } from './outcome.js'

const bruno = { id: 3, nom: 'Bruno Petit' }
const karim = { id: 4, nom: 'Karim Benali' }
const debut = '2026-03-16T08:00:00.000Z'
const description = 'La porte du four racle.'

const rdv: Rdv = {
  ...standing('planifie'),
  account_id: 'default',
  id: 5,
  type: 'sav',
  sav: { id: 42, reference: 'SAV-2026-00042' },
  client: { id: 7, nom: 'Durand', prenom: 'Alice' },
  poseur: bruno,
  equipiers: [],
  debut,
  fin: '2026-03-16T10:00:00.000Z',
  fuseau: 'Europe/Paris',
  fenetre_client: null,
  lieu: null,
  lieu_client: null,
  telephone_client: null,
  trajet_avant_minutes: null,
  tournee: null,
  intervention_id: null,
  retard_minutes: null,
  notes: null,
  lettre_due: null,
  deplacements: [],
  derniere_lettre: null,
  date_creation: debut,
  date_modification: debut,
  version: 1,
}
const found = (fields: Partial<ArrivalState> = {}): ArrivalState => ({
  rdv,
  dossier: { statut: 'en_cours', description },
  reach: { poseur_id: bruno.id },
  isErased: false,
  ...fields,
})
const told = (nature: FieldReport['nature'], fields: Partial<FieldReport> = {}): FieldReport => ({
  nature,
  version: 1,
  hasContent: true,
  closes: false,
  vu: null,
  prochain: null,
  ...fields,
})
const close = (fields: Partial<FieldReport> = {}) =>
  told('intervention', { closes: true, vu: `Lu : ${description}`, ...fields })
const move = (fields: object) => ({ version: 2, date: debut, personnes: [bruno.id], debut, ...fields })

describe('a report on arrival', () => {
  it('about an erased client is refused, unless it only ends the visit', () => {
    const erased = found({
      isErased: true,
      rdv: { ...rdv, ...cancelled('x') },
      dossier: { statut: 'clos', description },
    })
    const refused = [told('debut'), told('absent'), told('retard'), told('intervention'), close()]
    expect(refused.map((each) => isRefused(each, erased))).toEqual([true, true, true, true, true])
    const bare = told('intervention', { hasContent: false })
    expect(isRefused(bare, erased)).toBe(false)
    expect(outcomeOf(bare, erased).codes).toEqual([])
    expect(isRefused(close(), found())).toBe(false)
  })

  it('on a visit that the office did not change has no finding', () => {
    const become = (['debut', 'intervention', 'absent', 'retard'] as const).map((nature) =>
      outcomeOf(told(nature), found()),
    )
    expect(become.map(({ statut }) => statut)).toEqual(['en_cours', 'realise', 'absent', 'planifie'])
    expect(become.flatMap(({ codes }) => codes)).toEqual([])
  })

  it('on a moved visit takes effect, unless it is a delay, which was about the earlier time', () => {
    const moved = found({ rdv: { ...rdv, version: 2, deplacements: [move({ debut: '2026-03-17T08:00:00.000Z' })] } })
    expect(outcomeOf(told('intervention'), moved)).toMatchObject({ statut: 'realise', codes: ['rdv_deplace'] })
    expect(outcomeOf(told('debut'), moved)).toMatchObject({ statut: 'en_cours', codes: ['rdv_deplace'] })
    expect(outcomeOf(told('retard'), moved)).toMatchObject({ statut: null, codes: ['rdv_deplace'] })
    expect(outcomeOf(told('intervention', { version: 2 }), moved).codes).toEqual([])
    expect(outcomeOf(told('intervention', { version: undefined }), moved).codes).toEqual([])
    const { debut: _, ...before } = move({})
    expect(outcomeOf(told('debut'), found({ rdv: { ...rdv, deplacements: [before] } })).codes).toEqual(['rdv_deplace'])
  })

  it('on a visit that was moved and moved back has no finding', () => {
    const deplacements = [move({}), move({ version: 3, debut: '2026-03-17T08:00:00.000Z' })]
    const back = found({ rdv: { ...rdv, version: 3, deplacements } })
    expect(outcomeOf(told('retard'), back)).toMatchObject({ statut: 'planifie', codes: [] })
    expect(outcomeOf(told('retard', { version: 2 }), back)).toMatchObject({ statut: null, codes: ['rdv_deplace'] })
  })

  it('on a reassigned visit takes effect', () => {
    const given = found({ rdv: { ...rdv, version: 2, poseur: karim, deplacements: [move({})] } })
    expect(outcomeOf(told('intervention'), given)).toMatchObject({ statut: 'realise', codes: ['rdv_donne'] })
    expect(outcomeOf(told('debut', { version: undefined }), given).codes).toEqual(['rdv_donne'])
    const along = found({ rdv: { ...rdv, version: 2, poseur: karim, equipiers: [bruno], deplacements: [move({})] } })
    expect(outcomeOf(told('intervention'), along).codes).toEqual([])
  })

  it('on a cancelled visit is recorded, and the visit stays cancelled', () => {
    const gone = found({ rdv: { ...rdv, ...cancelled('La cliente rappelle.') } })
    for (const nature of ['debut', 'intervention', 'absent', 'retard'] as const)
      expect(outcomeOf(told(nature), gone)).toMatchObject({ statut: null, codes: ['rdv_annule'] })
  })

  it.each([
    ['done', completed({ resultat: 'resolu', compte_rendu: null, pieces: [] })],
    ['absent', missed(null)],
  ])('on a visit that is already %s is recorded, and does not change the visit', (_, state) => {
    const ended = found({ rdv: { ...rdv, ...state } })
    for (const nature of ['debut', 'intervention', 'absent', 'retard'] as const)
      expect(outcomeOf(told(nature), ended)).toMatchObject({ statut: null, codes: ['rdv_termine'] })
  })

  it('with a close on a closed case becomes an addendum', () => {
    const closed = found({ dossier: { statut: 'clos', description } })
    expect(outcomeOf(close(), closed)).toMatchObject({ statut: 'realise', close: 'addendum', codes: ['dossier_clos'] })
    expect(outcomeOf(close(), found())).toMatchObject({ close: 'closes', codes: [] })
    expect(outcomeOf(told('intervention'), closed)).toMatchObject({ close: null, codes: [] })
    expect(outcomeOf(close(), found({ dossier: null })).close).toBeNull()
  })

  it('has a finding if the signed text is no longer that of the case', () => {
    const other = found({ dossier: { statut: 'ouvert', description: 'La porte du four et le tiroir.' } })
    expect(outcomeOf(close(), other)).toMatchObject({ close: 'closes', codes: ['description_changee'] })
    expect(outcomeOf(close({ vu: null }), other).codes).toEqual([])
  })

  it('books the next visit if the case stays open, or passes a request for one to the office', () => {
    const wanted = told('intervention', { prochain: 'creneau' })
    expect(outcomeOf(wanted, found())).toMatchObject({ books: true, codes: [] })
    const closed = found({ dossier: { statut: 'clos', description } })
    expect(outcomeOf(wanted, closed)).toMatchObject({ books: false, codes: ['creneau_pris'] })
    expect(outcomeOf(close({ prochain: 'creneau' }), found())).toMatchObject({ books: false, codes: ['creneau_pris'] })
    expect(outcomeOf(told('intervention', { prochain: 'souhait' }), found())).toMatchObject({ codes: ['souhait'] })
  })
})
