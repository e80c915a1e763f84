import type { Draw } from '../../src/engines/rounds/draws.js'
import type { RoundInstaller, RoundVisit } from '../../src/engines/rounds/problem-parts.js'
import type { RoundProblem } from '../../src/rounds/round-problem.js'
import type { Point } from '../../src/travel/travel-times.js'
import { communes } from './communes.js'

const minute = 60
const hour = 60 * minute

const between = (draw: Draw, from: number, to: number) => from + Math.floor(draw() * (to - from + 1))

const any = <T>(draw: Draw, values: readonly T[]): T => {
  const value = values[between(draw, 0, values.length - 1)]
  if (value === undefined) throw new RangeError('nothing to choose from')
  return value
}

/** Somewhere within about three kilometres of the centre. */
const near = (draw: Draw, { lat, lon }: Point): Point => ({
  lat: lat + (draw() - 0.5) * 0.054,
  lon: lon + (draw() - 0.5) * 0.078,
})

function kilometers(a: Point, b: Point): number {
  const radians = Math.PI / 180
  const sin = (degrees: number) => Math.sin((degrees * radians) / 2) ** 2
  const h = sin(b.lat - a.lat) + Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * sin(b.lon - a.lon)
  return 2 * 6371 * Math.asin(Math.sqrt(h))
}

/** Whole minutes, so that solvers which know no steps plan the same days. */
function seconds(km: number): number {
  const road = km * 1.3
  const speed = road < 5 ? 25 : road < 20 ? 45 : 70
  return Math.ceil((road / speed) * 60) * minute
}

/**
 * A shop's day: installers from 8 to 12 and from 13 to 17, at home around one town, visits in the communes around it, some
 * with a window that was asked for, some promised, some for those alone who can do them.
 */
export function communeDay(draw: Draw, { installers, visits }: { installers: number; visits: number }): RoundProblem {
  const area = Object.values(any(draw, Object.values(communes)))
  const shop = near(draw, any(draw, area.slice(0, 3)))
  const points: Point[] = [shop]
  const people = Array.from({ length: installers }, (_, at): RoundInstaller => {
    const isAtHome = draw() < 0.5
    const node = isAtHome ? points.push(near(draw, any(draw, area))) - 1 : 0
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
  // As long as a day of so many visits lets them be: some days are then too full, and most are not.
  const most = (installers * 8 * 60) / visits
  const durations = [20, 30, 45, 60, 90, 120].filter((each) => each <= Math.max(30, most))
  const asked = Array.from({ length: visits }, (_, at): RoundVisit => {
    const node = points.push(near(draw, any(draw, draw() < 0.6 ? area.slice(0, 8) : area))) - 1
    const debut = (8 + between(draw, 0, 7)) * hour
    const window = draw()
    return {
      id: at + 1,
      node,
      duration: any(draw, durations) * minute,
      competence: draw() < 0.8 ? null : any(draw, ['menuiserie', 'electromenager']),
      installer: null,
      fenetre:
        window < 0.6
          ? null
          : window < 0.8
            ? { debut, fin: debut + 2 * hour }
            : any(draw, [
                { debut: 8 * hour, fin: 12 * hour },
                { debut: 13 * hour, fin: 17 * hour },
              ]),
      isPromised: false,
      current: null,
    }
  })
  const table = points.map((from) => points.map((to) => (from === to ? 0 : seconds(kilometers(from, to)))))
  const meters = points.map((from) => points.map((to) => Math.round(1300 * kilometers(from, to))))
  return { installers: people, visits: asked, travel: { seconds: table, meters }, step: 60 }
}
