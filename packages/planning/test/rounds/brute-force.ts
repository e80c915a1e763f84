import type { RoundInstaller, RoundVisit } from '../../src/engines/rounds/problem-parts.js'
import type { RoundPlan, RoundProblem } from '../../src/rounds/round-problem.js'

/** A plan's aims, in order: more `promises` and `served` are better, less `travel` and an earlier `end`. */
export interface Aims {
  readonly promises: number
  readonly served: number
  readonly travel: number
  readonly end: number
}

const isBetter = (a: Aims, b: Aims): boolean =>
  a.promises !== b.promises
    ? a.promises > b.promises
    : a.served !== b.served
      ? a.served > b.served
      : a.travel !== b.travel
        ? a.travel < b.travel
        : a.end < b.end

const nothing: Aims = { promises: 0, served: 0, travel: 0, end: 0 }

/** Whether the visit may begin at that instant, straight from the definition of the problem. */
export function mayBegin(installer: RoundInstaller, visit: RoundVisit, instant: number): boolean {
  if (visit.installer !== null && visit.installer !== installer.id) return false
  if (visit.competence !== null && installer.competences?.includes(visit.competence) === false) return false
  if (visit.fenetre !== null && (instant < visit.fenetre.debut || instant > visit.fenetre.fin)) return false
  if (visit.isPromised && visit.fenetre !== null) return true
  return installer.plages.some(({ debut, fin }) => debut <= instant && instant + visit.duration <= fin)
}

const isExact = ({ isPromised, fenetre }: RoundVisit) => isPromised && fenetre !== null && fenetre.debut === fenetre.fin

/** The best day of one installer among all choices and orders of visits, for a day of `horizon` seconds from 0. */
export function bruteForce(problem: RoundProblem, installer: RoundInstaller, horizon = 86_400): Aims {
  const { visits, travel, step } = problem
  const seconds = (from: number | null | undefined, to: number | null | undefined) =>
    from == null || to == null ? 0 : (travel.seconds[from]?.[to] ?? 0)
  const slots = horizon / step
  /** For each visit and slot, the next slot at which the visit may begin, counted from that slot on; -1: none. */
  const next = visits.map((visit) => {
    const firsts = new Int32Array(slots + 1).fill(-1)
    for (let slot = slots - 1; slot >= 0; slot--)
      firsts[slot] = mayBegin(installer, visit, slot * step) ? slot : (firsts[slot + 1] ?? -1)
    return firsts
  })
  let best = nothing
  const order: RoundVisit[] = []

  function extend(served: number, free: number, sum: number): void {
    const last = order.at(-1)
    if (last !== undefined) {
      const home = seconds(last.node, installer.end)
      const aims = {
        promises: order.filter(({ isPromised }) => isPromised).length,
        served: order.length,
        travel: sum + home,
        end: free + home,
      }
      if (isBetter(aims, best)) best = aims
    }
    for (const [at, visit] of visits.entries()) {
      if ((served & (1 << at)) !== 0) continue
      const leg = last === undefined ? seconds(installer.start, visit.node) : seconds(last.node, visit.node)
      let arrival = last === undefined ? 0 : free + leg
      if (last !== undefined && isExact(last) && isExact(visit) && free <= (visit.fenetre?.debut ?? 0))
        arrival = Math.min(arrival, visit.fenetre?.debut ?? 0)
      const slot = arrival >= horizon ? -1 : (next[at]?.[Math.ceil(arrival / step)] ?? -1)
      if (slot < 0) continue
      order.push(visit)
      extend(served | (1 << at), slot * step + visit.duration, sum + leg)
      order.pop()
    }
  }

  extend(0, 0, 0)
  return best
}

/** The aims of a plan for one installer. */
export function aimsOf({ visits, travel }: RoundProblem, installer: RoundInstaller, plan: RoundPlan): Aims {
  const round = plan.rounds.find((each) => each.installer === installer.id)
  const last = round?.visits.at(-1)
  const node = visits.find(({ id }) => id === last?.visit)?.node ?? null
  const home = node === null || installer.end === null ? 0 : (travel.seconds[node]?.[installer.end] ?? 0)
  const promised = new Set(visits.filter(({ isPromised }) => isPromised).map(({ id }) => id))
  return {
    promises: round?.visits.filter(({ visit }) => promised.has(visit)).length ?? 0,
    served: round?.visits.length ?? 0,
    travel: round?.seconds ?? 0,
    end: last === undefined ? 0 : last.fin + home,
  }
}
