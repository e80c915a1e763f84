import { expect, it } from 'vitest'
import { runReadmeExample } from '../../../test/readme.js'

it('the example of the README runs', async () => {
  await using example = await runReadmeExample('planning')
  expect(await example.line()).toBe('function function')
  expect(await example.ended).toBe(0)
})
