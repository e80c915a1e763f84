import { describe, expect, it } from 'vitest'
import { corrected, happenedAt, isBelieved } from './happened.js'

const arrival = '2026-03-16T18:00:00.000Z'

describe('the time at which something happened', () => {
  it.each([
    [0, '2026-03-16T08:00:00.000Z'],
    [7_200_000, '2026-03-16T06:00:00.000Z'],
    [-90_000, '2026-03-16T08:01:30.000Z'],
  ])('is the phone’s time minus the %i ms by which its clock is ahead', (decalage_ms, expected) => {
    expect(corrected({ survenu_a: '2026-03-16T08:00:00.000Z', decalage_ms })).toBe(expected)
  })

  it.each([
    ['2026-02-14T18:00:00.000Z', true],
    ['2026-02-14T17:59:59.999Z', false],
    ['2026-03-16T18:10:00.000Z', true],
    ['2026-03-16T18:10:00.001Z', false],
  ])('%s is plausible (at most 30 days back or 10 minutes ahead): %s', (survenu_a, believed) => {
    expect(isBelieved(survenu_a, arrival)).toBe(believed)
    expect(happenedAt(survenu_a, arrival)).toBe(believed ? survenu_a : arrival)
  })
})
