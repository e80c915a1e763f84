import { glob, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const packages = join(import.meta.dirname, '../..')

/** Modules of the workspace that a file imports at run time, not only for types. */
const imported = (source: string) =>
  [...source.matchAll(/^(?:import|export) (?!type\b)[^;']*?from '(@sav\/[^']+)'/gm)].map(([, name]) => name)

// A class imported from inside the bundle would exist twice, and `instanceof` would fail.
it.each(['console/src', 'reception-report/src'])(
  'a package outside the bundle imports no class from inside: %s',
  async (name) => {
    const files = await readdir(join(packages, name), { recursive: true })
    const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    expect(sources).not.toEqual([])
    const found = new Set<string | undefined>()
    for (const file of sources)
      for (const each of imported(await readFile(join(packages, name, file), 'utf8'))) found.add(each)
    // This module has only functions, which the package's own build includes.
    found.delete('@sav/core/adapter')
    expect([...found]).toEqual([])
  },
)

it('the search for imports finds imports of values, but not imports of types', () => {
  const source = "import type { A } from '@sav/core'\nimport {\n  type B,\n  C,\n} from '@sav/core/ports'\n"
  expect(imported(source)).toEqual(['@sav/core/ports'])
})

// An import by name would bundle all of zod, with its fifty languages. Each start would read 600 KB more.
it('zod is imported only as a namespace', async () => {
  const sources: string[] = []
  for await (const file of glob('*/src/**/*.ts', { cwd: packages })) sources.push(file)
  expect(sources.length).toBeGreaterThan(500)
  for (const file of sources)
    expect([file, await readFile(join(packages, file), 'utf8')]).toEqual([
      file,
      expect.not.stringMatching(/^import (?!type)(?!\* as z)[^;']*from 'zod/m),
    ])
})
