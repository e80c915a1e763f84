import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { exampleFolder, start } from './running.js'

const directory = exampleFolder()

const root = join(import.meta.dirname, '..')

/** Starts the embedding example. Resolves to its address and the call that it prints. */
async function embedding(file: string) {
  const env = { SHOP_DB: join(directory, file), SHOP_KEY: Buffer.alloc(32, 7).toString('base64'), PORT: '0' }
  const example = start('embedding', env)
  const printed: string[] = []
  while (!printed.at(-1)?.startsWith('listening on ')) {
    const { value } = await example.next()
    if (value === undefined) throw new Error(`it ended: ${printed.join()}`)
    printed.push(value)
  }
  return { example, url: printed.at(-1)?.replace('listening on ', ''), call: printed.at(-2) }
}

it('the embedding example serves the API, and ends cleanly on a signal', async () => {
  const { example, url } = await embedding('shop.db')
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  expect(await (await fetch(`${url}/api/v1/sav`)).json()).toEqual({
    success: false,
    error: 'Missing or invalid API key',
  })
  expect(await example.stop()).toEqual([0, null])
})

it('the embedding example prints a call that creates a case, and creates its key and client once', async () => {
  const first = await embedding('first.db')
  const { stdout } = await promisify(execFile)('sh', ['-c', first.call ?? ''])
  expect(stdout).toMatch(/^HTTP\/1\.1 201 /)
  await first.example.stop()

  const { url, call } = await embedding('first.db')
  expect(call).toBeUndefined()
  const [, key] = /Bearer (\S+)'/.exec(first.call ?? '') ?? []
  const made = await fetch(`${url}/api/v1/clients`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-request-timestamp': String(Math.floor(Date.now() / 1000)),
    },
    body: JSON.stringify({ nom: 'Lefèvre', prenom: 'Zoé' }),
  })
  expect([made.status, await made.json()]).toMatchObject([201, { data: { id: 2 } }])
})

it.each([
  ['embedding/main.ts', 26, 'docs/start/embed.md'],
  ['receivers/node.ts', 12, 'README.md'],
])('%s has fewer than %i lines; %s quotes all of it, and the README its beginning', (name, bound, page) => {
  const source = readFileSync(join(import.meta.dirname, name), 'utf8')
  expect(source.split('\n').length).toBeLessThan(bound)
  const shown = (file: string) => readFileSync(join(root, file), 'utf8')
  expect(shown(page)).toContain(`\`\`\`ts\n${source}\`\`\``)
  const [beginning = ''] = source.split('\n\n//')
  expect(shown('README.md')).toContain(`\`\`\`ts\n${beginning}`)
})
