import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sentences } from '../../http-node/test/sentences.js'
import { refusals } from '../app/words/fr/refusals.js'
import { fr } from '../app/words/fr.js'

const app = join(import.meta.dirname, '../app')
const holes = (template: string) => template.split('{}').length - 1

it('says in French whatever the service may refuse, with as much filled in', () => {
  const said = Object.keys(refusals)
  const all = sentences()
  expect(said.filter((template) => !all.includes(template))).toEqual([])
  expect(all.filter((template) => !Object.hasOwn(refusals, template))).toEqual([])
  expect(said.filter((template) => holes(template) !== holes(refusals[template] ?? ''))).toEqual([])
})

it('has no word in its catalogue that no screen says', () => {
  const screens = globSync('**/*.{ts,tsx}', { cwd: app })
    .filter((file) => !/^words\/(fr|en)/.test(file))
    .map((file) => readFileSync(join(app, file), 'utf8'))
    .join('\n')
  const said = new Set(screens.match(/\w+/g))
  const unused = (words: object, path: string): string[] =>
    Object.entries(words).flatMap(([name, text]) => {
      if (typeof text !== 'object') return said.has(name) ? [] : [`${path}${name}`]
      // What the API names is looked up by its name.
      const isLookedUp = new RegExp(`\\b${name}\\[|Record<string, string>> = [\\w.]*\\b${name}\\b`).test(screens)
      return isLookedUp ? [] : unused(text, `${path}${name}.`)
    })
  expect(unused(fr, '')).toEqual([])
})
