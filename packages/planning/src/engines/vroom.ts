import type { RoundProblem, RoundSolver } from '../rounds/round-problem.js'
import { note } from '../travel/notes.js'
import { isRecord, jsonServer, listOf, reasonOf, type ServerOptions } from './json-server.js'
import { seededDraws } from './rounds/draws.js'
import type { RoundInstaller, RoundVisit, Span } from './rounds/problem-parts.js'
import { planInOrder } from './rounds/solve-rounds.js'

/** The settings of a VROOM server. */
export interface VroomOptions extends ServerOptions {
  /** Used when VROOM does not answer. */
  readonly fallback: RoundSolver
}

/** Travel home may lie outside of working hours: a day may begin this long before them and end this long after. */
const margin = 12 * 3600

/**
 * Asks a VROOM server (`POST {url}/`, https://github.com/VROOM-Project/vroom/blob/master/docs/API.md) for the
 * assignment and order of visits. Times are computed here, by our own rules. Visits that do not fit into VROOM's order
 * are inserted elsewhere or returned as unserved. A request takes at most `timeoutMs`, 10 s by default.
 * @throws RangeError for a malformed `url`
 */
export function vroomSolver({ fallback, ...options }: VroomOptions): RoundSolver {
  const server = jsonServer({ timeoutMs: 10_000, ...options }, 'VROOM')
  return {
    async solve(problem, signal) {
      // On a holiday, for example, there is nothing to plan.
      if (problem.installers.every(({ plages }) => plages.length === 0)) return fallback.solve(problem, signal)
      try {
        const orders = ordersOf(problem, await server.post('/', vroomProblem(problem), signal))
        return planInOrder(problem, orders, { draw: seededDraws(1) })
      } catch (error) {
        const plan = await fallback.solve(problem, signal)
        const own = note('rounds_own', { problem: reasonOf(error) })
        return { ...plan, avertissements: [...plan.avertissements, own] }
      }
    },
  }
}

/** Visit ids by installer. @throws TypeError for an answer that is not VROOM's */
function ordersOf({ installers, visits }: RoundProblem, answer: unknown): Map<number, number[]> {
  if (!isRecord(answer) || answer['code'] !== 0 || !Array.isArray(answer['routes']))
    throw new TypeError('its answer has no routes')
  const orders = new Map<number, number[]>()
  for (const route of answer['routes']) {
    const vehicle = isRecord(route) ? Number(route['vehicle']) : 0
    const installer = installers[vehicle - 1]
    if (installer === undefined) throw new TypeError(`its answer names an unknown vehicle ${vehicle}`)
    const jobs = listOf(route['steps'])
      .filter(isRecord)
      .filter(({ type }) => type === 'job')
    orders.set(
      installer.id,
      jobs.flatMap(({ id }) => visits[Number(id) - 1]?.id ?? []),
    )
  }
  return orders
}

/** Ids and skills are positions in the lists, from 1: VROOM only accepts small numbers. */
export function vroomProblem(problem: RoundProblem) {
  const { installers, visits, travel } = problem
  const base = Math.min(...installers.flatMap(({ plages }) => plages.map(({ debut }) => debut))) - margin
  const relative = ({ debut, fin }: Span) => [Math.max(0, debut - base), Math.max(0, fin - base)]
  const trades = [...new Set(visits.flatMap(({ competence }) => competence ?? []))]
  // An unknown place is at no distance from any other: one more row of zeros.
  const nowhere = travel.seconds.length
  const durations = [...travel.seconds.map((row) => [...row, 0]), new Array<number>(nowhere + 1).fill(0)]
  return {
    vehicles: installers.map((installer, at) => ({
      id: at + 1,
      ...(installer.start !== null || installer.end !== null ? {} : { start_index: nowhere, end_index: nowhere }),
      ...(installer.start !== null && { start_index: installer.start }),
      ...(installer.end !== null && { end_index: installer.end }),
      skills: [...trades.keys()]
        .filter((trade) => installer.competences?.includes(trades[trade] ?? '') ?? true)
        .map((trade) => installers.length + trade + 1)
        .concat(at + 1),
      time_window: relative({
        debut: base,
        fin: Math.max(base, ...installer.plages.map(({ fin }) => fin)) + margin,
      }),
      breaks: breaksOf(installer).map((pause, place) => ({
        id: place + 1,
        service: pause.fin - pause.debut,
        time_windows: [relative({ debut: pause.debut, fin: pause.debut })],
      })),
    })),
    jobs: visits.flatMap((visit, at) => {
      const windows = startsOf(problem, visit).map(relative)
      if (windows.length === 0) return []
      return [
        {
          id: at + 1,
          location_index: visit.node ?? nowhere,
          service: visit.duration,
          priority: visit.isPromised ? 100 : 0,
          skills: [
            ...installers.flatMap(({ id }, place) => (id === visit.installer ? [place + 1] : [])),
            ...(visit.competence === null ? [] : [installers.length + trades.indexOf(visit.competence) + 1]),
          ],
          time_windows: windows,
        },
      ]
    }),
    matrices: { car: { durations } },
  }
}

const breaksOf = ({ plages }: RoundInstaller): Span[] =>
  plages.slice(1).map(({ debut }, at) => ({ debut: plages[at]?.fin ?? debut, fin: debut }))

/** When the visit may begin with any of its installers, in order and disjoint. */
function startsOf({ installers }: RoundProblem, { installer, fenetre, isPromised, duration }: RoundVisit): Span[] {
  if (isPromised && fenetre !== null) return [fenetre]
  const starts = installers
    .filter(({ id }) => installer === null || id === installer)
    .flatMap(({ plages }) => plages)
    .map(({ debut, fin }) => ({
      debut: Math.max(debut, fenetre?.debut ?? debut),
      fin: Math.min(fin - duration, fenetre?.fin ?? fin),
    }))
    .filter(({ debut, fin }) => debut <= fin)
    .toSorted((a, b) => a.debut - b.debut)
  const joined: Span[] = []
  for (const span of starts) {
    const last = joined.at(-1)
    if (last === undefined || span.debut > last.fin) joined.push(span)
    else joined[joined.length - 1] = { debut: last.debut, fin: Math.max(last.fin, span.fin) }
  }
  return joined
}
