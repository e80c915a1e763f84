import { expect, it } from 'vitest'
import { aimsOf, bruteForce } from '../../../test/rounds/brute-force.js'
import { planFault } from '../../../test/rounds/plan-fault.js'
import { randomDay } from '../../../test/rounds/random-days.js'
import { seededDraws } from './draws.js'
import { solveRounds } from './solve-rounds.js'

const days = process.env['SAV_TEST_CHAOS'] === '1' ? 2000 : 200

it(`for ${days} random days of at most 8 visits, the plan is as good as trying every choice and order`, () => {
  let tight = 0
  for (let seed = 0; seed < days; seed++) {
    const draw = seededDraws(seed)
    const day = randomDay(draw, 2 + Math.floor(draw() * 7))
    const [installer] = day.installers
    if (installer === undefined) throw new Error('the day has no installer')
    const plan = solveRounds(day, { iterations: 0, draw })
    expect(planFault(day, plan), `seed ${seed}`).toBe(null)
    expect(aimsOf(day, installer, plan), `seed ${seed}`).toEqual(bruteForce(day, installer))
    expect(plan.isExact).toBe(true)
    if (plan.unserved.length > 0) tight++
  }
  // On some days every visit fits, on others not.
  expect(tight).toBeGreaterThan(days / 10)
  expect(tight).toBeLessThan((days * 9) / 10)
})
