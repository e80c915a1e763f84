import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { suiteNames, suites } from '../scripts/suites.ts'

const root = join(import.meta.dirname, '..')
const tests = globSync('{packages,examples,bench,test}/**/*.test.ts', {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(path),
})

/** Whether a suite that sets this environment variable runs the file. */
const isRunWith = (variable: string, file: string) =>
  suiteNames.some((name) => {
    const { files, env } = suites[name]
    return variable in env && files.some((part) => file.includes(part))
  })

it('each test that npm test leaves out runs in a long suite', () => {
  const { without } = suites.test
  expect(without.filter((file) => !tests.includes(file))).toEqual([])
  const long = suiteNames.filter((name) => name !== 'test').flatMap((name) => suites[name].files)
  expect(without.filter((file) => !long.some((part) => file.includes(part)))).toEqual([])
})

it.each(['SAV_TEST_CHAOS', 'SAV_TEST_FULL', 'SAV_TEST_FUZZ'])(
  'a test that needs %s is in a suite that sets it',
  (name) => {
    const asking = tests.filter((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return (
        text.includes(`process.env['${name}']`) ||
        (name === 'SAV_TEST_CHAOS' && / from '[./]+full-count\.js'/.test(text))
      )
    })
    expect(asking.length).toBeGreaterThan(0)
    expect(asking.filter((file) => !isRunWith(name, file))).toEqual([])
  },
)
