import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const sources = globSync('packages/*/{src,app,terrain}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: (path) => /\.test\.tsx?$/.test(path),
})

/** Node ends a process with exit code 0 when it waits only for such a promise. */
it('no promise waits for a timer that lets the process end', () => {
  expect(sources.length).toBeGreaterThan(500)
  const unreferenced = /\bref: false\b|setTimeout\(\s*(?:resolve|done|\(\) => (?:resolve|done)\b)[^\n]*\.unref\(\)/
  expect(sources.filter((file) => unreferenced.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})
