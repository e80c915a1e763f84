import type { DayModel } from './day-model.js'
import type { DayRoute } from './day-route.js'
import type { PlannedVisit, Round, RoundInstaller, RoundProblem, RoundVisit, Travel } from './round-problem.js'

/** Of that installer's day in that order, from and to where it begins and ends. */
export function travelOf(
  { travel }: RoundProblem,
  { start, end }: RoundInstaller,
  visits: readonly RoundVisit[],
): Travel {
  const nodes = visits.length === 0 ? [] : [start, ...visits.map(({ node }) => node), end]
  let seconds = 0
  let meters = 0
  for (const [at, to] of nodes.entries()) {
    const from = nodes[at - 1] ?? null
    if (from === null || to === null) continue
    seconds += travel.seconds[from]?.[to] ?? 0
    meters += travel.meters[from]?.[to] ?? 0
  }
  return { seconds, meters }
}

/** Of all days as they stand: visits that stand with none of these installers are not in it. */
export function presentTravel(problem: RoundProblem): Travel {
  return summed(
    problem.installers.map((installer) => travelOf(problem, installer, presentVisits(problem, installer.id))),
  )
}

/** An installer's visits in the order in which they stand now. */
export function presentVisits({ visits }: RoundProblem, installer: number): RoundVisit[] {
  return visits
    .filter(({ current }) => current?.installer === installer)
    .toSorted((a, b) => (a.current?.debut ?? 0) - (b.current?.debut ?? 0) || a.id - b.id)
}

export function summed(travels: readonly Travel[]): Travel {
  return {
    seconds: travels.reduce((sum, { seconds }) => sum + seconds, 0),
    meters: travels.reduce((sum, { meters }) => sum + meters, 0),
  }
}

/** The days as they stand, one for each installer. */
export function presentRounds(problem: RoundProblem): Round[] {
  return problem.installers.map((installer) => {
    const inOrder = presentVisits(problem, installer.id)
    const visits = inOrder.map(({ id, current, duration }, at): PlannedVisit => {
      const debut = current?.debut ?? 0
      return { visit: id, debut, fin: debut + duration, travel: wayTo(problem, installer, inOrder, at) }
    })
    return { installer: installer.id, visits, ...travelOf(problem, installer, inOrder) }
  })
}

/** Seconds to the visit at a place of a day, from the one before it or from where the day begins. */
function wayTo(
  { travel }: RoundProblem,
  { start }: RoundInstaller,
  inOrder: readonly RoundVisit[],
  at: number,
): number {
  const from = at === 0 ? start : (inOrder[at - 1]?.node ?? null)
  const to = inOrder[at]?.node ?? null
  return from === null || to === null ? 0 : (travel.seconds[from]?.[to] ?? 0)
}

/** A day as it is told to people: each visit as early as can be. */
export function roundOf(
  problem: RoundProblem,
  { origin }: DayModel,
  { installer, visits, over }: DayRoute,
): Round | null {
  const who = problem.installers[installer]
  if (who === undefined) return null
  const inOrder = visits.flatMap((visit) => problem.visits[visit] ?? [])
  const planned = inOrder.map((visit, at): PlannedVisit => {
    const fin = origin + (over[at] ?? 0)
    return { visit: visit.id, debut: fin - visit.duration, fin, travel: wayTo(problem, who, inOrder, at) }
  })
  return { installer: who.id, visits: planned, ...travelOf(problem, who, inOrder) }
}
