import type { Draw } from '../../src/engines/rounds/draws.js'
import type { RoundInstaller, RoundVisit } from '../../src/engines/rounds/problem-parts.js'
import type { RoundProblem } from '../../src/rounds/round-problem.js'
import { estimatedMeters, estimatedSeconds } from '../../src/travel/bands.js'
import type { Point } from '../../src/travel/travel-times.js'
import { communes } from './communes.js'
import { between, oneOf } from './random-days.js'

const minute = 60
const hour = 60 * minute

/** A point within about three kilometres of the centre. */
const near = (draw: Draw, { lat, lon }: Point): Point => ({
  lat: lat + (draw() - 0.5) * 0.054,
  lon: lon + (draw() - 0.5) * 0.078,
})

/**
 * A shop's day. The installers work from 8 to 12 and from 13 to 17 and live around one town. The visits are in the
 * communes around it. Some have a window, and some need a skill.
 */
export function communeDay(draw: Draw, { installers, visits }: { installers: number; visits: number }): RoundProblem {
  const area = Object.values(oneOf(draw, Object.values(communes)))
  const shop = near(draw, oneOf(draw, area.slice(0, 3)))
  const points: Point[] = [shop]
  const people = Array.from({ length: installers }, (_, at): RoundInstaller => {
    const isAtHome = draw() < 0.5
    const node = isAtHome ? points.push(near(draw, oneOf(draw, area))) - 1 : 0
    return {
      id: at + 1,
      plages: [
        { debut: 8 * hour, fin: 12 * hour },
        { debut: 13 * hour, fin: 17 * hour },
      ],
      start: node,
      end: node,
      competences: at === 0 || draw() < 0.6 ? null : ['menuiserie'],
    }
  })
  // Durations for this number of visits: some days are too full, most are not.
  const most = (installers * 8 * 60) / visits
  const durations = [20, 30, 45, 60, 90, 120].filter((each) => each <= Math.max(30, most))
  const asked = Array.from({ length: visits }, (_, at): RoundVisit => {
    const node = points.push(near(draw, oneOf(draw, draw() < 0.6 ? area.slice(0, 8) : area))) - 1
    const debut = (8 + between(draw, 0, 7)) * hour
    const window = draw()
    return {
      id: at + 1,
      node,
      duration: oneOf(draw, durations) * minute,
      competence: draw() < 0.8 ? null : oneOf(draw, ['menuiserie', 'electromenager']),
      installer: null,
      fenetre:
        window < 0.6
          ? null
          : window < 0.8
            ? { debut, fin: debut + 2 * hour }
            : oneOf(draw, [
                { debut: 8 * hour, fin: 12 * hour },
                { debut: 13 * hour, fin: 17 * hour },
              ]),
      isPromised: false,
      current: null,
    }
  })
  // Travel takes whole minutes, so that solvers without a step size plan the same days.
  const seconds = points.map((from) => points.map((to) => Math.ceil(estimatedSeconds(from, to) / minute) * minute))
  const meters = points.map((from) => points.map((to) => estimatedMeters(from, to)))
  return { installers: people, visits: asked, travel: { seconds, meters }, step: 60 }
}
