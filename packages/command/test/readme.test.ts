import { expect, it } from 'vitest'
import { runReadmeExample } from '../../../test/readme.js'
import { exitCodes } from '../src/process/outcome.js'

it('the program of the README is the command, which misses its words', async () => {
  await using example = await runReadmeExample('command')
  expect(await example.ended).toBe(exitCodes.usage)
})
