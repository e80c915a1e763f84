import { expect, it } from 'vitest'
import { killRounds } from './kill-rounds.js'

it('a service killed during creates keeps every case that it has answered for, each with its event', {
  timeout: 60_000,
}, async () => {
  await expect(killRounds(5)).resolves.toBeUndefined()
})
