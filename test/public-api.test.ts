import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { publicApis } from './public-api.js'

const packages = join(import.meta.dirname, '../packages')
const names = readdirSync(packages).filter((name) => !['api-reference', 'cli'].includes(name))

const apis = publicApis(names.map((name) => join(packages, name)))

/** `npm test -- public-api -u` rewrites etc/ after an intended change. */
describe.each(names.map((name, index) => [name, apis[index]] as const))('the public API of %s', (name, api) => {
  it('equals etc/, so that nothing changes unseen', async () => {
    await expect(api?.report).toMatchFileSnapshot(join(import.meta.dirname, `../etc/${name}.api.md`))
  })

  it('has a docstring for each export', () => expect(api?.undocumented).toEqual([]))

  it('describes each field of inputs and options', () => expect(api?.silentFields).toEqual([]))

  it('gives each number a meaning and a unit', () => expect(api?.unsaidNumbers).toEqual([]))

  it('says which errors its functions throw', () => expect(api?.unsaidErrors).toEqual([]))

  // The program of a bin is new, so no older TypeScript reads it.
  it.skipIf(name === 'command')('is read by TypeScript 5.4 too', () => expect(api?.newerThan54).toEqual([]))

  it('has no `any`', () => expect(api?.untyped).toEqual([]))
})

it('the core exports readable names', () => {
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

it('gives no two exports of different packages the same name', () => {
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
