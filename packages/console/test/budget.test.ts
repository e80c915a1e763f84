import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Manifest } from 'vite'
import { expect, inject, it } from 'vitest'

const directory = inject('consolePages')
const read = (file: string) => readFileSync(join(directory, file))
const gzippedLength = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + gzipSync(read(file)).length, 0)

it('the installers’ app has at most 60 kB of script and 15 kB of style, with every screen and the worker', () => {
  const files = readdirSync(join(directory, 'terrain'), { recursive: true }).map((name) => `terrain/${name}`)
  const lengthOf = (ending: RegExp) => gzippedLength(files.filter((name) => ending.test(name)))
  // The sentences of refusals are not counted: as in the office, they are loaded after the first screen.
  const script = lengthOf(/(?<!\/refusals-[\w-]+)\.js$/)
  expect(script).toBeGreaterThan(40_000)
  expect(script).toBeLessThanOrEqual(60_000)
  const style = lengthOf(/\.css$/)
  expect(style).toBeGreaterThan(1_000)
  expect(style).toBeLessThanOrEqual(15_000)
})

it('the office loads at most 60 kB of script and 15 kB of style before its first screen', () => {
  const manifest: Manifest = JSON.parse(read('.vite/manifest.json').toString())
  const scripts = new Set<string>()
  const load = (name: string) => {
    const { file, imports = [] } = manifest[name] ?? expect.fail(`${name} is no chunk any more`)
    if (scripts.has(file)) return
    scripts.add(file)
    for (const each of imports) load(each)
  }
  for (const first of ['index.html', 'cases/list/list.tsx', 'words/en.ts']) load(first)
  const styles = new Set(Object.values(manifest).flatMap(({ css = [] }) => css))
  const script = gzippedLength(scripts)
  const style = gzippedLength(styles)
  expect(script).toBeGreaterThan(5_000)
  expect(script).toBeLessThanOrEqual(60_000)
  expect(style).toBeGreaterThan(1_000)
  expect(style).toBeLessThanOrEqual(15_000)
})
