import { existsSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type MarkdownRenderer } from 'vitepress'

/** The names of the entries in a folder of the repository, so that the sidebar need not list them. */
const within = (folder: string) => readdirSync(new URL(`../../${folder}`, import.meta.url))
const page = (text: string, link: string) => ({ text, link })

/** The anchor of a heading, the same as on GitHub, where people also read the pages. */
const slugify = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The address on the site for a link between files of the repository. Null if the link leads to a source or a folder,
 * which the site does not have.
 * @param page the path of the file that has the link
 */
function onSite(page: string, href: string): string | null {
  const [path = '', anchor = ''] = href.split(/(?=#)/)
  const target = posix.join(posix.dirname(posix.relative(root, page)), path)
  const [, name] = /^packages\/([\w-]+)(?:\/README\.md)?\/?$/.exec(target) ?? []
  if (name !== undefined) return `/packages/${name}/${anchor}`
  if (target === 'README.md') return `/${anchor}`
  return /^(docs|etc|bench)\/.*\.md$|^[^/]*\.md$/.test(target) || !existsSync(posix.join(root, target)) ? href : null
}

/** Makes links between files lead to the pages of the site. Links to sources are removed, but their text is kept. */
function leadLinksToPages(md: MarkdownRenderer): void {
  md.core.ruler.push('links-between-files', ({ tokens, env }) => {
    for (const { children } of tokens) {
      let isTaken = false
      for (const token of children ?? []) {
        if (token.type === 'link_close' && isTaken) {
          Object.assign(token, { type: 'text', content: '' })
          isTaken = false
        }
        const href = token.type === 'link_open' ? (token.attrGet('href') ?? '') : ''
        if (href === '' || /^([a-z]+:|[#/])/.test(href)) continue
        const led = onSite(env.realPath ?? env.path, href)
        if (led !== null) token.attrSet('href', led)
        else {
          Object.assign(token, { type: 'text', content: '' })
          isTaken = true
        }
      }
    }
  })
}

/** The site is the Markdown of this repository, unchanged. Dead links fail the build. */
export default defineConfig({
  title: 'SAV',
  description: 'After-sales cases, evidence and webhooks',
  srcDir: '..',
  outDir: 'dist',
  srcExclude: ['**/node_modules/**', '**/CHANGELOG.md', '.changeset/**', 'examples/**', 'website/**'],
  rewrites: { 'README.md': 'index.md', 'packages/:name/README.md': 'packages/:name/index.md' },
  markdown: { anchor: { slugify }, config: leadLinksToPages },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      {
        text: 'In five minutes',
        items: [
          page('Where to begin', '/docs/'),
          page('Run it', '/docs/start/run'),
          page('Embed it', '/docs/start/embed'),
          page('Call it', '/docs/start/call'),
          page('Receive webhooks', '/docs/start/receive'),
        ],
      },
      {
        text: 'Embed',
        items: [
          page('In your own server', '/docs/embedding'),
          page('Features', '/docs/features'),
          page('Core', '/packages/core/'),
          page('API', '/packages/http-node/'),
          page('Storage', '/packages/storage-kysely/'),
        ],
      },
      {
        text: 'Receive',
        items: [page('Webhooks', '/packages/webhook-verify/')],
      },
      {
        text: 'Run',
        items: [
          page('The sav command', '/packages/cli/'),
          page('Import and export', '/docs/moving'),
          page('Operating', '/docs/operating'),
          page('Upgrading', '/docs/upgrading'),
          page('Scaling', '/docs/scaling'),
          page('Performance', '/docs/performance'),
        ],
      },
      {
        text: 'Planning',
        items: [page('Console', '/docs/console'), page('The field', '/docs/field'), page('Planning', '/docs/planning')],
      },
      {
        text: 'Why',
        items: [
          page('Architecture', '/docs/architecture'),
          page('Decisions', '/docs/decisions'),
          page('Security', '/docs/security'),
        ],
      },
      {
        text: 'Packages',
        collapsed: true,
        items: within('packages').map((name) => page(`@sav/${name}`, `/packages/${name}/`)),
      },
      {
        text: 'Reference',
        collapsed: true,
        items: [
          page('Events', '/docs/reference/events'),
          page('Commands', '/docs/reference/commands'),
          page('Settings', '/docs/reference/settings'),
          page('Metrics', '/docs/reference/metrics'),
          page('Columns', '/docs/reference/columns'),
          ...within('etc').map((file) =>
            page(`@sav/${file.replace('.api.md', '')}`, `/etc/${file.replace('.md', '')}`),
          ),
        ],
      },
    ],
  },
})
