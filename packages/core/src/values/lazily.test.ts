import { expect, it } from 'vitest'
import { lazily } from './lazily.js'

it('builds when it is first asked for, and once', () => {
  let builds = 0
  const found = lazily(() => {
    builds += 1
    return undefined
  })
  expect(builds).toBe(0)
  found()
  found()
  expect(builds).toBe(1)
})
