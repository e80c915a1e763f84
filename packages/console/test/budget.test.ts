import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, it } from 'vitest'

it('loads at most 60 kB of script and 15 kB of style before the first screen is there', async () => {
  const built = await build({
    configFile: join(import.meta.dirname, '../vite.config.ts'),
    build: { write: false },
  })
  if (!('output' in built)) throw new Error('more than one build')
  const chunks = new Map(built.output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])))
  const entry = built.output.find((file) => file.type === 'chunk' && file.isEntry)
  const list = built.output.find((file) => file.type === 'chunk' && file.name === 'list')
  const english = built.output.find((file) => file.type === 'chunk' && file.name === 'en')
  const first = new Set<string>()
  const load = (fileName: string) => {
    if (first.has(fileName)) return
    first.add(fileName)
    for (const each of chunks.get(fileName)?.imports ?? []) load(each)
  }
  for (const file of [entry, list, english]) load(file?.fileName ?? expect.fail('a chunk has another name'))
  const script = [...first].reduce((sum, name) => sum + gzipSync(chunks.get(name)?.code ?? '').length, 0)
  const style = built.output.reduce(
    (sum, file) => (file.type === 'asset' && file.fileName.endsWith('.css') ? sum + gzipSync(file.source).length : sum),
    0,
  )
  expect(script).toBeGreaterThan(5_000)
  expect(script).toBeLessThanOrEqual(60_000)
  expect(style).toBeGreaterThan(1_000)
  expect(style).toBeLessThanOrEqual(15_000)
})
