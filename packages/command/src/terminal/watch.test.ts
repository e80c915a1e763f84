import { Writable } from 'node:stream'
import { UnavailableError } from '@sav/core'
import { expect, it } from 'vitest'
import { lookUntilStopped } from './watch.js'

const away = new UnavailableError('The service cannot be reached.', { retryAfterSeconds: 1 })

/** Looks as often as there are answers, and is then stopped. */
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

it('says once for each time that the service is away, however often it looks', async () => {
  const told = 'The service cannot be reached. (waiting until it is back)\n'
  expect(await looking([null, away, away, away])).toEqual([told])
  expect(await looking([null, away, away, null, away, away])).toEqual([told, told])
  expect(await looking([null, null])).toEqual([])
})

it('ends with an error of the first look, and with other errors later', async () => {
  await expect(looking([away])).rejects.toBe(away)
  await expect(looking([null, new Error('a fault')])).rejects.toThrow('a fault')
})
