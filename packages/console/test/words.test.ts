import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sentences } from '../../../test/whole/sentences.js'
import { failures } from '../../core/src/receivers/failures.js'
import { foundIn } from '../../core/src/values/validation.js'
import { refusalsOnPage } from '../../people/src/routes/sign-in.js'
import { noteSentences } from '../../planning/src/travel/notes.js'
import { foundNames, refusals } from '../app/words/fr/refusals.js'
import { fr } from '../app/words/fr.js'
import { fr as terrainFr } from '../terrain/words/fr.js'

const app = join(import.meta.dirname, '../app')
const places = (sentence: string) => [...sentence.matchAll(/\{(\w+)\}/g)].map(([place]) => place)

it.each<[what: string, ours: object, told: Readonly<Record<string, string>>, added: string]>([
  ['refusal', refusals, sentences, ''],
  ['note, but the visit', fr.planning.advice, noteSentences, '{visit}'],
])('fills a French %s only with what the service reports', (_, ours, told, added) => {
  const unknown = Object.entries(ours).filter(([code, french]) => {
    const known = places((told[code] ?? '') + added)
    return places(french).some((place) => !known.includes(place))
  })
  expect(unknown).toEqual([])
})

it('every refusal that reports the found value also reports it in French', () => {
  const found = '{found}'
  const told = Object.entries(sentences).filter(([, sentence]) => sentence.includes(found))
  const french: Readonly<Record<string, string>> = refusals
  expect(told.filter(([code]) => french[code]?.includes(found) === false)).toEqual([])
  // `foundNames` has an entry for each way in which the service describes a value that is not a text.
  expect([undefined, [], {}].map(foundIn)).toEqual([...foundNames.keys()])
})

it('every reason of a failed delivery has words in French', () => {
  expect(Object.keys(fr.deliveries.failures).toSorted()).toEqual(Object.keys(failures).toSorted())
})

it('every refusal and every note has a sentence in French', () => {
  const told: Readonly<Record<string, string>> = refusals
  expect(Object.keys(sentences).filter((code) => told[code] === undefined)).toEqual([])
  expect(Object.keys(fr.planning.advice).toSorted()).toEqual(Object.keys(noteSentences).toSorted())
})

it('every reason of a refused sign-in has words for the page and for the journal', () => {
  expect(Object.keys(fr.journal.refusedSignIns)).toEqual(Object.keys(refusalsOnPage))
  expect(Object.keys(fr.signIn.erreurs)).toEqual(expect.arrayContaining(Object.values(refusalsOnPage)))
})

const terrain = join(import.meta.dirname, '../terrain')

it.each([
  ["the office's", app, fr],
  ["the installers'", terrain, terrainFr],
])('%s screens use each word of their catalogue', (_, folder, catalogue) => {
  const screens = globSync('**/*.{ts,tsx}', { cwd: folder })
    .filter((file) => !/^words\/(fr|en)/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  const said = new Set(screens.match(/\w+/g))
  const unused = (words: object, path: string): string[] =>
    Object.entries(words).flatMap(([name, text]) => {
      if (typeof text !== 'object') return said.has(name) ? [] : [`${path}${name}`]
      // Words for names of the API are looked up by that name.
      const isLookedUp = new RegExp(`\\b${name}(\\?\\.)?\\[|Record<string, string>> = [\\w.]*\\b${name}\\b`).test(
        screens,
      )
      return isLookedUp ? [] : unused(text, `${path}${name}.`)
    })
  expect(unused(catalogue, '')).toEqual([])
})

/** The quoted texts of a source, without their placeholders. */
const quotedIn = (source: string): string[] =>
  [
    ...source
      .replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '')
      .replaceAll('\\xA0', '\u00a0')
      .replaceAll('\\u00a0', '\u00a0')
      .replaceAll(/\$\{[^{}]*\}/g, '…')
      .matchAll(/`[^`]*`|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g),
  ].map(([quoted]) => quoted.slice(1, -1).replace(/\$\{.*/s, ''))

/** Every text of a catalogue, including those in its functions. */
const textsOf = (words: object): string[] =>
  Object.values(words).flatMap((text) => {
    if (typeof text === 'object' && text !== null) return textsOf(text)
    return typeof text === 'function' ? quotedIn(String(text)) : [String(text)]
  })

/** The texts of customers' pages and letters, which have no catalogue. */
const toCustomers = [
  'planning/src/routes/rdv-page.ts',
  'http-node/src/routes/public-pages/check-page.ts',
  ...['rdv-text', 'mail-text', 'mail-body', 'french', 'sections'].map((name) => `reception-report/src/${name}.ts`),
].flatMap((path) => quotedIn(readFileSync(join(app, '../..', path), 'utf8')))

const catalogues: readonly [string, object][] = [
  ["the office's", fr],
  ["the installers'", terrainFr],
  ['refused', refusals],
]

it.each([...catalogues, ["the customers'", toCustomers] as const])(
  '%s French has its own apostrophes, and no line breaks before a colon',
  (_, words) => {
    const texts = textsOf(words)
    expect(texts.filter((text) => /\p{L}'\p{L}/u.test(text))).toEqual([])
    expect(texts.filter((text) => / [:;?!»](\s|$)|« /.test(text))).toEqual([])
  },
)

it.each(catalogues)('%s French has a space before a colon', (_, words) => {
  expect(textsOf(words).filter((text) => /[\p{L}\d»)…][:;?!](\s|$)/u.test(text))).toEqual([])
})
