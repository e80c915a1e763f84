import type { PlannedVisit, Round, RoundInstaller, RoundProblem, RoundVisit, Travel } from './round-problem.js'

/** An installer's visits in their current order. */
export function presentVisits({ visits }: RoundProblem, installer: number): RoundVisit[] {
  return visits
    .filter(({ current }) => current?.installer === installer)
    .toSorted((a, b) => (a.current?.debut ?? 0) - (b.current?.debut ?? 0) || a.id - b.id)
}

/** The current days, one for each installer. */
export const presentRounds = (problem: RoundProblem): Round[] =>
  problem.installers.map((installer) =>
    roundOf(problem, installer, presentVisits(problem, installer.id), ({ current }) => current?.debut ?? 0),
  )

/**
 * The installer's round of `visits`, in the order in which they are given.
 * @param debutOf the second at which a visit begins
 */
export function roundOf(
  { travel }: RoundProblem,
  { id, start, end }: RoundInstaller,
  visits: readonly RoundVisit[],
  debutOf: (visit: RoundVisit, at: number) => number,
): Round {
  const way = (table: readonly (readonly number[])[], from: number | null, to: number | null) =>
    from === null || to === null ? 0 : (table[from]?.[to] ?? 0)
  const before = (at: number) => (at === 0 ? start : (visits[at - 1]?.node ?? null))
  const whole = (table: readonly (readonly number[])[]) =>
    visits.length === 0
      ? 0
      : visits.reduce((sum, { node }, at) => sum + way(table, before(at), node), way(table, before(visits.length), end))
  const planned = visits.map((visit, at): PlannedVisit => {
    const debut = debutOf(visit, at)
    return {
      visit: visit.id,
      debut,
      fin: debut + visit.duration,
      travel: way(travel.seconds, before(at), visit.node),
    }
  })
  return { installer: id, visits: planned, seconds: whole(travel.seconds), meters: whole(travel.meters) }
}

export function summed(travels: readonly Travel[]): Travel {
  return {
    seconds: travels.reduce((sum, { seconds }) => sum + seconds, 0),
    meters: travels.reduce((sum, { meters }) => sum + meters, 0),
  }
}
