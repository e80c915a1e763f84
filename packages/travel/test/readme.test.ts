import { expect, it } from 'vitest'
import { runReadmeExample } from '../../../test/readme.js'

it('the example of the README runs, and tells the order of the day', async () => {
  await using example = await runReadmeExample('travel')
  expect(await example.line()).toBe('08:00 Villeurbanne')
  expect(await example.line()).toBe('09:00 Bron')
  expect(await example.line()).toBe('13:30 Givors')
  expect(await example.line()).toBe('12 minutes saved')
  expect(await example.ended).toBe(0)
})
