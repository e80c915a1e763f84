import type { Note } from '../travel/notes.js'
import type { RoundInstaller, RoundPlan, RoundProblem, RoundVisit } from './round-problem.js'
import { presentRounds, presentVisits, summed } from './round-travel.js'

/** A plan in which nothing moves. */
export function asItStands(problem: RoundProblem, avertissements: readonly Note[] = []): RoundPlan {
  const rounds = presentRounds(problem)
  const travel = summed(rounds)
  return { rounds, unserved: [], before: travel, after: travel, isExact: false, avertissements }
}

/** Whether the plan is worth moving visits: it takes fewer minutes of travel, or the current day is infeasible. */
export const worthMoving = (problem: RoundProblem, { before, after }: RoundPlan): boolean =>
  Math.ceil(after.seconds / 60) < Math.ceil(before.seconds / 60) || !canStand(problem)

/** Whether each installer can do all visits at their current times, and arrive in time. */
function canStand(problem: RoundProblem): boolean {
  return presentRounds(problem).every((round, place) => {
    const installer = problem.installers[place]
    if (installer === undefined) return false
    const visits = presentVisits(problem, installer.id)
    return round.visits.every(({ debut, fin, travel }, at) => {
      const [visit, before] = [visits[at], visits[at - 1]]
      if (visit === undefined) return false
      const isPromise = visit.isPromised && (before?.isPromised ?? true)
      const free = round.visits[at - 1]?.fin
      return holds(visit, installer, { debut, fin }) && (isPromise || free === undefined || free + travel <= debut)
    })
  })
}

function holds(
  { isPromised, fenetre, competence }: RoundVisit,
  { plages, competences }: RoundInstaller,
  { debut, fin }: { readonly debut: number; readonly fin: number },
): boolean {
  if (isPromised) return true
  if (fenetre !== null && (debut < fenetre.debut || debut > fenetre.fin)) return false
  if (competence !== null && competences !== null && !competences.includes(competence)) return false
  return plages.some((plage) => plage.debut <= debut && fin <= plage.fin)
}
