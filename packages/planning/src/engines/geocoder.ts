import type { Point } from '../travel/travel-times.js'
import { isRecord, jsonServer, listOf, type ServerOptions } from './json-server.js'

/** The settings of an address API. */
export interface GeocoderOptions extends ServerOptions {
  /** How sure the server must be of a place, from 0 to 1. Default: 0.5, since a lower score is a guess. */
  readonly minScore?: number
}

/** The point of an address, and its precision. */
export interface Geocoded {
  readonly point: Point
  /** What the point is precise to: the address or its street, or only the town. */
  readonly precision: 'exacte' | 'commune'
}

/** Finds the coordinates of addresses. */
export interface Geocoder {
  /** Null when the place is not found, and when the server is unreachable or slow: a booking must not wait for it. */
  pointOf(lieu: {
    readonly ligne1: string | null
    readonly code_postal: string | null
    readonly ville: string | null
  }): Promise<Geocoded | null>
}

/**
 * Asks a server with the French address API (`GET {url}/search/?q=…&postcode=…&limit=1`, GeoJSON:
 * https://adresse.data.gouv.fr/outils/api-doc/adresse). A search takes at most `timeoutMs`, 2 s by default.
 * @throws RangeError for a malformed `url`
 */
export function geocoder({ minScore = 0.5, ...options }: GeocoderOptions): Geocoder {
  const server = jsonServer(options, 'the geocoder')
  return {
    async pointOf({ ligne1, code_postal, ville }) {
      const q = [ligne1, code_postal, ville].filter((part) => part !== null && part.trim() !== '').join(' ')
      if (q === '') return null
      // The address API accepts at most 200 characters.
      const search = new URLSearchParams({ q: [...q].slice(0, 200).join(''), limit: '1' })
      if (code_postal !== null) search.set('postcode', code_postal)
      try {
        return geocodedOf(await server.get(`/search/?${search}`), minScore)
      } catch {
        return null
      }
    },
  }
}

function geocodedOf(answer: unknown, minScore: number): Geocoded | null {
  const [feature] = isRecord(answer) ? listOf(answer['features']) : []
  if (!isRecord(feature) || !isRecord(feature['geometry'])) return null
  const [lon, lat] = listOf(feature['geometry']['coordinates'])
  if (!isWithin(lat, 90) || !isWithin(lon, 180)) return null
  const properties = isRecord(feature['properties']) ? feature['properties'] : {}
  const { score, type } = { score: properties['score'], type: properties['type'] }
  if (typeof score === 'number' && score < minScore) return null
  return { point: { lat, lon }, precision: type === 'municipality' ? 'commune' : 'exacte' }
}

const isWithin = (degrees: unknown, bound: number): degrees is number =>
  typeof degrees === 'number' && Math.abs(degrees) <= bound
