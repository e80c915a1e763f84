import { spawn, spawnSync } from 'node:child_process'
import { json } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { seededDraws } from '../../src/engines/rounds/draws.js'
import { solveRounds } from '../../src/engines/rounds/solve-rounds.js'
import { communeDay } from './commune-days.js'
import { planFault } from './plan-fault.js'

const isFull = process.env['SAV_TEST_CHAOS'] === '1'
const days = isFull ? 50 : 3
const secondsEach = isFull ? 8 : 2

/** A Python with OR-Tools: `python3 -m venv V && V/bin/pip install ortools`, then `SAV_REFERENCE_PYTHON=V/bin/python`. */
const python = process.env['SAV_REFERENCE_PYTHON'] ?? 'python3'
const isThere = spawnSync(python, ['-c', 'import ortools.constraint_solver.pywrapcp']).status === 0

interface PlanScore {
  readonly served: number
  readonly travel: number
}

async function byOrTools(problems: readonly object[]): Promise<(PlanScore | null)[]> {
  const solver = spawn(python, [`${import.meta.dirname}/reference.py`], { stdio: ['pipe', 'pipe', 'inherit'] })
  solver.stdin.end(JSON.stringify(problems.map((problem) => ({ problem, seconds: secondsEach }))))
  const answered: unknown = await json(solver.stdout)
  return answered as (PlanScore | null)[]
}

it.skipIf(!isThere)(
  `${days} plans among French communes nearly match OR-Tools (skipped without ortools in SAV_REFERENCE_PYTHON)`,
  async () => {
    const problems = Array.from({ length: days }, (_, place) => {
      // 3 to 8 installers, 15 to 60 visits.
      const visits = 15 + Math.floor((place * 45) / Math.max(1, days - 1))
      return communeDay(seededDraws(1000 + place), { installers: 3 + (place % 6), visits })
    })
    const references = await byOrTools(problems)
    const ratios: number[] = []
    for (const [place, problem] of problems.entries()) {
      const { length } = problem.visits
      const plan = solveRounds(problem, { iterations: 1000 + 200 * length, draw: seededDraws(1) })
      expect(planFault(problem, plan)).toBe(null)
      const served = length - plan.unserved.length
      const reference = references[place]
      if (!reference) continue
      expect(served, `visits served of day ${place}`).toBeGreaterThanOrEqual(reference.served)
      if (served === reference.served) ratios.push(plan.after.seconds / reference.travel)
    }
    ratios.sort((a, b) => a - b)
    const median = ratios[Math.floor(ratios.length / 2)] ?? Number.POSITIVE_INFINITY
    console.log(`travel against OR-Tools on ${ratios.length} days: median ${median}, worst ${ratios.at(-1)}`)
    expect(ratios.length).toBeGreaterThan(days / 2)
    expect(median).toBeLessThanOrEqual(1.03)
    expect(ratios.at(-1)).toBeLessThanOrEqual(1.08)
  },
  isFull ? 1_800_000 : 60_000,
)
