import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { namedSlow, slowestFiles } from '../scripts/slowest-files.ts'

const ofSeconds = (...seconds: number[]) => seconds.map((each, n) => ({ file: `${n}.test.ts`, seconds: each }))

it('a run lists its ten slowest files, with their seconds and shares', () => {
  const { lines } = slowestFiles(ofSeconds(...Array.from({ length: 12 }, (_, n) => n + 1)))
  expect(lines).toHaveLength(11)
  expect(lines[0]).toBe('The ten slowest files of 12, 78 s in all:')
  expect(lines[1]).toBe('   12.0 s  15.4 %  11.test.ts')
  expect(lines[10]).toBe('    3.0 s   3.8 %  2.test.ts')
})

it('a file may take 3 % of a run, and more only if it is named', () => {
  const files = ofSeconds(3, 3.1, 3.2, 90.7)
  const named = new Map([['3.test.ts', 'it is known']])
  expect(slowestFiles(files, named).unnamed).toEqual(['2.test.ts', '1.test.ts'])
})

it.each([...namedSlow])('%s may be slow and exists, with a reason', (file, reason) => {
  expect(existsSync(join(import.meta.dirname, '..', file))).toBe(true)
  expect(reason).toMatch(/\w+ \w+/)
})
