import { note } from '../travel/notes.js'
import type { Point, TravelTable, TravelTimes } from '../travel/travel-times.js'
import {
  AnswerRefused,
  isRecord,
  type JsonServer,
  jsonServer,
  listOf,
  reasonOf,
  type ServerOptions,
} from './json-server.js'
import { Recent } from './recent.js'

/** The settings of an OSRM server. */
export interface OsrmOptions extends ServerOptions {
  /** Used when the router does not answer, and for pairs that it omits. */
  readonly fallback: TravelTimes
  /** How many pairs of points are cached. Default: 200,000, which take about 40 MB. */
  readonly rememberedPairs?: number
}

interface Leg {
  readonly seconds: number
  /** Null if the router gives no distances. */
  readonly meters: number | null
}

/** Half the points of a request: routers refuse more than 100 by default (`--max-table-size`). */
const blockSize = 50

/**
 * Travel times of an OSRM server (`GET {url}/table/v1/driving/…`, http://project-osrm.org/docs/), cached as long as the
 * process lives. A whole table takes at most `timeoutMs`, 2 s by default. If the router is unreachable, slow or
 * refuses, the fallback answers, with a note in `avertissements`.
 * @throws RangeError for a malformed `url`
 */
export function osrmTravel({ fallback, rememberedPairs = 200_000, ...options }: OsrmOptions): TravelTimes {
  const timeoutMs = options.timeoutMs ?? 2000
  const router = jsonServer({ ...options, timeoutMs }, 'the router')
  const remembered = new Recent<Leg | null>(rememberedPairs)

  async function legs(keys: readonly string[]): Promise<Map<string, Leg | null>> {
    const known = new Map<string, Leg | null>()
    const unknown: Pair[] = []
    for (const from of keys)
      for (const to of keys) {
        if (from === to) continue
        const leg = remembered.get(`${from};${to}`)
        if (leg === undefined) unknown.push([from, to])
        else known.set(`${from};${to}`, leg)
      }
    const signal = AbortSignal.timeout(timeoutMs)
    for (const block of blocksOf(unknown))
      for (const [pair, leg] of await asked(router, block, signal)) {
        remembered.set(pair, leg)
        known.set(pair, leg)
      }
    return known
  }

  return {
    async table(points) {
      const keys = points.map(keyOf)
      try {
        const known = await legs([...new Set(keys)])
        const isWhole = [...known.values()].every((leg) => leg !== null && leg.meters !== null)
        const estimates = isWhole ? null : await fallback.table(points)
        return tableOf(keys, known, estimates)
      } catch (error) {
        const estimates = await fallback.table(points)
        const estimated = note('travel_estimated', { problem: reasonOf(error) })
        return { ...estimates, avertissements: [...estimates.avertissements, estimated] }
      }
    },
  }
}

/** Longitude first, as in OSRM, to about a metre. */
const keyOf = ({ lat, lon }: Point) => `${lon.toFixed(5)},${lat.toFixed(5)}`

type Pair = readonly [from: string, to: string]

/** The content of one request: travel from each point of `from` to each point of `to`. */
interface Block {
  readonly from: readonly string[]
  readonly to: readonly string[]
}

function blocksOf(pairs: readonly Pair[]): Block[] {
  const from = [...new Set(pairs.map(([key]) => key))]
  const to = [...new Set(pairs.map(([, key]) => key))]
  const all = [...new Set([...from, ...to])]
  if (all.length === 0) return []
  if (all.length <= 2 * blockSize) return [{ from: all, to: all }]
  return chunks(from).flatMap((some) => chunks(to).map((others) => ({ from: some, to: others })))
}

function chunks(keys: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(keys.length / blockSize) }, (_, at) =>
    keys.slice(at * blockSize, (at + 1) * blockSize),
  )
}

async function asked(router: JsonServer, { from, to }: Block, signal: AbortSignal): Promise<Map<string, Leg | null>> {
  const all = [...new Set([...from, ...to])]
  const places = (keys: readonly string[]) => keys.map((key) => all.indexOf(key)).join(';')
  const part = from === to ? '' : `&sources=${places(from)}&destinations=${places(to)}`
  const get = (annotations: string) =>
    router.get(`/table/v1/driving/${all.join(';')}?annotations=${annotations}${part}`, signal)
  const answer = await get('duration,distance').catch((error: unknown) => {
    // Routers before OSRM 5.18 have no distances in tables, and refuse requests for them.
    if (error instanceof AnswerRefused && error.status >= 400 && error.status < 500) return get('duration')
    throw error
  })
  if (!isRecord(answer)) throw new TypeError('its answer is not a table')
  const durations = matrixOf(answer['durations'], from.length, to.length)
  if (durations === null) throw new TypeError('its answer has no durations for each pair of points')
  const distances = matrixOf(answer['distances'], from.length, to.length)
  const found = new Map<string, Leg | null>()
  for (const [row, source] of from.entries())
    for (const [column, destination] of to.entries()) {
      if (source === destination) continue
      const seconds = durations[row]?.[column] ?? null
      const meters = distances?.[row]?.[column] ?? null
      const leg = { seconds: Math.round(seconds ?? 0), meters: meters === null ? null : Math.round(meters) }
      found.set(`${source};${destination}`, seconds === null ? null : leg)
    }
  return found
}

/**
 * The value as a matrix of `rows` and `columns`; null if it is not one. A cell is a number, or null if there is no
 * route.
 */
function matrixOf(value: unknown, rows: number, columns: number): (number | null)[][] | null {
  const matrix = listOf(value).map((row) => listOf(row).map((cell) => (isSpan(cell) ? cell : null)))
  return matrix.length === rows && matrix.every((row) => row.length === columns) ? matrix : null
}

const isSpan = (cell: unknown): cell is number => typeof cell === 'number' && Number.isFinite(cell) && cell >= 0

function tableOf(
  keys: readonly string[],
  legs: ReadonlyMap<string, Leg | null>,
  estimates: TravelTable | null,
): TravelTable {
  const cells = <T>(cell: (leg: Leg | null, from: number, to: number) => T, own: T) =>
    keys.map((from, row) =>
      keys.map((to, column) => (from === to ? own : cell(legs.get(`${from};${to}`) ?? null, row, column))),
    )
  const isMissing = [...legs.values()].includes(null)
  return {
    seconds: cells((leg, from, to) => leg?.seconds ?? estimates?.seconds[from]?.[to] ?? 0, 0),
    meters: cells((leg, from, to) => leg?.meters ?? estimates?.meters[from]?.[to] ?? 0, 0),
    avertissements: isMissing ? [...(estimates?.avertissements ?? []), note('travel_partly_estimated')] : [],
  }
}
