import { businessCalendar } from '@sav/core/adapter'
import { expect, it } from 'vitest'
import { dayOfDemo } from './demo-day.js'

const paris = businessCalendar('Europe/Paris')

it.each([
  ['2026-01-16T22:59:59.999Z', '2026-01-16'], // Friday
  ['2026-01-16T23:00:00.000Z', '2026-01-19'], // Saturday, in Paris
  ['2026-01-18T22:59:59.999Z', '2026-01-19'], // Sunday
  ['2026-01-18T23:00:00.000Z', '2026-01-19'], // Monday
])('the day of the demo’s visits is a weekday: at %s it is %s', (now, day) => {
  expect(dayOfDemo(paris, Date.parse(now))).toBe(day)
})
