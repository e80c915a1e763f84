import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { businessCalendar as byPlatform, toInstant, toMs } from './time.js'

const isFull = process.env['SAV_TEST_CHAOS'] === '1'
const hour = 3_600_000
const zones = Intl.supportedValuesOf('timeZone')
const iso = (text: string) => Date.parse(text)

/** The local date at `ms` as the platform itself writes it. */
function localDate(timeZone: string, ms: number): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return format.format(ms)
}

describe('an instant', () => {
  it('is UTC with milliseconds, of fixed width', () => {
    expect(toInstant(0)).toBe('1970-01-01T00:00:00.000Z')
    expect(toInstant(Date.UTC(2026, 0, 15, 10, 30, 0, 7))).toBe('2026-01-15T10:30:00.007Z')
    expect(toInstant(-1)).toBe('1969-12-31T23:59:59.999Z')
  })

  it('is right for any order of calls', () => {
    const ms = Date.UTC(2026, 0, 15, 10, 30)
    const steps = [0, 1, 256, 0, 512, 1, 256, 0.5, 0]
    expect(steps.map((step) => toInstant(ms + step))).toEqual(steps.map((step) => new Date(ms + step).toISOString()))
  })

  it('sorts as text in order of time, and is parsed to the millisecond', () => {
    const times = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) })
    fc.assert(
      fc.property(times, times, (a, b) => {
        expect(toMs(toInstant(a))).toBe(a)
        expect(toInstant(a) < toInstant(b)).toBe(a < b)
      }),
    )
  })
})

/** The module as it works on Node 22 and 24, which have no Temporal. */
async function byPolyfill(): Promise<typeof byPlatform> {
  const { Temporal } = await import('./temporal.js')
  vi.stubGlobal('Temporal', Temporal)
  vi.resetModules()
  const { businessCalendar } = await import('./time.js')
  expect(businessCalendar('UTC').zonedAt(0)).toBeInstanceOf(Temporal.ZonedDateTime)
  vi.unstubAllGlobals()
  return businessCalendar
}

