import { expect, it } from 'vitest'
import { runReadmeExample } from '../../../test/readme.js'

it('the example of the README answers a call', async () => {
  await using example = await runReadmeExample('http-node')
  const list = { success: true, data: [], pagination: { page: 1, limite: 50, total: 0, curseur: null } }
  expect(await example.line()).toBe(`200 ${JSON.stringify(list)}`)
})
