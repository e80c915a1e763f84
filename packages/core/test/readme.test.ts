import { expect, it } from 'vitest'
import { runReadmeExample } from '../../../test/readme.js'

it('the README shows an example that runs', async () => {
  await using example = await runReadmeExample('core')
  expect(await example.line()).toBe('SAV-2026-00001, evidence 1: 0 broken')
  expect(await example.ended).toBe(0)
})
