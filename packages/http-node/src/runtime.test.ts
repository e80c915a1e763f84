import { once } from 'node:events'
import { expect, it } from 'vitest'
import { secureRandom, systemClock } from './runtime.js'

it('random bytes never repeat, even if the pool is refilled, or holds fewer than are requested', () => {
  const seen = new Set<string>()
  for (let n = 0; n < 1000; n += 1) seen.add(Buffer.from(secureRandom(16)).toString('hex'))
  expect(seen.size).toBe(1000)
  expect(secureRandom(5000)).toHaveLength(5000)
  expect(secureRandom(4096)).not.toEqual(secureRandom(4096))
})

it.each([0, 5])('a timer of %i ms fires once, unless it was cancelled', async (delayMs) => {
  const target = new EventTarget()
  const cancel = systemClock.after(delayMs, () => target.dispatchEvent(new Event('cancelled')))
  target.addEventListener('cancelled', () => expect.unreachable())
  cancel()
  systemClock.after(delayMs, () => target.dispatchEvent(new Event('fired')))
  await once(target, 'fired')
})
