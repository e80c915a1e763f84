import { glob, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const packages = join(import.meta.dirname, '../..')

/** Modules of the workspace that a file imports when it runs, and not for types alone. */
const imported = (source: string) =>
  [...source.matchAll(/^(?:import|export) (?!type\b)[^;']*?from '(@sav\/[^']+)'/gm)].map(([, name]) => name)

// It would be a class of another core than the one that is bundled: `instanceof` would not know it again.
it.each(['console/src', 'reception-report/src'])(
  'what the bundled command leaves outside imports no class of what is inside: %s',
  async (name) => {
    const files = await readdir(join(packages, name), { recursive: true })
    const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    expect(sources).not.toEqual([])
    const found = new Set<string | undefined>()
    for (const file of sources)
      for (const each of imported(await readFile(join(packages, name, file), 'utf8'))) found.add(each)
    // Functions alone, which its build takes along.
    found.delete('@sav/core/adapter')
    expect([...found]).toEqual([])
  },
)

it('finds the imports', () => {
  const source = "import type { A } from '@sav/core'\nimport {\n  type B,\n  C,\n} from '@sav/core/ports'\n"
  expect(imported(source)).toEqual(['@sav/core/ports'])
})

// Any other import takes all of it into the bundle, with its fifty languages: 600 KB for each start to read.
it('imports zod as a namespace alone', async () => {
  const sources: string[] = []
  for await (const file of glob('*/src/**/*.ts', { cwd: packages })) sources.push(file)
  expect(sources.length).toBeGreaterThan(500)
  for (const file of sources)
    expect([file, await readFile(join(packages, file), 'utf8')]).toEqual([
      file,
      expect.not.stringMatching(/^import (?!type)(?!\* as z)[^;']*from 'zod/m),
    ])
})
