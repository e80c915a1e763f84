import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as command from '../packages/command/src/version.js'
import * as http from '../packages/http-node/src/version.js'
import { readChangeset, sectionOf, withSection } from '../scripts/release/changelog.js'

const changeset = (body: string) => readChangeset(`---\n'@sav/core': minor\n"@sav/cli": patch\n---\n\n${body}\n`)

it('a changeset names its packages, and its subjects, if paragraphs begin with them', () => {
  const packages = ['@sav/core', '@sav/cli']
  expect(changeset('Planning: Visits begin\nat quarter hours.\n\nNote: more.\n\nCases: Photos.')).toEqual([
    { packages, subject: 'Planning', text: 'Visits begin\nat quarter hours.\n\nNote: more.' },
    { packages, subject: 'Cases', text: 'Photos.' },
  ])
  expect(changeset('Note: this is no subject.')).toMatchObject([{ subject: 'Also', text: 'Note: this is no subject.' }])
  expect(() => readChangeset('---\n---\n\nNo package.')).toThrow(/no changeset/)
  expect(() => changeset('')).toThrow(/no changeset/)
})

it('a release is listed by subject, in the order of subjects, one line a changeset', () => {
  const told = [
    'Speed: Lists are\nquick.',
    'Cases: A case\n\n- has a list\n- of two',
    'Something else.',
    'Cases: Photos.',
  ]
  expect(sectionOf('1.0.0', told.flatMap(changeset))).toBe(`## 1.0.0

### Cases

- A case

  - has a list
  - of two
- Photos.

### Speed

- Lists are quick.

### Also

- Something else.
`)
  expect(sectionOf('1.0.1', [])).toContain('Nothing changed here')
})

it('a new section is above the earlier ones', () => {
  const first = withSection(null, '@sav/core', '## 1.0.0\n\nA\n')
  expect(first).toBe('# @sav/core\n\n## 1.0.0\n\nA\n')
  expect(withSection(first, '@sav/core', '## 1.1.0\n\nB\n')).toBe('# @sav/core\n\n## 1.1.0\n\nB\n\n## 1.0.0\n\nA\n')
})

it.each([
  ['@sav/cli', command],
  ['@sav/http-node', http],
])('%s says the version of its package.json, which a bundle of it does not have', (name, { version }) => {
  const manifest = readFileSync(new URL(`../packages/${name.slice(5)}/package.json`, import.meta.url), 'utf8')
  expect(JSON.parse(manifest)).toMatchObject({ name, version })
})
