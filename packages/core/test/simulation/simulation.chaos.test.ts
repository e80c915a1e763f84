import { expect, it } from 'vitest'
import { simulate } from './simulate.js'

const only = process.env['SAV_TEST_SEED']
const seeds = only === undefined ? (process.env['SAV_TEST_CHAOS'] === '1' ? 1_000 : 6) : 1

it('the same seed gives the same history', async () => {
  const [first, second] = [await simulate(1), await simulate(1)]
  expect(second).toEqual(first)
})

it(`over ${seeds} histories of crashes, pauses, lost answers and stepping clocks every invariant holds`, {
  timeout: 240_000 + seeds * 1_000,
}, async () => {
  const reached = { attempts: 0, stale: 0, takenOver: 0, delivered: 0, failed: 0 }
  for (let seed = Number(only ?? 1), left = seeds; left > 0; seed += 1, left -= 1) {
    const history = await simulate(seed, { traced: only !== undefined })
    if (only !== undefined) console.log(history.trace.join('\n'))
    if (history.violation !== null) expect.fail(`${history.violation} (replay it with SAV_TEST_SEED=${seed})`)
    for (const key of ['attempts', 'stale', 'takenOver', 'delivered', 'failed'] as const)
      reached[key] += history.reached[key]
  }
  // The histories reach every situation often enough.
  if (only === undefined) for (const times of Object.values(reached)) expect(times).toBeGreaterThan(seeds)
})
