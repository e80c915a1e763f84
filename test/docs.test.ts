import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readChangeset, subjects } from '../scripts/release/changelog.js'
import { filesOf } from '../scripts/working-tree.mjs'

const root = join(import.meta.dirname, '..')
const files = filesOf(root)
const pages = files.filter((file) => file.endsWith('.md') && !file.startsWith('.changeset/'))

const oldestNode = '22.19'

const textOf = (page: string) => readFileSync(join(root, page), 'utf8')

/** The text of a page without code, in which brackets and parentheses have other meanings. */
const prose = (page: string) =>
  textOf(page)
    .replaceAll(/^```.*?^```/gms, '')
    .replaceAll(/`[^`\n]*`/g, '')

/** The anchor of a heading, as GitHub and the site make it. */
function anchorsOf(page: string): string[] {
  const headings = [
    ...textOf(page)
      .replaceAll(/^```.*?^```/gms, '')
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, heading = '']) => heading)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe.each(pages)('%s', (page) => {
  it('has working links', () => {
    for (const [, link = ''] of prose(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? page : join(dirname(page), path)
      expect(existsSync(join(root, target)), `${link} of ${page}`).toBe(true)
      if (anchor !== undefined && target.endsWith('.md')) expect(anchorsOf(target), link).toContain(anchor)
    }
  })
})

it.each(pages.filter((page) => /^packages\/[^/]+\/README\.md$/.test(page)))(
  '%s has links that lead somewhere on npm',
  (page) => {
    expect([...prose(page).matchAll(/\]\((\.[^)]*)\)/g)].map(([, link]) => link)).toEqual([])
  },
)

it('code blocks on pages are tested: as part of an example, or as the program of a README', () => {
  const tested = files.filter((file) => /^examples\/.*\.ts$/.test(file)).map(textOf)
  for (const page of pages.filter((name) => !name.startsWith('etc/'))) {
    const blocks = [...textOf(page).matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
    // `test/readme.ts` runs the first block of each package's README.
    const untested = blocks.slice(/^packages\/[^/]+\/README\.md$/.test(page) ? 1 : 0)
    for (const code of untested)
      expect(
        tested.some((example) => example.includes(code)),
        `${page}:\n${code}`,
      ).toBe(true)
  }
})

it('code that allows local receivers gives the reason in a comment on the same line', () => {
  const copied = files.filter((file) => /^(examples|deploy)\/|^(?!docs\/reference\/).*\.md$/.test(file))
  for (const file of copied.filter((name) => /\.(md|tsx?|ya?ml|service|env)$/.test(name)))
    for (const [line] of textOf(file).matchAll(/^.*(allowLocal: true|ALLOW_LOCAL=1).*$/gm))
      expect(line, file).toMatch(/\/\/|\/\*|#/)
})

it.each(readdirSync(join(root, '.changeset')).filter((name) => name.endsWith('.md')))(
  'a release can read the changeset %s, which begins with a known subject',
  (name) => {
    expect(textOf(`.changeset/${name}`)).toMatch(/^---\n('@sav\/[\w-]+': (major|minor|patch)\n)+---\n\n\S/)
    for (const { subject } of readChangeset(textOf(`.changeset/${name}`))) expect(subjects).toContain(subject)
  },
)

it.each(readdirSync(join(root, 'packages')))('the README of %s names the oldest Node of `engines`', (name) => {
  const { engines } = JSON.parse(textOf(`packages/${name}/package.json`))
  expect(engines?.node).toBe(`>=${oldestNode}`)
  expect(textOf(`packages/${name}/README.md`)).toContain(`Node ${oldestNode} or newer`)
})

it('every page and every version check names the same oldest Node', () => {
  for (const page of pages.filter((name) => !/^etc\/|CHANGELOG/.test(name)))
    for (const [said, version] of textOf(page).matchAll(/Node (\d[\d.]*) or newer/g))
      expect(version, `${page}: ${said}`).toBe(oldestNode)
  expect(textOf('packages/cli/bin.js')).toContain(`Node.js ${oldestNode} or newer`)
  expect(textOf('packages/core/src/supported-node.ts')).toContain(`const oldest = '${oldestNode}'`)
})

it.each(readdirSync(join(root, 'packages')))('the README of %s begins with how to install it', (name) => {
  expect(textOf(`packages/${name}/README.md`)).toMatch(/^```sh\n(npm install|npx|npm i) /m)
})