describe.each([
  ['the platform', byPlatform],
  ['temporal-polyfill', await byPolyfill()],
])('by %s', (_, businessCalendar) => {
  describe('the business year', () => {
    it.each([
      ['Europe/Paris', '2025-12-31T22:59:59.999Z', 2025],
      ['Europe/Paris', '2025-12-31T23:00:00.000Z', 2026],
      ['UTC', '2025-12-31T23:59:59.999Z', 2025],
      ['UTC', '2026-01-01T00:00:00.000Z', 2026],
      ['America/New_York', '2026-01-01T04:59:59.999Z', 2025],
      ['America/New_York', '2026-01-01T05:00:00.000Z', 2026],
      ['Asia/Kathmandu', '2025-12-31T18:14:59.999Z', 2025],
      ['Asia/Kathmandu', '2025-12-31T18:15:00.000Z', 2026],
      ['Pacific/Kiritimati', '2025-12-31T09:59:59.999Z', 2025],
      ['Pacific/Kiritimati', '2025-12-31T10:00:00.000Z', 2026],
    ])('in %s at %s is %i', (timeZone, instant, year) => {
      expect(businessCalendar(timeZone).yearAt(iso(instant))).toBe(year)
    })

    it('is right in any order of calls around midnight', () => {
      const calendar = businessCalendar('Europe/Paris')
      const midnight = iso('2025-12-31T23:00:00Z')
      const answers = [-1, 0, -hour, hour, -1, 1, 0].map((off) => calendar.yearAt(midnight + off))
      expect(answers).toEqual([2025, 2026, 2025, 2026, 2025, 2026, 2026])
    })

    it('is the same as the platform’s, in every zone and around every New Year', () => {
      const cases = fc.record({
        calendar: fc.constantFrom(...zones).map(businessCalendar),
        newYear: fc.integer({ min: 1990, max: 2060 }).map((year) => Date.UTC(year, 0, 1)),
        off: fc.integer({ min: -16 * hour, max: 16 * hour }),
      })
      fc.assert(
        fc.property(cases, ({ calendar, newYear, off }) => {
          const year = Number(localDate(calendar.timeZone, newYear + off).slice(0, 4))
          expect(calendar.yearAt(newYear + off)).toBe(year)
        }),
        { numRuns: isFull ? 300 : 60 },
      )
    })
  })

  describe('the start of a business day', () => {
    it.each([
      ['a winter day', 'Europe/Paris', '2026-01-15', '2026-01-14T23:00:00.000Z'],
      ['a summer day', 'Europe/Paris', '2026-07-14', '2026-07-13T22:00:00.000Z'],
      ['the day of 23 hours', 'Europe/Paris', '2026-03-29', '2026-03-28T23:00:00.000Z'],
      ['the day after it', 'Europe/Paris', '2026-03-30', '2026-03-29T22:00:00.000Z'],
      ['the day of 25 hours', 'Europe/Paris', '2026-10-25', '2026-10-24T22:00:00.000Z'],
      ['the day after it', 'Europe/Paris', '2026-10-26', '2026-10-25T23:00:00.000Z'],
      ['a leap day', 'Europe/Paris', '2028-02-29', '2028-02-28T23:00:00.000Z'],
      ['New Year', 'Europe/Paris', '2026-01-01', '2025-12-31T23:00:00.000Z'],
      ['an offset of 5:45', 'Asia/Kathmandu', '2026-01-15', '2026-01-14T18:15:00.000Z'],
      ['an offset of 14 hours', 'Pacific/Kiritimati', '2026-01-15', '2026-01-14T10:00:00.000Z'],
      ['an offset of −11 hours', 'Pacific/Pago_Pago', '2026-01-15', '2026-01-15T11:00:00.000Z'],
      ['a day that begins at 01:00', 'America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
      ['a day that begins at 01:00', 'Africa/Cairo', '2024-04-26', '2024-04-25T22:00:00.000Z'],
      ['a day whose midnight comes twice', 'America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
      ['a day that never was', 'Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
      ['the day before it', 'Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00.000Z'],
      ['the day after it', 'Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
    ])('%s: in %s %s begins at %s', (_, timeZone, date, instant) => {
      expect(toInstant(businessCalendar(timeZone).startOfDay(date))).toBe(instant)
    })

    it('is the first moment of that date or a later one, in every zone', () => {
      const days = fc.record({
        calendar: fc.constantFrom(...zones).map(businessCalendar),
        date: fc.integer({ min: 7_305, max: 30_000 }).map((day) => toInstant(day * 24 * hour).slice(0, 10)),
      })
      fc.assert(
        fc.property(days, ({ calendar: { timeZone, startOfDay }, date }) => {
          const start = startOfDay(date)
          expect(localDate(timeZone, start) >= date).toBe(true)
          expect(localDate(timeZone, start - 1) < date).toBe(true)
        }),
        { numRuns: isFull ? 300 : 60 },
      )
    })
  })

  describe('a time of day', () => {
    it.each([
      ['a winter morning', 'Europe/Paris', '2027-01-15', '08:00', '2027-01-15T07:00:00.000Z'],
      ['a summer morning', 'Europe/Paris', '2027-07-15', '08:00', '2027-07-15T06:00:00.000Z'],
      ['the last moment before the gap', 'Europe/Paris', '2027-03-28', '01:59', '2027-03-28T00:59:00.000Z'],
      ['the gap', 'Europe/Paris', '2027-03-28', '02:00', '2027-03-28T01:00:00.000Z'],
      ['within the gap', 'Europe/Paris', '2027-03-28', '02:30', '2027-03-28T01:00:00.000Z'],
      ['the end of the gap', 'Europe/Paris', '2027-03-28', '03:00', '2027-03-28T01:00:00.000Z'],
      ['after the gap', 'Europe/Paris', '2027-03-28', '08:00', '2027-03-28T06:00:00.000Z'],
      ['just before what comes twice', 'Europe/Paris', '2027-10-31', '01:59', '2027-10-30T23:59:00.000Z'],
      ['what comes twice', 'Europe/Paris', '2027-10-31', '02:30', '2027-10-31T00:30:00.000Z'],
      ['after what comes twice', 'Europe/Paris', '2027-10-31', '03:00', '2027-10-31T02:00:00.000Z'],
      ['the end of the day of 25 hours', 'Europe/Paris', '2027-10-31', '24:00', '2027-10-31T23:00:00.000Z'],
      ['a zone that never changes', 'America/Guadeloupe', '2027-10-31', '08:00', '2027-10-31T12:00:00.000Z'],
      ['east of all others', 'Pacific/Noumea', '2027-03-28', '07:30', '2027-03-27T20:30:00.000Z'],
      ['west of the line', 'Pacific/Tahiti', '2027-03-28', '17:00', '2027-03-29T03:00:00.000Z'],
      ['a gap of half an hour', 'Australia/Lord_Howe', '2027-10-03', '02:15', '2027-10-02T15:30:00.000Z'],
      ['a midnight that does not exist', 'America/Sao_Paulo', '2018-11-04', '00:30', '2018-11-04T03:00:00.000Z'],
    ])('%s: in %s on %s, %s is %s', (_, timeZone, date, time, instant) => {
      const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
      expect(toInstant(businessCalendar(timeZone).timeOfDay(date, minutes))).toBe(instant)
    })

    it('is the first moment at which the platform shows it or a later time, in every zone', () => {
      const zone = fc.constantFrom(...zones).map((timeZone) => ({
        calendar: businessCalendar(timeZone),
        format: new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
      }))
      const moments = fc.record({
        zone,
        date: fc.integer({ min: 7_305, max: 30_000 }).map((day) => toInstant(day * 24 * hour).slice(0, 10)),
        minutes: fc.integer({ min: 0, max: 1439 }),
      })
      const changes = ['2027-03-28', '2027-10-31', '2027-04-04', '2027-10-03', '2018-11-04']
      const onChanges = fc.record({
        zone,
        date: fc.constantFrom(...changes),
        minutes: fc.integer({ min: 0, max: 239 }),
      })
      fc.assert(
        fc.property(fc.oneof(moments, onChanges), ({ zone: { calendar, format }, date, minutes }) => {
          const time = [Math.floor(minutes / 60), minutes % 60].map((n) => String(n).padStart(2, '0')).join(':')
          const found = calendar.timeOfDay(date, minutes)
          expect(format.format(found) >= `${date} ${time}`).toBe(true)
          for (let before = 1; before <= 3 * hour; before += hour / 4)
            expect(format.format(found - before) < `${date} ${time}`).toBe(true)
        }),
        { numRuns: isFull ? 500 : 100 },
      )
    })
  })

  describe('the local date', () => {
    it('and the offset are the same as the platform’s, in every zone and around every change', () => {
      const moments = fc.record({
        calendar: fc.constantFrom(...zones).map(businessCalendar),
        ms: fc.oneof(
          fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2060, 0) }),
          fc
            .constantFrom('2027-03-28T01:00Z', '2027-10-31T01:00Z', '2027-10-02T15:30Z', '2011-12-30T10:00Z')
            .chain((change) => fc.integer({ min: -2 * hour, max: 2 * hour }).map((off) => iso(change) + off)),
        ),
      })
      fc.assert(
        fc.property(moments, ({ calendar, ms }) => {
          expect(calendar.dateAt(ms)).toBe(localDate(calendar.timeZone, ms))
          const shown = new Intl.DateTimeFormat('sv-SE', {
            timeZone: calendar.timeZone,
            dateStyle: 'short',
            timeStyle: 'medium',
          }).format(ms)
          expect(Math.floor((ms + calendar.offsetAt(ms)) / 1000) * 1000).toBe(iso(`${shown.replace(' ', 'T')}Z`))
        }),
        { numRuns: isFull ? 500 : 100 },
      )
    })
  })

  it('a time zone that the platform does not know is refused', () => {
    expect(() => businessCalendar('Europe/Pariss')).toThrow(RangeError)
  })

  describe('the end of a day', () => {
    it.each([
      ['2026-03-29', '2026-03-29T22:00:00.000Z'],
      ['2026-10-25', '2026-10-25T23:00:00.000Z'],
      ['2026-12-31', '2026-12-31T23:00:00.000Z'],
      ['2026-03-29T12:00:00+02:00', '2026-03-29T10:00:00.000Z'],
    ])('of %s in Paris is %s', (text, end) => {
      expect(businessCalendar('Europe/Paris').endOf(text)).toBe(end)
    })

    it('stays within years of four digits, since instants are compared as text', () => {
      const { endOf, instantOf } = businessCalendar('America/Martinique')
      expect(endOf('9999-12-31')).toBe('9999-12-31T23:59:59.999Z')
      expect(instantOf('9999-12-31T23:00:00-04:00')).toBe('9999-12-31T23:59:59.999Z')
      expect(instantOf('0000-01-01T00:00:00+14:00')).toBe('0000-01-01T00:00:00.000Z')
    })
  })
})
