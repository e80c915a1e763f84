import type { Note } from './notes.js'

/** A point on the earth: degrees, WGS 84. */
export interface Point {
  readonly lat: number
  readonly lon: number
}

/** Travel from each of some points to each other, in the order in which they were asked for. */
export interface TravelTable {
  /** `seconds[from][to]`: whole seconds, 0 from a point to itself. Need not be symmetric. */
  readonly seconds: readonly (readonly number[])[]
  /** `meters[from][to]`. */
  readonly meters: readonly (readonly number[])[]
  /** Notes on these figures, such as that they are estimates because the router did not answer. */
  readonly avertissements: readonly Note[]
}

/** The source of travel times: estimated from the distance (`travelByBands`), or a router outside. */
export interface TravelTimes {
  /** Never rejects for a router that is unreachable or slow: it falls back to estimates and says so. */
  table(points: readonly Point[]): Promise<TravelTable>
}
