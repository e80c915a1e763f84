import type { Point, TravelTable, TravelTimes } from './travel-times.js'

/** The earth's mean radius in metres (IUGG). */
const earthMeters = 6_371_008.8

/**
 * How much longer the road is than the great circle. An assumption: studies of European road networks find 1.2 to 1.5,
 * more over short distances and in the mountains. No factor fits islands and fjords.
 */
const detour = 1.3

/**
 * The speed of a van by the length of the trip: first streets, then main roads, then motorways. Our assumption, rather
 * slow: 5 km take 12 minutes, 20 km 31, 60 km 65, 200 km 158.
 */
const bands = [
  { untilMeters: 5_000, kmPerHour: 25 },
  { untilMeters: 20_000, kmPerHour: 48 },
  { untilMeters: 60_000, kmPerHour: 70 },
  { untilMeters: Number.POSITIVE_INFINITY, kmPerHour: 90 },
] as const

/** The estimated distance by road: whole metres, the same in both directions. */
export function estimatedMeters(from: Point, to: Point): number {
  return Math.round(greatCircleMeters(from, to) * detour)
}

/** The estimated time by van: whole seconds, rounded up, the same in both directions, and 0 from a point to itself. */
export function estimatedSeconds(from: Point, to: Point): number {
  return secondsFor(estimatedMeters(from, to))
}

/** Travel times without an external service: estimated from the distance. */
export const travelByBands: TravelTimes = {
  table: (points) => Promise.resolve(estimatedTable(points)),
}

/** Travel from every point to every other: some 50 µs for 20 points. */
function estimatedTable(points: readonly Point[]): TravelTable {
  const meters = points.map((from) => points.map((to) => estimatedMeters(from, to)))
  return { seconds: meters.map((row) => row.map(secondsFor)), meters, avertissements: [] }
}

function secondsFor(meters: number): number {
  let seconds = 0
  let begun = 0
  for (const { untilMeters, kmPerHour } of bands) {
    if (meters <= begun) break
    seconds += (Math.min(meters, untilMeters) - begun) / (kmPerHour / 3.6)
    begun = untilMeters
  }
  return Math.ceil(seconds)
}

/** The distance by the haversine formula, which is precise for near points. */
function greatCircleMeters(a: Point, b: Point): number {
  const radians = Math.PI / 180
  const north = Math.sin(((b.lat - a.lat) * radians) / 2)
  const east = Math.sin(((b.lon - a.lon) * radians) / 2)
  const chord = north * north + Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * east * east
  return 2 * earthMeters * Math.asin(Math.min(1, Math.sqrt(chord)))
}
