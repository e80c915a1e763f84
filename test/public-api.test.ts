import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { publicApis } from './public-api.js'

const packages = join(import.meta.dirname, '../packages')
const names = readdirSync(packages).filter((name) => !['api-reference', 'cli'].includes(name))

const apis = publicApis(names.map((name) => join(packages, name)))

/** `npm test -- public-api -u` rewrites etc/ after an intended change. */
describe.each(names.map((name, index) => [name, apis[index]] as const))('the public API of %s', (name, api) => {
  it('equals the report in etc/, so that no change goes unnoticed', async () => {
    await expect(api?.report).toMatchFileSnapshot(join(import.meta.dirname, `../etc/${name}.api.md`))
  })

  it('has a docstring for each export', () => expect(api?.undocumented).toEqual([]))

  it('describes each field of inputs and options', () => expect(api?.silentFields).toEqual([]))

  it('gives each number a meaning and a unit', () => expect(api?.unsaidNumbers).toEqual([]))

  it('has an `@throws` for each error that its functions throw', () => expect(api?.unsaidErrors).toEqual([]))

  // `command` is a new package, which no program on an older TypeScript imports.
  it.skipIf(name === 'command')('has only types that TypeScript 5.4 knows', () => expect(api?.newerThan54).toEqual([]))

  it('has no `any`', () => expect(api?.untyped).toEqual([]))
})

it('the entries of the core export few enough names to read', () => {
  const { sizes = {} } = apis[names.indexOf('core')] ?? {}
  const {
    '@sav/core': root = 0,
    '@sav/core/ports': ports = 0,
    '@sav/core/adapter': adapter = 0,
    '@sav/core/feature': feature = 0,
    ...others
  } = sizes
  expect(root).toBeLessThanOrEqual(90)
  expect(ports).toBeLessThanOrEqual(110)
  expect(adapter).toBeLessThanOrEqual(100)
  expect(feature).toBeLessThanOrEqual(250)
  expect(Object.values(others).reduce((sum, size) => sum + size, root + ports)).toBeLessThanOrEqual(221)
})

it('two packages export the same name only with the same declaration', () => {
  const declared = new Map<string, { readonly by: number; readonly declaration: string }>()
  const shared = new Set<string>()
  for (const [by, { report }] of apis.entries())
    for (const declaration of report.split(/\n\n|```/).map((text) => text.trim())) {
      const [, name] = /^(?:abstract )?(?:class|const|function|interface|type) (\w+)/.exec(declaration) ?? []
      if (name === undefined || declaration.includes(' // of @sav/')) continue
      const before = declared.get(name) ?? { by, declaration }
      declared.set(name, before)
      if (before.by !== by && before.declaration !== declaration) shared.add(name)
    }
  expect([...shared]).toEqual([])
})
