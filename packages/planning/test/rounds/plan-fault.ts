import type { RoundPlan, RoundProblem } from '../../src/rounds/round-problem.js'
import { mayBegin } from './brute-force.js'

/** The first violated rule of a plan, straight from the definition of the problem; null: none. */
export function planFault({ installers, visits, travel, step }: RoundProblem, plan: RoundPlan): string | null {
  const seen = [...plan.rounds.flatMap((round) => round.visits), ...plan.unserved].map(({ visit }) => visit)
  if (
    seen.toSorted().join() !==
    visits
      .map(({ id }) => id)
      .toSorted()
      .join()
  )
    return 'a visit is missing or repeated'
  for (const round of plan.rounds) {
    const installer = installers.find(({ id }) => id === round.installer)
    if (installer === undefined) return `there is no installer ${round.installer}`
    let previous: { node: number | null; fin: number; exact: boolean } = {
      node: installer.start,
      fin: Number.NEGATIVE_INFINITY,
      exact: false,
    }
    let sum = 0
    for (const { visit: id, debut, fin, travel: told } of round.visits) {
      const visit = visits.find((each) => each.id === id)
      if (visit === undefined) return `there is no visit ${id}`
      const leg = previous.node === null || visit.node === null ? 0 : (travel.seconds[previous.node]?.[visit.node] ?? 0)
      const exact = visit.isPromised && visit.fenetre?.debut === visit.fenetre?.fin
      if (told !== leg) return `travel to ${id} is ${leg}, not ${told}`
      if (fin - debut !== visit.duration) return `${id} takes ${fin - debut}`
      if (!exact && debut % step !== 0) return `${id} begins at ${debut}`
      if (!mayBegin(installer, visit, debut)) return `${id} may not begin at ${debut}`
      if (debut < previous.fin + (exact && previous.exact ? 0 : leg)) return `${id} cannot be reached by ${debut}`
      previous = { node: visit.node, fin, exact }
      sum += leg
    }
    const home = installer.end === null || previous.node === null ? 0 : travel.seconds[previous.node]?.[installer.end]
    if (round.visits.length > 0 && round.seconds !== sum + (home ?? 0)) return `travel of ${round.installer} is ${sum}`
  }
  return null
}
