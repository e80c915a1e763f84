import { describe, expect, it } from 'vitest'
import { ConflictError, ValidationError } from '../../../core/src/errors.js'
import { as } from '../../../core/test/open-sav.js'
import { openPlanning, refusal } from '../../test/planning.js'
import { planningStore } from '../appointments/planning-store.js'
import { standing } from '../appointments/rdv.js'
import { newRdv } from '../contract/rdv-samples.js'
import { note } from '../travel/notes.js'

const date = '2026-03-16'
const fields = (error: unknown) => (error instanceof ValidationError ? error.details.map(({ field }) => field) : error)

/** East of Lyon, each some 10 km from the previous one. */
const communes = [
  { code_postal: '69100', lat: 45.77, lon: 4.88 },
  { code_postal: '69150', lat: 45.77, lon: 4.96 },
  { code_postal: '69330', lat: 45.77, lon: 5.04 },
  { code_postal: '38280', lat: 45.77, lon: 5.12 },
]

const hours = [8, 10, 13, 15]

/** One poseur’s visits from Lyon in an inefficient order: far, near, far, near. */
async function zigzag({ order = [3, 0, 2, 1], at = hours } = {}) {
  const opened = await openPlanning()
  const { sav, actor, poseur, booking } = opened
  await sav.directory.poseurs.update(actor, poseur.id, { lieu: { code_postal: '69003', lat: 45.76, lon: 4.85 } })
  const ids: number[] = []
  for (const [index, place] of order.entries()) {
    const client = await sav.directory.clients.add(actor, {
      nom: `Client ${place}`,
      prenom: 'Zoé',
      lieu: communes[place],
    })
    const debut = `2026-03-16T${String(at[index]).padStart(2, '0')}:00:00+01:00`
    const visit = { ...booking, client_id: client.id, debut, duree_minutes: 60 }
    ids.push((await sav.planning.book(actor, visit)).id)
  }
  return { ...opened, ids, asked: { date, poseur_ids: [poseur.id] } }
}

