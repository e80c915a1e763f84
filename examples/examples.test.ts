import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { exampleFolder, start } from './running.js'

const directory = exampleFolder()

const root = join(import.meta.dirname, '..')

it('the embedding example serves the API', async () => {
  const lines = start('embedding', {
    SHOP_DB: join(directory, 'shop.db'),
    SHOP_KEY: Buffer.alloc(32, 7).toString('base64'),
    PORT: '0',
  })
  const { value } = await lines.next()
  const url = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(value ?? '')?.[1]
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  expect(await (await fetch(`${url}/api/v1/sav`)).json()).toEqual({
    success: false,
    error: 'Missing or invalid API key',
  })
})

it('the embedding example ends well when it is told to', async () => {
  const lines = start('embedding', {
    SHOP_DB: join(directory, 'ended.db'),
    SHOP_KEY: Buffer.alloc(32, 7).toString('base64'),
    PORT: '0',
  })
  await lines.next()
  expect(await lines.stop()).toEqual([0, null])
})

it.each([
  ['embedding/main.ts', 20],
  ['receivers/node.ts', 12],
])('the README shows %s as it is, in fewer than %i lines', (name, bound) => {
  const source = readFileSync(join(import.meta.dirname, name), 'utf8')
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`\`\`\`ts\n${source}\`\`\``)
  expect(source.trimEnd().split('\n').length).toBeLessThan(bound)
})
