import { expect, it } from 'vitest'
import { runReadmeExample } from '../../../test/readme.js'

it('the example in the README runs', async () => {
  await using example = await runReadmeExample('all')
  expect(await example.line()).toBe('function function')
  expect(await example.ended).toBe(0)
})
