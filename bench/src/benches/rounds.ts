import { seededRandom } from '@sav/core/testing'
import type { RoundProblem } from '@sav/planning'
import { solverInThread } from '@sav/planning/engines'
import { travelByBands } from '@sav/planning/feature'
import { ceiling, medianBy, type Row, type Settings } from '#bench'
import { longestHold } from '#longest-hold'
import { slowness } from '#machine'
import { runPart } from '#processes'

const runs = 3
const hour = 3600

/**
 * Measures the solver's thread: the time for 30 rounds of ten visits, and for one day with 60 visits and eight
 * installers. Also measures how long this blocks the calling process. Limits are scaled to the speed of this machine
 * (`slowness`). About 20 s.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  const factor = await slowness(say)
  const { manyMs, largeMs, heldMs, served } = await runPart(import.meta.url, solving, {})
  say(`${served} of 60 visits are served`)
  return [
    ceiling('rounds', 'ms for 30 rounds of 10', manyMs, 500 * factor),
    ceiling('rounds-large', 'ms for 60 visits, 8 installers', largeMs, 5000 * factor),
    ceiling('rounds-hold', 'ms, longest block of the process', heldMs, 50 * factor),
  ]
}

export interface SolveTimes {
  readonly manyMs: number
  readonly largeMs: number
  readonly heldMs: number
  /** How many visits of the large day are served. */
  readonly served: number
}

export async function solving(_: object): Promise<SolveTimes> {
  const solver = solverInThread()
  const days = await Promise.all(Array.from({ length: 30 }, (_day, n) => dayOf({ seed: n, installers: 1, visits: 10 })))
  const large = await dayOf({ seed: 99, installers: 8, visits: 60 })
  const many = () => Promise.all(days.map((day) => solver.solve(day)))
  await many()
  const measured: { manyMs: number; largeMs: number; heldMs: number }[] = []
  let served = 0
  for (let n = 0; n < runs; n += 1) {
    const start = performance.now()
    const first = await longestHold(many)
    const between = performance.now()
    const second = await longestHold(() => solver.solve(large))
    served = second.value.rounds.reduce((sum, { visits }) => sum + visits.length, 0)
    measured.push({
      manyMs: between - start,
      largeMs: performance.now() - between,
      heldMs: Math.max(first.longestMs, second.longestMs),
    })
  }
  await solver.close()
  const median = (by: (each: (typeof measured)[number]) => number) => by(medianBy(measured, by))
  return {
    manyMs: median(({ manyMs }) => manyMs),
    largeMs: median(({ largeMs }) => largeMs),
    heldMs: median(({ heldMs }) => heldMs),
    served,
  }
}

/**
 * Installers who work from 08:00 to 12:00 and 13:00 to 17:00, and visits of 20 to 40 minutes within 15 km around Lyon.
 * A third of the visits are promised for a half-day.
 */
async function dayOf({ seed, installers, visits }: { seed: number; installers: number; visits: number }) {
  const random = seededRandom(seed)
  const chance = () => Buffer.from(random(4)).readUInt32LE() / 2 ** 32
  const near = (center: number, extent: number) => center + (chance() - 0.5) * extent
  const points = Array.from({ length: installers + visits }, () => ({ lat: near(45.76, 0.27), lon: near(4.84, 0.38) }))
  const day: RoundProblem = {
    installers: Array.from({ length: installers }, (_, n) => ({
      id: n + 1,
      plages: [
        { debut: 8 * hour, fin: 12 * hour },
        { debut: 13 * hour, fin: 17 * hour },
      ],
      start: n,
      end: n,
      competences: null,
    })),
    visits: Array.from({ length: visits }, (_, n) => ({
      id: n + 1,
      node: installers + n,
      duration: (20 + 5 * Math.floor(chance() * 5)) * 60,
      competence: null,
      installer: null,
      fenetre:
        n % 3 === 0 ? { debut: (n % 2 === 0 ? 8 : 13) * hour, fin: (n % 2 === 0 ? 12 : 17) * hour - 2400 } : null,
      isPromised: false,
      current: null,
    })),
    travel: await travelByBands.table(points),
    step: 60,
  }
  return day
}
