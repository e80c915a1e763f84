import type { PlannedVisit, Round, RoundInstaller, RoundPlan, RoundProblem, RoundVisit } from './round-problem.js'

/**
 * Moves the start times of moved visits up to a grid of `seconds`, unless a visit would be lost or leave its window.
 * Later visits are delayed if necessary. A visit is unchanged if it keeps its time and installer, or if the plan itself
 * puts it outside hours or windows.
 */
export function onGrid(problem: RoundProblem, plan: RoundPlan, seconds: number): RoundPlan {
  const visits = new Map(problem.visits.map((visit) => [visit.id, visit]))
  const installers = new Map(problem.installers.map((installer) => [installer.id, installer]))
  const rounds = plan.rounds.map((round) => {
    const installer = installers.get(round.installer)
    return installer === undefined ? round : roundedUp(round, { installer, visits, step: problem.step, seconds })
  })
  return { ...plan, rounds }
}

interface RoundingContext {
  readonly installer: RoundInstaller
  readonly visits: ReadonlyMap<number, RoundVisit>
  readonly step: number
  readonly seconds: number
}

function roundedUp(round: Round, { installer, visits, step, seconds }: RoundingContext): Round {
  const planned = round.visits.flatMap((place) => {
    const visit = visits.get(place.visit)
    return visit === undefined ? [] : [{ ...place, visit }]
  })

  /** When a visit begins: as planned, or as early as possible after `free`. Null if it can no longer take place. */
  const startOf = (at: number, free: number): number | null => {
    const place = planned[at]
    if (place === undefined) return null
    // An installer travels to the first visit before working hours.
    const earliest = at === 0 ? free : free + place.travel
    return earliest <= place.debut ? place.debut : firstStart(place.visit, installer, ceil(earliest, step))
  }
  /** Whether all visits from `at` on still have a time. */
  const isPossible = (at: number, free: number): boolean => {
    let end = free
    for (let next = at; next < planned.length; next += 1) {
      const start = startOf(next, end)
      if (start === null) return false
      end = start + (planned[next]?.visit.duration ?? 0)
    }
    return true
  }

  let free = Number.NEGATIVE_INFINITY
  const placed = planned.map(({ visit, debut, travel }, at): PlannedVisit => {
    const start = startOf(at, free) ?? debut
    const up = ceil(start, seconds)
    const keeps = visit.current?.installer === installer.id && visit.current.debut === start
    const isRounded = !keeps && firstStart(visit, installer, up) === up && isPossible(at + 1, up + visit.duration)
    const chosen = isRounded ? up : start
    free = chosen + visit.duration
    return { visit: visit.id, debut: chosen, fin: free, travel }
  })
  return { ...round, visits: placed }
}

const ceil = (second: number, step: number) => Math.ceil(second / step) * step

/** The first second from `earliest` on at which the visit may begin, by its window and the installer's hours. */
function firstStart({ fenetre, duration, isPromised }: RoundVisit, { plages }: RoundInstaller, earliest: number) {
  const from = Math.max(earliest, fenetre?.debut ?? earliest)
  const plage = plages.find(({ debut, fin }) => Math.max(from, debut) + duration <= fin)
  const start = isPromised ? from : plage === undefined ? null : Math.max(from, plage.debut)
  return start === null || (fenetre !== null && start > fenetre.fin) ? null : start
}
