import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as command from '../packages/command/src/version.js'
import * as http from '../packages/http-node/src/version.js'

it.each([
  ['@sav/cli', command],
  ['@sav/http-node', http],
])('%s exports the version of its package.json, since bundles of it have no package.json', (name, { version }) => {
  const manifest = readFileSync(new URL(`../packages/${name.slice(5)}/package.json`, import.meta.url), 'utf8')
  expect(JSON.parse(manifest)).toMatchObject({ name, version })
})
