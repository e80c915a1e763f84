import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { businessCalendar, toInstant } from '../../../core/src/time/time.js'
import type { ZoneFeries } from '../../../core/src/values/vocabulary.js'
import { isPublicHoliday } from './holidays.js'
import { type Absence, defaultHoraires, type Horaires, type Plage } from './hours.js'
import { datesBetween, localDays, workingDays } from './working-days.js'

const paris = { calendar: businessCalendar('Europe/Paris'), zoneFeries: 'FR' } as const
const hour = 3_600_000

/** The days that have hours, as `HH:MM–HH:MM` in UTC. */
function shown(
  horaires: Horaires,
  du: string,
  au: string,
  absences: readonly Absence[] = [],
  where: { calendar: typeof paris.calendar; zoneFeries: ZoneFeries } = paris,
) {
  const time = (ms: number) => toInstant(ms).slice(11, 16)
  return Object.fromEntries(
    workingDays({ horaires, absences }, localDays({ du, au, ...where }))
      .filter(({ intervals }) => intervals.length > 0)
      .map(({ date, intervals }) => [date, intervals.map(({ debut, fin }) => `${time(debut)}–${time(fin)}`).join(' ')]),
  )
}

const everyDay = (...plages: readonly Plage[]): Horaires => ({
  periodes: [
    {
      du: null,
      au: null,
      semaine: {
        lundi: plages,
        mardi: plages,
        mercredi: plages,
        jeudi: plages,
        vendredi: plages,
        samedi: plages,
        dimanche: plages,
      },
    },
  ],
  exceptions: [],
})
const plage = (debut: string, fin: string): Plage => ({ debut, fin })

