import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const sources = globSync('packages/*/{src,app,terrain}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: (path) => /\.test\.tsx?$/.test(path),
})

/** If a process waits only for a promise of such a timer, Node ends it with exit code 0. */
it('no promise waits for an unreferenced timer', () => {
  expect(sources.length).toBeGreaterThan(500)
  const unreferenced = /\bref: false\b|setTimeout\(\s*(?:resolve|done|\(\) => (?:resolve|done)\b)[^\n]*\.unref\(\)/
  expect(sources.filter((file) => unreferenced.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})
