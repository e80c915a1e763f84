import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { businessCalendar, toInstant } from '../../../core/src/time/time.js'
import { estimatedSeconds } from '../travel/bands.js'
import type { Point } from '../travel/travel-times.js'
import { defaultHoraires, type Horaires, type Plage } from '../working-time/hours.js'
import { localDays, workingDays } from '../working-time/working-days.js'
import { type Candidate, freeSlots, type SlotQuery } from './slots.js'

const calendar = businessCalendar('Europe/Paris')
const minute = 60_000
const iso = (text: string) => Date.parse(text)

const bordeaux = { lat: 44.8378, lon: -0.5792 }
const merignac = { lat: 44.8424, lon: -0.6455 }
const arcachon = { lat: 44.6586, lon: -1.1681 }

const daysOf = (du: string, au = du, horaires: Horaires = defaultHoraires, zone = calendar) =>
  workingDays({ horaires, absences: [] }, localDays({ du, au, calendar: zone, zoneFeries: 'FR' }))

/** Camille, on Tuesday 1 June 2027, 08–12 and 13–17 in Paris. */
const camille: Candidate = {
  poseur_id: 1,
  competences: [],
  days: daysOf('2027-06-01'),
  depart: null,
  retour: null,
  visits: [],
}
const hours = (from: string, to: string, point: Point | null = null) => ({
  debut: iso(`2027-06-01T${from}+02:00`),
  fin: iso(`2027-06-01T${to}+02:00`),
  point,
})
const query: SlotQuery = {
  duree: 120,
  tampon: 0,
  pas: 60,
  point: null,
  type_probleme: null,
  notBefore: 0,
  fenetre: null,
  calendar,
  limite: 1000,
}

/** Local starts of the slots, in their order. */
function starts(candidates: readonly Candidate[], wanted: Partial<SlotQuery> = {}, travel = estimatedSeconds) {
  return freeSlots(candidates, { ...query, ...wanted }, travel).map(({ debut, poseur_id }) => {
    const wall = toInstant(debut + calendar.offsetAt(debut)).slice(11, 16)
    return candidates.length === 1 ? wall : `${wall} ${poseur_id}`
  })
}
const tenMinutes = () => 600

describe('slots', () => {
  it('include the travel to the visit, and the travel that the visit adds', () => {
    const busy = { ...camille, visits: [hours('08:00', '09:00', merignac), hours('16:00', '17:00', arcachon)] }
    const [slot] = freeSlots([busy], { ...query, point: bordeaux }, estimatedSeconds)
    const before = estimatedSeconds(merignac, bordeaux)
    const added = before + estimatedSeconds(bordeaux, arcachon) - estimatedSeconds(merignac, arcachon)
    expect(slot).toEqual({
      poseur_id: 1,
      debut: iso('2027-06-01T10:00+02:00'),
      fin: iso('2027-06-01T12:00+02:00'),
      trajet_avant_minutes: Math.ceil(before / 60),
      trajet_ajoute_minutes: Math.ceil(added / 60),
      addedSeconds: added,
    })
    expect(Math.ceil(added / 60)).toBeGreaterThan(0)
  })

  it('are only those of skilled installers, including those without recorded skills', () => {
    const all = { ...camille, poseur_id: 1 }
    const facades = { ...camille, poseur_id: 2, competences: ['facade', 'reglage'] as const }
    const wiring = { ...camille, poseur_id: 3, competences: ['electromenager'] as const }
    const morning = { duree: 240, fenetre: { debut: 0, fin: 720 } }
    expect(starts([all, facades, wiring], { ...morning, type_probleme: 'facade' })).toEqual(['08:00 1', '08:00 2'])
    expect(starts([all, facades, wiring], morning)).toEqual(['08:00 1', '08:00 2', '08:00 3'])
  })

  it.each([
    ['Europe/Paris', '2027-10-31', '01:00', '04:00', ['01:00', '02:00', '02:00', '03:00']],
    ['Australia/Lord_Howe', '2027-10-03', '01:00', '05:00', ['01:00', '03:00', '04:00']],
    ['Australia/Lord_Howe', '2027-04-04', '00:00', '04:00', ['00:00', '01:00', '02:00', '03:00']],
  ])('begin on the hour of the wall clock, even when it changes: %s, %s', (timeZone, date, debut, fin, expected) => {
    const zone = businessCalendar(timeZone)
    const days = daysOf(date, date, { periodes: [], exceptions: [{ date, plages: [{ debut, fin }] }] }, zone)
    const found = freeSlots([{ ...camille, days }], { ...query, duree: 30, calendar: zone }, estimatedSeconds)
    expect(found.map(({ debut: at }) => toInstant(at + zone.offsetAt(at)).slice(11, 16))).toEqual(expected)
  })

  it('leave time for travel from home in the morning and to home in the evening', () => {
    const days = daysOf('2027-06-01', '2027-06-03')
    const visit = (date: string) => ({
      debut: iso(`${date}T10:00+02:00`),
      fin: iso(`${date}T12:00+02:00`),
      point: null,
    })
    const home = { ...camille, depart: merignac, retour: merignac, days: days.slice(1, 2) }
    const wanted = { point: bordeaux, duree: 230, pas: 10 }
    expect(starts([home], wanted, tenMinutes)).toEqual(['08:10', '13:00'])
    const between = { ...home, visits: [visit('2027-06-01'), visit('2027-06-03')] }
    expect(starts([between], wanted, tenMinutes)).toEqual(['08:10', '13:00'])
  })

  it('lie outside all visits, even if these overlap', () => {
    const busy = { ...camille, visits: [hours('08:00', '12:00'), hours('09:00', '10:00')] }
    expect(starts([busy])).toEqual(['13:00', '14:00', '15:00'])
  })
})

