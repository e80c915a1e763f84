import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ConflictError, SlotTakenError, ValidationError } from '../../core/src/errors.js'
import { type RdvStatut, rdvStatuts } from '../../core/src/values/vocabulary.js'
import { openPlanning } from '../test/planning.js'
import { planningStore } from './appointments/planning-store.js'
import { isExpired, occupies, overlaps, personsOf, type Rdv, transitions } from './appointments/rdv.js'

const numRuns = process.env['SAV_TEST_CHAOS'] === '1' ? 3_000 : 80
const quarter = 15 * 60_000

/** Time zones, and instants around clock changes, years and leap days. */
const edges = [
  ['Europe/Paris', Date.UTC(2027, 2, 27, 22)],
  ['Europe/Paris', Date.UTC(2027, 9, 30, 22)],
  ['America/Guadeloupe', Date.UTC(2026, 11, 31, 20)],
  ['Indian/Reunion', Date.UTC(2028, 1, 29, 12)],
  ['Pacific/Noumea', Date.UTC(2027, 9, 31, 6)],
] as const

const person = fc.integer({ min: 0, max: 2 })
const time = { at: fc.integer({ min: 0, max: 20 }), quarters: fc.integer({ min: 1, max: 8 }) }
const team = fc.uniqueArray(person, { maxLength: 2 })
const which = fc.nat(7)

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('book' as const),
      ...time,
      person,
      team,
      statut: fc.constantFrom('propose', 'planifie', 'confirme'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('move' as const), which, ...time }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('people' as const), which, person, team }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('state' as const), which, statut: fc.constantFrom(...rdvStatuts) }),
  },
  fc.record({ do: fc.constant('away' as const), person, ...time }),
  fc.record({ do: fc.constant('hours' as const), person, fin: fc.constantFrom('02:30', '03:00', '17:00', '24:00') }),
  fc.record({ do: fc.constant('wait' as const), quarters: fc.integer({ min: 1, max: 3 }) }),
)

/** Null for a refusal; rethrows any other error. */
async function tried<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    const isRefusal = [ConflictError, SlotTakenError, ValidationError].some((kind) => error instanceof kind)
    if (!isRefusal) throw error
    return null
  }
}

describe('any order of bookings, moves and cancellations', () => {
  it(`never puts a person at two places or breaks the table of transitions (${numRuns} histories)`, {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...edges),
        fc.array(step, { minLength: 4, maxLength: 24 }),
        async (edge, steps) => {
          const [fuseau, from] = edge
          const { sav, storage, actor, booking, poseur, helper, clock } = await openPlanning()
          const third = await sav.directory.poseurs.add(actor, { nom: 'Ida Roux' })
          const people = [poseur.id, helper.id, third.id]
          const idOf = (index: number) => people[index] ?? poseur.id
          await sav.accounts.update(actor, { fuseau })
          await clock.advance(from - clock.now())
          const timeOf = ({ at, quarters }: { at: number; quarters: number }) => {
            const debut = new Date(from + at * quarter).toISOString()
            return { debut, duree_minutes: quarters * 15 }
          }
          const states = new Map<number, RdvStatut>()
          const missed = new Map<number, RdvStatut>()

          const looked = async () => {
            const all = await storage.reads.of(planningStore).ofClient('default', booking.client_id)
            const now = new Date(clock.now()).toISOString()
            for (const rdv of all) {
              const before = states.get(rdv.id)
              // A missed visit may return to its previous state.
              const became = [...(before === undefined ? [] : transitions[before]), missed.get(rdv.id)]
              if (before !== undefined && before !== rdv.statut) expect(became).toContain(rdv.statut)
              if (before !== undefined && rdv.statut === 'absent' && before !== 'absent') missed.set(rdv.id, before)
              else if (rdv.statut !== 'absent') missed.delete(rdv.id)
              states.set(rdv.id, rdv.statut)
            }
            return all.filter((rdv) => occupies(rdv) && !isExpired(rdv, now))
          }
          const apart = (rdvs: readonly Rdv[]) => {
            for (const [index, a] of rdvs.entries())
              for (const b of rdvs.slice(index + 1))
                if (overlaps(a, b)) expect(personsOf(a).filter((id) => personsOf(b).includes(id))).toEqual([])
          }

          for (const taken of steps) {
            const chosen = [...states.keys()][('which' in taken ? taken.which : 0) % Math.max(1, states.size)]
            const changed = (input: Parameters<typeof sav.planning.change>[2]) =>
              chosen === undefined ? null : tried(sav.planning.change(actor, chosen, input))
            if (taken.do === 'book') {
              const equipiers = taken.team.filter((index) => index !== taken.person).map(idOf)
              const wanted = { ...booking, ...timeOf(taken), poseur_id: idOf(taken.person), equipiers }
              const before = await looked()
              const booked = await tried(sav.planning.book(actor, { ...wanted, statut: taken.statut }))
              // A booking must succeed if its time is free, and fail otherwise.
              const interval = {
                debut: wanted.debut,
                fin: new Date(Date.parse(wanted.debut) + wanted.duree_minutes * 60_000).toISOString(),
              }
              const who = [wanted.poseur_id, ...equipiers]
              const isFree = !before.some(
                (rdv) => overlaps(rdv, interval) && personsOf(rdv).some((id) => who.includes(id)),
              )
              expect(booked !== null).toBe(isFree)
            }
            if (taken.do === 'move') await changed(timeOf(taken))
            if (taken.do === 'people') await changed({ poseur_id: idOf(taken.person), equipiers: taken.team.map(idOf) })
            if (taken.do === 'state')
              await changed({ statut: taken.statut, ...(taken.statut === 'annule' && { motif_annulation: 'Reporté' }) })
            if (taken.do === 'away') {
              const { debut, duree_minutes } = timeOf(taken)
              const fin = new Date(Date.parse(debut) + duree_minutes * 60_000).toISOString()
              await sav.planning.putAbsences(actor, idOf(taken.person), [{ debut, fin }])
            }
            if (taken.do === 'hours') {
              const semaine = { dimanche: [{ debut: '02:00', fin: taken.fin }] }
              await sav.planning.putHoraires(actor, idOf(taken.person), { periodes: [{ semaine }] })
            }
            if (taken.do === 'wait') await clock.advance(taken.quarters * quarter)
            apart(await looked())
          }
          // Each store takes more than a megabyte, and the test opens thousands.
          await storage.close()
        },
      ),
      { numRuns },
    )
  })
})