describe('working days', () => {
  it('are Monday to Friday by default, in local time', () => {
    expect(shown(defaultHoraires, '2027-03-25', '2027-03-31')).toEqual({
      '2027-03-25': '07:00–11:00 12:00–16:00',
      '2027-03-26': '07:00–11:00 12:00–16:00',
      // 29 March is Easter Monday.
      '2027-03-30': '06:00–10:00 11:00–15:00',
      '2027-03-31': '06:00–10:00 11:00–15:00',
    })
  })

  it('follow the zone of public holidays', () => {
    const friday = (zoneFeries: ZoneFeries) =>
      shown(defaultHoraires, '2027-03-26', '2027-03-26', [], { ...paris, zoneFeries })
    expect(friday('FR')).not.toEqual({})
    expect(friday('FR-57')).toEqual({})
  })

  it('use the last period that applies, from its first day to its last', () => {
    const summer: Horaires = {
      periodes: [
        ...defaultHoraires.periodes,
        { du: '2027-07-07', au: '2027-07-08', semaine: { mercredi: [plage('06:00', '13:00')] } },
      ],
      exceptions: [],
    }
    expect(shown(summer, '2027-07-06', '2027-07-09')).toEqual({
      '2027-07-06': '06:00–10:00 11:00–15:00',
      '2027-07-07': '04:00–11:00',
      '2027-07-09': '06:00–10:00 11:00–15:00',
    })
  })

  it('do not include days to which no period applies', () => {
    const hired: Horaires = {
      periodes: [{ du: '2027-09-02', au: null, semaine: defaultHoraires.periodes[0]?.semaine ?? {} }],
      exceptions: [],
    }
    expect(Object.keys(shown(hired, '2027-08-30', '2027-09-03'))).toEqual(['2027-09-02', '2027-09-03'])
  })

  it('exclude absences', () => {
    const absences = [
      { debut: '2027-06-01T06:00:00.000Z', fin: '2027-06-01T08:10:00.000Z', motif: 'Médecin' },
      { debut: '2027-06-01T09:00:00.000Z', fin: '2027-06-01T09:20:00.000Z', motif: null },
      { debut: '2027-06-01T10:00:00.000Z', fin: '2027-06-01T11:00:00.000Z', motif: 'during the break' },
      { debut: '2027-06-01T14:30:00.000Z', fin: '2027-06-04T00:00:00.000Z', motif: null },
    ]
    expect(shown(defaultHoraires, '2027-06-01', '2027-06-04', absences)).toEqual({
      '2027-06-01': '08:10–09:00 09:20–10:00 11:00–14:30',
      '2027-06-04': '06:00–10:00 11:00–15:00',
    })
  })

  it('join adjoining hours, so that a visit may span them', () => {
    expect(shown(everyDay(plage('08:00', '12:00'), plage('12:00', '17:00')), '2027-06-01', '2027-06-01')).toEqual({
      '2027-06-01': '06:00–15:00',
    })
  })

  it.each([
    ['may end in the skipped hour', '2027-03-28', '01:00', '02:30', '00:00–01:00'],
    ['may begin in the skipped hour', '2027-03-28', '02:30', '05:00', '01:00–03:00'],
    ['lose hours that lie in the skipped hour', '2027-03-28', '02:00', '03:00', undefined],
    ['may span the skipped hour', '2027-03-28', '00:00', '24:00', '23:00–22:00'],
    ['may end in the repeated hour', '2027-10-31', '01:00', '02:30', '23:00–00:30'],
    ['may begin in the repeated hour', '2027-10-31', '02:30', '05:00', '00:30–04:00'],
    ['may lie in the repeated hour', '2027-10-31', '02:00', '02:45', '00:00–00:45'],
    ['may include the repeated hour', '2027-10-31', '02:00', '03:00', '00:00–02:00'],
  ])('%s', (_, date, debut, fin, hours) => {
    expect(shown(everyDay(plage(debut, fin)), date, date)[date]).toBe(hours)
  })

  it('have the length of the local day: 23, 24 or 25 hours', () => {
    const lengths = ['2027-03-27', '2027-03-28', '2027-10-31'].map((date) => {
      const [day] = workingDays(
        { horaires: defaultHoraires, absences: [] },
        localDays({ du: date, au: date, ...paris }),
      )
      return day === undefined ? 0 : (day.day.fin - day.day.debut) / hour
    })
    expect(lengths).toEqual([24, 23, 25])
  })

  it('match a check of every five minutes, in all zones and for random days', () => {
    const zones = ['Europe/Paris', 'America/Guadeloupe', 'Indian/Reunion', 'Pacific/Noumea', 'America/Miquelon']
    const times = fc.integer({ min: 0, max: 96 }).map((quarter) => {
      const minutes = quarter * 15
      return [Math.floor(minutes / 60), minutes % 60].map((n) => String(n).padStart(2, '0')).join(':')
    })
    const hours = fc
      .uniqueArray(times, { minLength: 0, maxLength: 6 })
      .map((list) => list.sort())
      .map((list) => list.flatMap((fin, index) => (index % 2 === 1 ? [plage(list[index - 1] ?? fin, fin)] : [])))
    const date = fc.oneof(
      fc.constantFrom('2027-03-27', '2027-03-28', '2027-03-29', '2027-10-30', '2027-10-31', '2027-12-25'),
      fc.integer({ min: 20_454, max: 22_000 }).map((day) => toInstant(day * 24 * hour).slice(0, 10)),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        date,
        hours,
        hours,
        fc.boolean(),
        fc.array(fc.tuple(fc.nat(1500), fc.integer({ min: 1, max: 600 })), { maxLength: 3 }),
        (timeZone, on, usual, special, excepted, away) => {
          const calendar = businessCalendar(timeZone)
          const start = calendar.startOfDay(on)
          const absences = away.map(([from, length]) => ({
            debut: toInstant(start + from * 60_000),
            fin: toInstant(start + (from + length) * 60_000),
            motif: null,
          }))
          const horaires = { ...everyDay(...usual), exceptions: excepted ? [{ date: on, plages: special }] : [] }
          const [day] = workingDays({ horaires, absences }, localDays({ du: on, au: on, calendar, zoneFeries: 'FR' }))
          const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
          const holds = excepted ? special : isPublicHoliday('FR', on) ? [] : usual
          let latest = ''
          for (let ms = start; ms < (day?.day.fin ?? 0); ms += 300_000) {
            // A time that occurs twice means the first one.
            const wall = format.format(ms)
            if (wall > latest) latest = wall
            const time = latest.slice(11)
            const works =
              wall.startsWith(on) &&
              holds.some(({ debut, fin }) => debut <= time && time < fin) &&
              !absences.some(({ debut, fin }) => debut <= toInstant(ms) && toInstant(ms) < fin)
            const found = day?.intervals.some(({ debut, fin }) => debut <= ms && ms < fin)
            expect({ wall, works: found }).toEqual({ wall, works })
          }
        },
      ),
      { numRuns: process.env['SAV_TEST_CHAOS'] === '1' ? 200 : 50 },
    )
  })

  it('list each date once, also across the end of a year', () => {
    expect(datesBetween('2027-12-30', '2028-01-02')).toEqual(['2027-12-30', '2027-12-31', '2028-01-01', '2028-01-02'])
    expect(datesBetween('2028-02-28', '2028-03-01')).toHaveLength(3)
    expect(datesBetween('2027-01-02', '2027-01-01')).toEqual([])
  })
})