describe('the slots of any days', () => {
  const zones = ['Europe/Paris', 'America/Guadeloupe', 'Indian/Reunion', 'Pacific/Noumea', 'Australia/Lord_Howe']
  const dates = ['2027-03-28', '2027-10-31', '2027-10-03', '2027-04-04', '2027-03-29', '2027-06-01']
  const wall = (minutes: number) =>
    [Math.floor(minutes / 60), minutes % 60].map((n) => String(n).padStart(2, '0')).join(':')

  /** Disjoint stretches, from pairs of a pause and a length in steps of five minutes. */
  const stretches = (longest: number) =>
    fc.array(fc.tuple(fc.nat({ max: 40 }), fc.integer({ min: 1, max: longest })), { maxLength: 5 }).map((pairs) => {
      let at = 0
      return pairs.map(([pause, length]) => {
        const debut = at + pause * 5
        at = debut + length * 5
        return { debut, fin: at }
      })
    })
  const point = fc.option(fc.record({ lat: fc.nat({ max: 5 }), lon: fc.nat({ max: 5 }) }))
  /** Asymmetric, as a router's times may be. */
  const travel = (from: Point, to: Point) => Math.abs(from.lat - to.lat) * 420 + Math.max(0, to.lon - from.lon) * 195

  const installer = fc.record({
    plages: stretches(60).map((list) => list.filter(({ fin }) => fin <= 1440)),
    visits: stretches(30),
    points: fc.array(point, { minLength: 5, maxLength: 5 }),
    depart: point,
    retour: point,
    absence: fc.option(fc.tuple(fc.nat({ max: 1440 }), fc.integer({ min: 1, max: 300 }))),
  })
  const wanted = fc.record({
    duree: fc.integer({ min: 1, max: 180 }),
    tampon: fc.constantFrom(0, 0, 7, 20),
    pas: fc.constantFrom(5, 15, 20, 60),
    point,
    fenetre: fc.option(
      fc
        .tuple(fc.nat({ max: 1440 }), fc.nat({ max: 1440 }))
        .map(([a, b]) => ({ debut: Math.min(a, b), fin: Math.max(a, b) })),
    ),
    from: fc.constantFrom(0, 0, 333),
  })

  it('are exactly those that a minute-by-minute search finds', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom(...dates),
        // Equal installers test the order of equal slots.
        fc.oneof(
          fc.array(installer, { minLength: 1, maxLength: 2 }),
          installer.map((each) => [each, each]),
        ),
        wanted,
        (timeZone, date, installers, { from, ...rest }) => {
          const zone = businessCalendar(timeZone)
          const midnight = zone.startOfDay(date)
          const candidates = installers.map((each, index): Candidate => {
            const plages: readonly Plage[] = each.plages.map(({ debut, fin }) => ({
              debut: wall(debut),
              fin: wall(fin),
            }))
            const absences =
              each.absence === null
                ? []
                : [
                    {
                      debut: toInstant(midnight + each.absence[0] * minute),
                      fin: toInstant(midnight + (each.absence[0] + each.absence[1]) * minute),
                      motif: null,
                    },
                  ]
            return {
              poseur_id: index + 1,
              competences: [],
              days: workingDays(
                { horaires: { periodes: [], exceptions: [{ date, plages }] }, absences },
                localDays({ du: date, au: date, calendar: zone, zoneFeries: 'FR' }),
              ),
              depart: each.depart,
              retour: each.retour,
              visits: each.visits.map(({ debut, fin }, at) => ({
                debut: midnight + debut * minute,
                fin: midnight + fin * minute,
                point: each.points[at] ?? null,
              })),
            }
          })
          const asked: SlotQuery = {
            ...query,
            ...rest,
            calendar: zone,
            notBefore: midnight + from * minute,
            limite: 100_000,
          }
          const found = freeSlots(candidates, asked, travel)
          const expected = candidates.flatMap((candidate) => searched(candidate, asked, timeZone, date))
          const sorted = expected.sort((a, b) => a.added - b.added || a.debut - b.debut || a.poseur_id - b.poseur_id)
          expect(
            found.map(({ poseur_id, debut, trajet_ajoute_minutes }) => ({
              poseur_id,
              debut,
              minutes: trajet_ajoute_minutes,
            })),
          ).toEqual(sorted.map(({ poseur_id, debut, added }) => ({ poseur_id, debut, minutes: Math.ceil(added / 60) })))
          for (const limite of [1, 7])
            expect(freeSlots(candidates, { ...asked, limite }, travel)).toEqual(found.slice(0, limite))
        },
      ),
      { numRuns: process.env['SAV_TEST_CHAOS'] === '1' ? 200 : 50 },
    )
  })

  /** Checks every minute of the day separately. */
  function searched(candidate: Candidate, asked: SlotQuery, timeZone: string, date: string) {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    const { point, duree, tampon, pas, fenetre, notBefore } = asked
    const way = (a: Point | null, b: Point | null) => (point === null || a === null || b === null ? 0 : travel(a, b))
    const [today] = candidate.days
    if (today === undefined) return []
    const { day, intervals } = today
    const result: { poseur_id: number; debut: number; added: number }[] = []
    for (let debut = day.debut; debut < day.fin; debut += minute) {
      const fin = debut + duree * minute
      const shown = format.format(debut)
      const minutes = Number(shown.slice(11, 13)) * 60 + Number(shown.slice(14))
      if (minutes % pas !== 0 || debut < notBefore) continue
      if (!intervals.some((each) => each.debut <= debut && fin <= each.fin)) continue
      if (candidate.visits.some((visit) => visit.debut < fin && debut < visit.fin)) continue
      if (
        fenetre !== null &&
        (debut < asked.calendar.timeOfDay(date, fenetre.debut) || fin > asked.calendar.timeOfDay(date, fenetre.fin))
      )
        continue
      const ofDay = candidate.visits.filter((visit) => visit.fin > day.debut && visit.debut < day.fin)
      const before = ofDay.findLast((visit) => visit.fin <= debut)
      const after = ofDay.find((visit) => visit.debut >= fin)
      const from = before === undefined ? candidate.depart : before.point
      const to = after === undefined ? candidate.retour : after.point
      const earliest = before === undefined ? (intervals[0]?.debut ?? 0) : before.fin + tampon * minute
      const latest = after === undefined ? (intervals.at(-1)?.fin ?? 0) : after.debut - tampon * minute
      if (debut < earliest + way(from, point) * 1000 || fin > latest - way(point, to) * 1000) continue
      result.push({
        poseur_id: candidate.poseur_id,
        debut,
        added: Math.max(0, way(from, point) + way(point, to) - way(from, to)),
      })
    }
    return result
  }
})
