import { Writable } from 'node:stream'
import { UnavailableError } from '@sav/core'
import { expect, it } from 'vitest'
import { lookUntilStopped } from './watch.js'

const away = new UnavailableError('The service cannot be reached.', { retryAfterSeconds: 1 })

/**
 * Runs `lookUntilStopped` until all answers are used. Resolves to what it wrote on standard error.
 * @param answers an error, or null for success, for each look in turn
 */
async function looking(answers: readonly (Error | null)[]): Promise<string[]> {
  const said: string[] = []
  const stderr = new Writable({
    write(chunk, _, done) {
      said.push(String(chunk))
      done()
    },
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  const left = [...answers]
  const look = async () => {
    const answer = left.shift() ?? null
    if (left.length === 0) resolve()
    if (answer !== null) throw answer
  }
  await lookUntilStopped({ stderr, untilStopped: () => promise }, look, { everyMs: 1 })
  return said
}

it('each outage of the service is reported once, however long it lasts', async () => {
  const told = 'The service cannot be reached. (waiting until it is back)\n'
  expect(await looking([null, away, away, away])).toEqual([told])
  expect(await looking([null, away, away, null, away, away])).toEqual([told, told])
  expect(await looking([null, null])).toEqual([])
})

it('an outage at the first look ends the command; later, only other errors end it', async () => {
  await expect(looking([away])).rejects.toBe(away)
  await expect(looking([null, new Error('a fault')])).rejects.toThrow('a fault')
})
