import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimatedMeters, estimatedSeconds, travelByBands } from './bands.js'

const bordeaux = { lat: 44.8378, lon: -0.5792 }
const merignac = { lat: 44.8424, lon: -0.6455 }
const arcachon = { lat: 44.6586, lon: -1.1681 }
const toulouse = { lat: 43.6045, lon: 1.444 }
const point = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
})

describe('estimated travel', () => {
  // Route planners give 7 km and 20 min, 66 km and 55 min, 244 km and 2 h 30.
  it.each([
    ['Mérignac', merignac, [6, 9], [12, 22]],
    ['Arcachon', arcachon, [58, 75], [50, 80]],
    ['Toulouse', toulouse, [240, 290], [150, 220]],
  ] as const)('from Bordeaux to %s is near that of the road', (_, to, [minKm, maxKm], [minMinutes, maxMinutes]) => {
    const km = estimatedMeters(bordeaux, to) / 1000
    const minutes = estimatedSeconds(bordeaux, to) / 60
    expect(km).toBeGreaterThan(minKm)
    expect(km).toBeLessThan(maxKm)
    expect(minutes).toBeGreaterThan(minMinutes)
    expect(minutes).toBeLessThan(maxMinutes)
  })

  it.each([
    [5, 12],
    [20, 31],
    [60, 65],
    [200, 158],
  ])('over %i km takes %i minutes', (km, minutes) => {
    const to = { lat: 45 + km / 1.3 / 111.195, lon: 2 }
    expect(Math.round(estimatedMeters({ lat: 45, lon: 2 }, to) / 100)).toBe(km * 10)
    expect(Math.round(estimatedSeconds({ lat: 45, lon: 2 }, to) / 60)).toBe(minutes)
  })

  it('across the date line takes the short way', () => {
    const west = { lat: -17, lon: 179.9 }
    const east = { lat: -17, lon: -179.9 }
    expect(estimatedMeters(west, east)).toBeLessThan(30_000)
  })

  it('is a whole number, the same both ways, 0 for no distance, and never less for a longer distance', () => {
    fc.assert(
      fc.property(point, point, point, (a, b, c) => {
        expect(estimatedSeconds(a, b)).toBe(estimatedSeconds(b, a))
        expect(estimatedMeters(a, b)).toBe(estimatedMeters(b, a))
        expect(estimatedSeconds(a, a)).toBe(0)
        expect(Number.isInteger(estimatedSeconds(a, b)) && Number.isInteger(estimatedMeters(a, b))).toBe(true)
        expect(estimatedMeters(a, b) <= estimatedMeters(a, c)).toBe(
          estimatedSeconds(a, b) <= estimatedSeconds(a, c) && estimatedMeters(a, b) <= estimatedMeters(a, c),
        )
      }),
    )
  })

  it('is returned as a table in the order of the points', async () => {
    const points = [bordeaux, merignac, arcachon]
    const { seconds, meters, avertissements } = await travelByBands.table(points)
    expect(seconds).toEqual(points.map((from) => points.map((to) => estimatedSeconds(from, to))))
    expect(meters).toEqual(points.map((from) => points.map((to) => estimatedMeters(from, to))))
    expect(avertissements).toEqual([])
    expect(await travelByBands.table([])).toEqual({ seconds: [], meters: [], avertissements: [] })
  })
})
