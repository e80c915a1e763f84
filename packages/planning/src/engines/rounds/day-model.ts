import type { RoundProblem } from '../../rounds/round-problem.js'
import type { RoundInstaller, RoundVisit, Span } from './problem-parts.js'

/**
 * The problem as the searches read it: visits and installers are indices, times are seconds from `origin`. Matrices are
 * flat: `[from * visits + to]`, `[installer * visits + visit]`.
 */
export interface DayModel {
  readonly visits: number
  readonly installers: number
  readonly origin: number
  readonly step: number
  readonly duration: Float64Array
  /** The weight of serving a visit; a promised visit weighs more than all others together. */
  readonly worth: Float64Array
  /** Travel, for the cost. */
  readonly travel: Float64Array
  /** The time between two visits: travel, except between two exact promises. */
  readonly gap: Float64Array
  /** Travel from the start of an installer's day, and to its end. */
  readonly outward: Float64Array
  readonly homeward: Float64Array
  /**
   * The seconds at which a visit may begin with an installer: the first and the last second of each range, in order.
   * Without a range the installer cannot do the visit.
   */
  readonly ranges: readonly Float64Array[]
}

/**
 * The worth of a promised visit: more than all other visits of a day can have together, so that nothing outweighs a
 * promise.
 */
const promiseWorth = 10_000

export function dayModel(problem: RoundProblem): DayModel {
  const { visits, installers, travel, step } = problem
  const n = visits.length
  const seconds = (from: number | null, to: number | null) =>
    from === null || to === null ? 0 : (travel.seconds[from]?.[to] ?? 0)
  const origin = originOf(problem)
  const between = visits.flatMap((from) => visits.map((to) => seconds(from.node, to.node)))
  return {
    visits: n,
    installers: installers.length,
    origin,
    step,
    duration: Float64Array.from(visits, ({ duration }) => duration),
    worth: Float64Array.from(visits, ({ isPromised }) => (isPromised ? promiseWorth : 1)),
    travel: Float64Array.from(between),
    gap: Float64Array.from(between, (needed, at) => {
      const from = visits[Math.floor(at / n)]
      const to = visits[at % n]
      const agreed = from && to ? promisedGap(from, to) : null
      return agreed === null ? needed : Math.min(needed, agreed)
    }),
    outward: Float64Array.from(installers.flatMap(({ start }) => visits.map(({ node }) => seconds(start, node)))),
    homeward: Float64Array.from(installers.flatMap(({ end }) => visits.map(({ node }) => seconds(node, end)))),
    ranges: installers.flatMap((installer) => visits.map((visit) => rangesOf(visit, installer, origin, step))),
  }
}

/**
 * The origin of times: the earliest instant of the day, rounded down to a multiple of the step. Times from there are
 * small numbers, which lose no precision in sums.
 */
function originOf({ installers, visits, step }: RoundProblem): number {
  const instants = [
    ...installers.flatMap(({ plages }) => plages.map(({ debut }) => debut)),
    ...visits.flatMap(({ fenetre }) => (fenetre === null ? [] : [fenetre.debut])),
  ]
  const first = instants.reduce((least, instant) => Math.min(least, instant), Number.POSITIVE_INFINITY)
  return Number.isFinite(first) ? Math.floor(first / step) * step : 0
}

const isExact = ({ isPromised, fenetre }: RoundVisit) => isPromised && fenetre !== null && fenetre.debut === fenetre.fin

/** The time between two visits whose times are promised to the second; null for others. */
function promisedGap(from: RoundVisit, to: RoundVisit): number | null {
  if (from.fenetre === null || to.fenetre === null || !isExact(from) || !isExact(to)) return null
  return Math.max(0, to.fenetre.debut - from.fenetre.debut - from.duration)
}

export function canDo(installer: RoundInstaller, { competence, installer: only }: RoundVisit): boolean {
  if (only !== null && only !== installer.id) return false
  return competence === null || installer.competences === null || installer.competences.includes(competence)
}

/** When the visit may begin with the installer, in seconds from the origin. */
function rangesOf(visit: RoundVisit, installer: RoundInstaller, origin: number, step: number): Float64Array {
  if (!canDo(installer, visit)) return new Float64Array()
  const { fenetre, isPromised, duration } = visit
  if (isPromised && fenetre !== null) {
    const promised = { debut: fenetre.debut - origin, fin: fenetre.fin - origin }
    const whole = isExact(visit) ? [] : onGrid(promised, step)
    return Float64Array.from(whole.length > 0 ? whole : [promised.debut, promised.debut])
  }
  return Float64Array.from(
    installer.plages.flatMap(({ debut, fin }) =>
      onGrid(
        {
          debut: Math.max(debut, fenetre?.debut ?? debut) - origin,
          fin: Math.min(fin - duration, fenetre?.fin ?? fin) - origin,
        },
        step,
      ),
    ),
  )
}

function onGrid({ debut, fin }: Span, step: number): number[] {
  const first = Math.ceil(debut / step) * step
  const last = Math.floor(fin / step) * step
  return first <= last ? [first, last] : []
}

const none = new Float64Array()

/** The first second at or after `instant` at which the visit may begin; infinite if there is none. */
export function earliestStart({ ranges, visits, step }: DayModel, installer: number, visit: number, instant: number) {
  const range = ranges[installer * visits + visit] ?? none
  for (let at = 0; at < range.length; at += 2) {
    const first = range[at] ?? 0
    if (instant <= first) return first
    const start = Math.ceil(instant / step) * step
    if (start <= (range[at + 1] ?? 0)) return start
  }
  return Number.POSITIVE_INFINITY
}

/** The last second at or before `instant` at which the visit may begin; minus infinity if there is none. */
export function latestStart({ ranges, visits, step }: DayModel, installer: number, visit: number, instant: number) {
  const range = ranges[installer * visits + visit] ?? none
  for (let at = range.length - 2; at >= 0; at -= 2) {
    const last = range[at + 1] ?? 0
    if (instant >= last) return last
    if (instant >= (range[at] ?? 0)) return Math.floor(instant / step) * step
  }
  return Number.NEGATIVE_INFINITY
}

/** Whether the installer may do the visit at some time of the day. */
export function isEligible({ ranges, visits }: DayModel, installer: number, visit: number): boolean {
  return (ranges[installer * visits + visit]?.length ?? 0) > 0
}