describe('the rounds of a day', () => {
  it('move visits onto the account’s time grid, and keep promised windows', async () => {
    const { sav, actor, asked, ids } = await zigzag()
    const [, near] = ids
    const fenetre_client = { debut: '2026-03-16T10:20:00+01:00', fin: '2026-03-16T10:50:00+01:00' }
    await sav.planning.change(actor, near ?? 0, { debut: '2026-03-16T10:25:00+01:00', fenetre_client })
    const { tournees, deplacements } = await sav.planning.optimise(actor, { ...asked, mode: 'apercu' })
    for (const { rdv_id, debut } of tournees[0]?.visites ?? []) {
      if (rdv_id === near)
        expect([debut >= '2026-03-16T09:20', debut <= '2026-03-16T09:50:00.000Z']).toEqual([true, true])
      else if (deplacements.some((moved) => moved.rdv_id === rdv_id))
        expect(['00', '15', '30', '45']).toContain(debut.slice(14, 16))
    }
    expect(deplacements.length).toBeGreaterThan(0)
  })

  it('are previewed in a better order, which changes nothing until exactly that order is applied', async () => {
    const { sav, actor, asked, ids, kinds, poseur } = await zigzag()
    const current = await sav.planning.rounds('default', { date })
    expect(current.tournees.map(({ poseur_id }) => poseur_id)).toContain(poseur.id)
    expect(current.tournees[0]?.visites.map(({ rdv_id }) => rdv_id)).toEqual(ids)
    const preview = await sav.planning.optimise(actor, { ...asked, mode: 'apercu' })
    expect([preview.minutes_avant, preview.kilometres_avant]).toEqual([current.minutes, current.kilometres])
    expect(preview.minutes_apres).toBeLessThan(preview.minutes_avant * 0.75)
    expect(preview.kilometres_apres).toBeLessThan(preview.kilometres_avant)
    const order = preview.tournees[0]?.visites.map(({ rdv_id }) => ids.indexOf(rdv_id)) ?? []
    expect([...order].toSorted()).toEqual([0, 1, 2, 3])
    expect(preview.deplacements.length).toBeGreaterThan(0)
    for (const id of ids) expect((await sav.planning.get('default', id)).version).toBe(1)

    await kinds()
    const { version, ...shown } = preview
    const applied = await sav.planning.optimise(actor, { ...asked, mode: 'appliquer', version })
    expect(applied).toEqual({ ...shown, version: expect.stringMatching(/^u1\./) })
    for (const [index, visit] of (shown.tournees[0]?.visites ?? []).entries()) {
      const { rdv_id, point: _, ...times } = visit
      expect(await sav.planning.get('default', rdv_id)).toMatchObject({
        ...times,
        poseur: { id: poseur.id },
        tournee: { date, ordre: index + 1 },
        version: 2,
      })
    }
    expect(new Set(await kinds())).toEqual(new Set(['rdv.rescheduled']))
    const { minutes } = await sav.planning.rounds('default', { date })
    expect(minutes).toBe(shown.minutes_apres)
  })

  it.each([
    ['none of a feasible day', {}, 0],
    ['unless one visit is after working hours', { at: [8, 10, 13, 18] }, 1],
    ['unless one cannot be reached in time', { at: [8, 9, 13, 15] }, 1],
  ])('do not move visits only to end earlier: %s', async (_, given, moved) => {
    const { sav, actor, asked } = await zigzag({ order: [0, 1, 2, 3], ...given })
    const preview = await sav.planning.optimise(actor, { ...asked, mode: 'apercu' })
    expect(Math.min(preview.deplacements.length, 1)).toBe(moved)
    expect(preview.minutes_apres).toBe(preview.minutes_avant)
  })

  it.each<[string, (opened: Awaited<ReturnType<typeof zigzag>>) => Promise<unknown>]>([
    ['an appointment', ({ sav, actor, ids }) => sav.planning.change(actor, ids[0] ?? 0, { notes: 'Code 14B' })],
    [
      'the number of appointments',
      ({ sav, actor, booking }) => sav.planning.book(actor, { ...booking, debut: '2026-03-16T17:00:00+01:00' }),
    ],
    [
      'the absences',
      ({ sav, actor, poseur }) =>
        sav.planning.putAbsences(actor, poseur.id, [{ debut: '2026-03-16T12:00:00Z', fin: '2026-03-16T13:00:00Z' }]),
    ],
    [
      'the start of the day',
      ({ sav, actor, poseur }) => sav.directory.poseurs.update(actor, poseur.id, { lieu: null }),
    ],
  ])('can no longer be applied after a change of %s', async (_, change) => {
    const opened = await zigzag()
    const { sav, actor, asked, ids } = opened
    const { version } = await sav.planning.optimise(actor, { ...asked, mode: 'apercu' })
    await change(opened)
    const error = await refusal(sav.planning.optimise(actor, { ...asked, mode: 'appliquer', version }))
    expect(error).toBeInstanceOf(ConflictError)
    expect((await sav.planning.get('default', ids[1] ?? 0)).version).toBe(1)
  })

  it('can no longer be applied once a moved visit has begun, or would begin in the past', async () => {
    const { sav, actor, asked, clock } = await zigzag()
    const { version, deplacements } = await sav.planning.optimise(actor, { ...asked, mode: 'apercu' })
    const first = deplacements.flatMap(({ debut, ancien_debut }) => [debut, ancien_debut]).toSorted()[0] ?? ''
    await clock.advance(Date.parse(first) - clock.now())
    const late = await refusal(sav.planning.optimise(actor, { ...asked, mode: 'appliquer', version }))
    expect(late).toMatchObject({ kind: 'conflict', code: 'day_changed_since_preview' })
  })

  it('do not move confirmed visits, team visits, or those that have begun', async () => {
    const { sav, actor, asked, ids, helper, clock } = await zigzag()
    const [first = 0, second = 0, third = 0] = ids
    await sav.planning.change(actor, second, { statut: 'confirme' })
    await sav.planning.change(actor, third, { equipiers: [helper.id] })
    await clock.advance(Date.UTC(2026, 2, 16, 7, 30) - clock.now())
    const { deplacements, tournees } = await sav.planning.optimise(actor, { ...asked, mode: 'apercu' })
    const moved = deplacements.map(({ rdv_id }) => rdv_id)
    for (const id of [first, second, third]) expect(moved).not.toContain(id)
    expect(tournees[0]?.visites).toHaveLength(4)
  })

  it('share visits among all active poseurs by default', async () => {
    const { sav, actor, ids, helper, poseur } = await zigzag()
    await sav.directory.poseurs.update(actor, helper.id, { lieu: { lat: 45.77, lon: 5.12 } })
    const preview = await sav.planning.optimise(actor, { date, mode: 'apercu' })
    const byPoseur = new Map(preview.tournees.map(({ poseur_id, visites }) => [poseur_id, visites.length]))
    expect((byPoseur.get(poseur.id) ?? 0) + (byPoseur.get(helper.id) ?? 0)).toBe(ids.length)
    expect(byPoseur.get(helper.id)).toBeGreaterThan(0)
  })

  it('leave a visit where it is if it fits nowhere, with a note', async () => {
    const { sav, actor, booking, asked, ids } = await zigzag()
    const evening = await sav.planning.book(actor, {
      ...booking,
      debut: '2026-03-16T19:00:00+01:00',
      duree_minutes: 300,
    })
    const preview = await sav.planning.optimise(actor, { ...asked, mode: 'apercu' })
    expect(preview.avertissements).toEqual([note('rdv_stays_out_of_hours', { rdv_id: evening.id })])
    expect(preview.tournees[0]?.visites).toHaveLength(ids.length + 1)
    expect(preview.deplacements.map(({ rdv_id }) => rdv_id)).not.toContain(evening.id)
  })

  it('of 50 people with 14 visits each can be applied and undone', async () => {
    const { sav, storage, actor, account_id, client } = await openPlanning()
    const people = Array.from({ length: 50 }, (_, index) => `Poseur ${index}`)
    for (const nom of people) {
      const { id: poseur_id } = await sav.directory.poseurs.add(actor, { nom })
      const owner = { account_id, client_id: client.id, poseur_id }
      await storage.transaction(async (tx) => {
        for (let visit = 0; visit < 14; visit += 1) {
          const [debut, fin] = [7, 7.5].map((hour) => new Date(Date.UTC(2026, 2, 17) + (hour + visit / 2) * 3_600_000))
          const time = { debut: debut?.toISOString() ?? '', fin: fin?.toISOString() ?? '' }
          await tx.of(planningStore).add({ ...newRdv(owner, 0, standing('confirme')), ...time })
        }
      })
    }
    const asked = { date: '2026-03-17', prevenir: false }
    const { version } = await sav.planning.optimise(actor, { ...asked, mode: 'apercu' })
    const applied = await sav.planning.optimise(actor, { ...asked, mode: 'appliquer', version })
    expect((await sav.planning.undo(actor, { version: applied.version, prevenir: false })).rdv).toHaveLength(700)
  })

  it('are refused with the preview of another account, day or poseurs', async () => {
    const { sav, actor, asked, helper, addAccount } = await zigzag()
    await addAccount('other')
    const { version } = await sav.planning.optimise(actor, { ...asked, mode: 'apercu' })
    const apply = (by: typeof actor, more: object) =>
      refusal(sav.planning.optimise(by, { ...asked, mode: 'appliquer', version, ...more })).then(fields)
    expect(await apply(as('other'), {})).toEqual(['version'])
    expect(await apply(actor, { date: '2026-03-17' })).toEqual(['date'])
    expect(await apply(actor, { poseur_ids: [helper.id] })).toEqual(['poseur_ids'])
    expect(await apply(actor, { version: `${version.slice(0, -2)}AA` })).toEqual(['version'])
    expect(await apply(actor, { version: undefined })).toEqual(['version'])
    expect(await apply(actor, { mode: 'apercu', poseur_ids: [999] })).toEqual(['poseur_ids[0]'])
  })
})
