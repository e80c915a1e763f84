import { expect, it } from 'vitest'
import { killRounds } from '../kill-rounds.js'

const rounds = 100

it.runIf(process.env['SAV_TEST_CHAOS'] === '1')(
  `a service killed ${rounds} times during creates keeps every case that it has answered for, each with its event`,
  { timeout: rounds * 10_000 },
  async () => {
    await expect(killRounds(rounds)).resolves.toBeUndefined()
  },
)