/**
 * Every page for readers: README, the packages' READMEs, docs and CONTRIBUTING, but not the bench's notes or generated
 * pages.
 */
const plainPages = pages.filter((page) => !/^(etc|bench|examples)\/|CHANGELOG/.test(page))

/** The paragraphs, list entries and table cells of a page, without code, links and markup. */
const passages = (page: string) =>
  textOf(page)
    .replaceAll(/^```.*?^```/gms, '')
    .split(/\n\s*\n|^\s*(?:[-*]|\d+\.|#+) |^\|[ -|]*\|$|\|/m)
    .map((passage) => passage.replaceAll(/`[^`\n]*`/g, 'code').replaceAll(/\]\([^)]*\)/g, ']'))

const longestSentence = 35

it.each(plainPages)('no sentence of %s has more than 35 words', (page) => {
  const sentences = passages(page).flatMap((passage) => passage.split(/(?<=[.!?])\s+(?=\S)/))
  const long = sentences.filter((sentence) => (sentence.match(/[\p{L}\p{N}]+/gu) ?? []).length > longestSentence)
  expect(long).toEqual([])
})

const stumbledOver = /\b(nobody|whoever|anew|vouch\w*|shall)\b/gi

it.each(plainPages)('%s has no word that readers found hard', (page) => {
  expect(textOf(page).match(stumbledOver) ?? []).toEqual([])
})

it('decisions.md lists all its sections, and each entry has at most five lines', () => {
  const text = textOf('docs/decisions.md')
  const [before = '', ...sections] = text.split(/^## /m)
  const listed = [...before.matchAll(/^- \[(.*)\]\(#/gm)].map(([, name]) => name)
  expect(listed).toEqual(sections.map((section) => section.slice(0, section.indexOf('\n'))))
  const entries = sections.flatMap((section) => section.split(/^(?=- )/m).slice(1))
  const long = entries.filter((entry) => (entry.split(/\n(?! )/)[0] ?? '').split('\n').length > 5)
  expect(long).toEqual([])
})

it('the menu of the site has each page, and no dead link', () => {
  const menu = textOf('website/.vitepress/config.ts')
  const named = [...menu.matchAll(/'(\/(?:docs|packages)\/[\w/-]*)'/g)].map(([, link = '']) => link)
  const gone = named.filter(
    (link) =>
      !['.md', 'index.md', 'README.md'].some((end) => existsSync(join(root, `${link}${end}`.replace(/\/\.md$/, '/')))),
  )
  expect(gone).toEqual([])
  const unlisted = pages
    .filter((page) => /^docs\//.test(page) && page !== 'docs/index.md')
    .map((page) => `/${page.replace(/\.md$/, '')}`)
  expect(unlisted.filter((page) => !named.includes(page))).toEqual([])
})

it('docs/scaling.md names everything that our SQL uses beyond common SQL', () => {
  const [, section = ''] = /^### What the server must have$(.*?)^## /ms.exec(textOf('docs/scaling.md')) ?? []
  const sql = files
    .filter((file) => /^packages\/storage-kysely\/src\/.*(?<!\.test)\.ts$/.test(file))
    .map(textOf)
    .join()
  const functions = /(?<!\w)(?:pg|gin)_[a-z_]*[a-z](?![\w.'-])|\bto_regclass\b/g
  const settings = /(?<=set_config\('|\bset local )[a-z_]+|(?<=["`;]\s*set )[a-z_]+(?= = )/g
  const clauses =
    /\bctid\b|using g\w+|skip locked|for no key update|for share|on conflict|lateral|collate "C"|fillfactor/g
  const asked = new Set([functions, settings, clauses].flatMap((pattern) => sql.match(pattern) ?? []))
  expect(asked.size).toBeGreaterThan(20)
  expect([...asked].filter((each) => !section.toLowerCase().includes(each.toLowerCase()))).toEqual([])
})
