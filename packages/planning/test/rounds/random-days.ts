import type { Draw } from '../../src/engines/rounds/draws.js'
import type { RoundInstaller, RoundVisit, Span } from '../../src/engines/rounds/problem-parts.js'
import type { RoundProblem } from '../../src/rounds/round-problem.js'

const minute = 60
const hour = 60 * minute

const trades = ['menuiserie', 'electromenager', 'plomberie'] as const

/** A whole number from `from` to `to`. */
export const between = (draw: Draw, from: number, to: number) => from + Math.floor(draw() * (to - from + 1))

export function oneOf<T>(draw: Draw, values: readonly T[]): T {
  const value = values[between(draw, 0, values.length - 1)]
  if (value === undefined) throw new RangeError('nothing to choose from')
  return value
}

/**
 * Small difficult days: windows that exclude each other, promises outside working hours, unknown places, impossible
 * travel, visits longer than any morning.
 */
export function randomDay(draw: Draw, count: number, installers = 1): RoundProblem {
  const nodes = count + 2
  const isAsymmetric = draw() < 0.3
  // On some days many trips are equally long, so that the end of the day decides.
  const unit = oneOf(draw, [1, 1, 20 * minute])
  const points = Array.from({ length: nodes }, () => [draw() * 50, draw() * 50] as const)
  const seconds = points.map(([x, y], from) =>
    points.map(([u, v], to) => {
      if (from === to) return 0
      const direct = Math.hypot(x - u, y - v) * oneOf(draw, [60, 90]) * (isAsymmetric ? 0.7 + 0.6 * draw() : 1)
      return Math.round(direct / unit) * unit
    }),
  )
  const people = Array.from({ length: installers }, (_, at) => randomInstaller(draw, at + 1))
  return {
    installers: people,
    visits: Array.from({ length: count }, (_, at) => randomVisit(draw, at, people)),
    travel: { seconds, meters: seconds.map((row) => row.map((each) => each * 14)) },
    step: oneOf(draw, [60, 60, 60, 300]),
  }
}

function randomInstaller(draw: Draw, id: number): RoundInstaller {
  const begin = oneOf(draw, [7, 8, 8, 9]) * hour + oneOf(draw, [0, 0, 30]) * minute
  const noon = 12 * hour
  const plages: Span[] =
    draw() < 0.7
      ? [
          { debut: begin, fin: noon },
          { debut: noon + oneOf(draw, [45, 60, 90]) * minute, fin: oneOf(draw, [16, 17, 18]) * hour },
        ]
      : [{ debut: begin, fin: begin + oneOf(draw, [4, 6, 9]) * hour }]
  return {
    id,
    plages,
    start: draw() < 0.7 ? 0 : null,
    end: draw() < 0.7 ? oneOf(draw, [0, 1]) : null,
    competences: draw() < 0.5 ? null : trades.filter(() => draw() < 0.7),
  }
}

function randomVisit(draw: Draw, at: number, installers: readonly RoundInstaller[]): RoundVisit {
  const visit = {
    id: 1000 + at,
    node: draw() < 0.05 ? null : at + 2,
    duration: oneOf(draw, [15, 30, 30, 45, 60, 90, 120, 270]) * minute,
    competence: draw() < 0.2 ? oneOf(draw, trades) : null,
    installer: null,
    current: null,
  }
  const kind = draw()
  if (kind < 0.5) return { ...visit, fenetre: null, isPromised: false }
  const debut = between(draw, 7 * 4, 17 * 4) * 15 * minute
  if (kind < 0.8)
    return { ...visit, fenetre: { debut, fin: debut + between(draw, 0, 16) * 15 * minute }, isPromised: false }
  const installer = oneOf(draw, [installers[0]?.id ?? 1, ...installers.map(({ id }) => id)])
  const length = draw() < 0.5 ? 0 : between(draw, 1, 8) * 15 * minute
  return { ...visit, installer, competence: null, fenetre: { debut, fin: debut + length }, isPromised: true }
}
