import { describe, expect, it } from 'vitest'
import { ConflictError } from '../../../core/src/errors.js'
import { openPlanning, refusal } from '../../test/planning.js'

const resolution = 'Coulisse remplacée, tiroir réglé.'

async function withVisit(more: object = {}) {
  const opened = await openPlanning()
  const { sav, actor, booking, addCase, kinds } = opened
  const sav_id = await addCase()
  const rdv = await sav.planning.book(actor, { ...booking, sav_id, ...more })
  await sav.webhooks.endpoints.add(actor, { url: 'https://erp.example/', events: ['sav.closed', 'sav.updated'] })
  await kinds()
  const close = (input: object = {}) => sav.cases.close(actor, sav_id, { resolution, rdv_id: rdv.id, ...input })
  return { ...opened, sav_id, rdv, close }
}

describe('closing a case with its appointment', () => {
  it('completes the appointment, with the resolution as its report and an intervention in the snapshot', async () => {
    const { sav, sav_id, rdv, close, kinds } = await withVisit()
    const pieces = [{ designation: 'Coulisse', quantite: 2, reference: null }]
    await close({ pieces })
    const told = { resultat: 'resolu', compte_rendu: resolution, pieces }
    expect(await sav.planning.get('default', rdv.id)).toMatchObject({ statut: 'realise', ...told })
    const { interventions, historique, statut } = await sav.cases.get('default', sav_id)
    expect([statut, interventions]).toMatchObject(['clos', [{ rdv_id: rdv.id, ...told }]])
    expect(historique.slice(-2).map(({ type }) => type)).toEqual(['intervention', 'cloture'])
    const { snapshot } = await sav.cases.proof('default', sav_id)
    expect(JSON.parse(snapshot ?? '').interventions).toMatchObject([{ id: interventions[0]?.id }])
    expect((await kinds()).toSorted()).toEqual(['rdv.completed', 'sav.closed'])
    expect((await sav.evidence.verify('default')).broken).toEqual([])
  })

  it('records a given result instead of resolu; a close without an appointment adds no intervention', async () => {
    const { sav, rdv, close, sav_id, actor } = await withVisit()
    await close({ resultat: 'partiel' })
    expect(await sav.planning.get('default', rdv.id)).toMatchObject({ resultat: 'partiel' })
    await sav.cases.reopen(actor, sav_id, { motif: 'Le tiroir frotte encore.' })
    await sav.cases.close(actor, sav_id, { resolution })
    expect((await sav.cases.get('default', sav_id)).interventions).toHaveLength(1)
  })

  it('is refused if the appointment is not one of this case, or if resultat or pieces are given without rdv_id', async () => {
    const { sav, actor, booking, addCase, close, sav_id } = await withVisit()
    const later = { ...booking, debut: '2026-03-17T09:00:00+01:00' }
    const other = await sav.planning.book(actor, { ...later, sav_id: await addCase() })
    const none = await sav.planning.book(actor, { ...booking, debut: '2026-03-18T09:00:00+01:00' })
    for (const rdv_id of [other.id, none.id, 999])
      expect(await refusal(close({ rdv_id }))).toMatchObject({ details: [{ field: 'rdv_id' }] })
    expect(await refusal(close({ rdv_id: undefined, resultat: 'resolu', pieces: [] }))).toMatchObject({
      details: [
        { field: 'resultat', code: 'only_with_rdv' },
        { field: 'pieces', code: 'only_with_rdv' },
      ],
    })
    expect((await sav.cases.get('default', sav_id)).statut).not.toBe('clos')
  })

  it('is refused if the appointment cannot become realise, and closes nothing', async () => {
    const { sav, actor, rdv, close, sav_id } = await withVisit()
    await sav.planning.change(actor, rdv.id, { statut: 'absent' })
    expect(await refusal(close())).toBeInstanceOf(ConflictError)
    expect((await sav.cases.get('default', sav_id)).statut).not.toBe('clos')
  })
})
