import type { Note } from './notes.js'

/** A point on the earth: degrees, WGS 84. */
export interface Point {
  readonly lat: number
  readonly lon: number
}

/** Travel from each of some points to each other, in the order of the request. */
export interface TravelTable {
  /** `seconds[from][to]`: whole seconds, 0 from a point to itself. Need not be symmetric. */
  readonly seconds: readonly (readonly number[])[]
  /** `meters[from][to]`. */
  readonly meters: readonly (readonly number[])[]
  /** Notes on these figures, for example that they are estimates because the router did not answer. */
  readonly avertissements: readonly Note[]
}

/** The source of travel times: estimated from the distance (`travelByBands`), or an external router. */
export interface TravelTimes {
  /** Never rejects because a router is unreachable or slow: it falls back to estimates, with a note. */
  table(points: readonly Point[]): Promise<TravelTable>
}
