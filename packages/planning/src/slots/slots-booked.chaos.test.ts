import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SlotTakenError } from '../../../core/src/errors.js'
import { openPlanning } from '../../test/planning.js'

const numRuns = process.env['SAV_TEST_CHAOS'] === '1' ? 2000 : 25

/** Local days, some around clock changes, with an instant on the evening before. */
const edges = [
  { fuseau: 'Europe/Paris', du: '2027-03-27', au: '2027-03-29', from: Date.UTC(2027, 2, 26, 20) },
  { fuseau: 'Europe/Paris', du: '2027-10-30', au: '2027-11-02', from: Date.UTC(2027, 9, 29, 20) },
  { fuseau: 'Europe/Paris', du: '2027-03-28', au: '2027-03-28', from: Date.UTC(2027, 2, 28, 0, 40) },
  { fuseau: 'America/Guadeloupe', du: '2027-03-27', au: '2027-03-29', from: Date.UTC(2027, 2, 26, 20) },
  { fuseau: 'Indian/Reunion', du: '2027-10-30', au: '2027-11-01', from: Date.UTC(2027, 9, 29, 20) },
  { fuseau: 'Pacific/Noumea', du: '2027-12-31', au: '2028-01-02', from: Date.UTC(2027, 11, 30, 20) },
] as const

const days = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'] as const
const clockTime = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Up to three stretches of a day, as `HH:MM`, also at odd minutes and during clock changes. */
const plages = fc
  .uniqueArray(fc.oneof(fc.integer({ min: 0, max: 1440 }), fc.constantFrom(120, 150, 180, 1440)), { maxLength: 6 })
  .map((minutes) => {
    const sorted = minutes.toSorted((a, b) => a - b)
    return Array.from({ length: sorted.length >> 1 }, (_, index) => ({
      debut: clockTime(sorted[2 * index] ?? 0),
      fin: clockTime(sorted[2 * index + 1] ?? 0),
    }))
  })
const semaine = fc.record(Object.fromEntries(days.map((day) => [day, plages])))

const hour = 3_600_000
const stretch = { atMinutes: fc.integer({ min: 0, max: 4 * 1440 }), minutes: fc.integer({ min: 5, max: 600 }) }
const towns = ['69003', '69100', '42000', '38000', null] as const

const shop = fc.record({
  semaines: fc.tuple(semaine, fc.option(semaine)),
  absences: fc.array(fc.record(stretch), { maxLength: 2 }),
  visits: fc.array(
    fc.record({ ...stretch, helper: fc.boolean(), both: fc.boolean(), town: fc.constantFrom(...towns) }),
    { maxLength: 8 },
  ),
  home: fc.constantFrom(...towns),
})
const question = fc.record({
  duree: fc.constantFrom(1, 30, 45, 60, 90, 240),
  pas: fc.constantFrom(5, 15, 20, 60, 120),
  tampon: fc.constantFrom(0, 10, 45),
  fenetre: fc.constantFrom(undefined, '01:30-03:30', '08:00-12:00', '13:00-24:00'),
  place: fc.constantFrom(...towns),
})

/** Minutes of the wall clock, by ICU. */
function wallMinutes(fuseau: string, instant: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: fuseau,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const [hours, minutes] = parts.format(new Date(instant)).split(':')
  return Number(hours) * 60 + Number(minutes)
}

describe('any hours, absences and appointments', () => {
  it(`yield only slots that can be booked by their token without a warning (${numRuns} shops)`, {
    timeout: 600_000,
  }, async () => {
    let booked = 0
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...edges), shop, question, async (edge, { semaines, ...has }, asked) => {
        const { fuseau, du, au, from } = edge
        const { sav, storage, actor, booking, poseur, helper, clock } = await openPlanning()
        await sav.accounts.update(actor, { fuseau })
        await clock.advance(from - clock.now())
        const people = [poseur.id, helper.id]
        for (const [index, id] of people.entries()) {
          const hours = semaines[index]
          if (hours != null) await sav.planning.putHoraires(actor, id, { periodes: [{ semaine: hours }] })
          await sav.directory.poseurs.update(actor, id, { lieu: has.home === null ? null : { code_postal: has.home } })
        }
        const intervalOf = ({ atMinutes, minutes }: { atMinutes: number; minutes: number }) => {
          const debut = from + 2 * hour + atMinutes * 60_000
          return { debut: new Date(debut).toISOString(), fin: new Date(debut + minutes * 60_000).toISOString() }
        }
        const absences = has.absences.map(intervalOf)
        await sav.planning.putAbsences(actor, poseur.id, absences)
        for (const visit of has.visits) {
          const equipiers = visit.both ? [visit.helper ? poseur.id : helper.id] : []
          const { debut, fin } = intervalOf(visit)
          const { client_id } = booking
          const poseur_id = visit.helper ? helper.id : poseur.id
          const lieu = visit.town === null ? null : { code_postal: visit.town }
          // Overlapping visits are not booked.
          await sav.planning
            .book(actor, { client_id, poseur_id, equipiers, debut, fin, lieu })
            .catch((error: unknown) => {
              if (!(error instanceof SlotTakenError)) throw error
            })
        }

        const { place, fenetre, ...query } = asked
        const slots = await sav.planning.slots('default', {
          ...query,
          du,
          au,
          limite: 200,
          ...(fenetre !== undefined && { fenetre }),
          ...(place !== null && { code_postal: place }),
        })
        // The test checks only some of the slots, since each takes a booking.
        const every = Math.max(1, Math.floor(slots.length / 6))
        for (const slot of slots.filter((_, index) => index < 2 || index % every === 0 || index === slots.length - 1)) {
          const { debut, fin } = slot
          const rdv = await sav.planning.book(actor, { jeton: slot.jeton, client_id: booking.client_id })
          booked += 1
          expect(rdv).toMatchObject({ debut, fin, poseur: { id: slot.poseur.id }, avertissements: [] })
          expect(Date.parse(debut)).toBeGreaterThanOrEqual(from)
          expect(Date.parse(fin) - Date.parse(debut)).toBe(asked.duree * 60_000)
          expect(wallMinutes(fuseau, debut) % asked.pas).toBe(0)
          if (slot.poseur.id === poseur.id)
            for (const away of absences) expect(fin <= away.debut || debut >= away.fin).toBe(true)
          await sav.planning.change(actor, rdv.id, { statut: 'annule', motif_annulation: 'Le client rappellera.' })
        }
        // Each store takes more than a megabyte, and the test opens thousands.
        await storage.close()
      }),
      { numRuns },
    )
    expect(booked).toBeGreaterThan(numRuns / 2)
  })
})
