import { expect, it } from 'vitest'
import { runReadmeExample } from '../../../test/readme.js'
import { exitCodes } from '../src/process/outcome.js'

it('the program in the README runs the command, which is refused without arguments', async () => {
  await using example = await runReadmeExample('command')
  expect(await example.ended).toBe(exitCodes.usage)
})
