import { existsSync, readdirSync } from 'node:fs'
import { defineConfig } from 'vitepress'

/** What lies in a folder of the repository, so that nothing has to be listed. */
const within = (folder: string) => readdirSync(new URL(`../../${folder}`, import.meta.url))
const page = (text: string, link: string) => ({ text, link })

/** It is told the link alone, and not the page: so it looks where pages link to. */
function isInRepository(link: string): boolean {
  const path = link.replace(/^(\.{1,2}\/)+/, '').replace(/\/index$/, '')
  return ['', 'docs/', 'packages/'].some((folder) => existsSync(new URL(`../../${folder}${path}`, import.meta.url)))
}

/** The site is the Markdown of this repository as it stands: nothing is written for it alone. Dead links fail the build. */
export default defineConfig({
  title: 'SAV',
  description: 'After-sales cases, evidence and webhooks',
  srcDir: '..',
  outDir: 'dist',
  srcExclude: ['**/node_modules/**', '**/CHANGELOG.md', '.changeset/**', 'examples/**', 'website/**'],
  rewrites: { 'README.md': 'index.md', 'packages/:name/README.md': 'packages/:name/index.md' },
  // A site has none of the sources and folders that pages link to; test/docs.test.ts follows those links too.
  ignoreDeadLinks: [isInRepository],
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
          page('In a server of yours', '/docs/embedding'),
          page('Core', '/packages/core/'),
          page('API', '/packages/http-node/'),
          page('Storage', '/packages/storage-kysely/'),
        ],
      },
      {
        text: 'Receive',
        items: [
          page('Webhooks', '/docs/receiving'),
          page('Events', '/docs/events'),
          page('Verify', '/packages/webhook-verify/'),
        ],
      },
      {
        text: 'Run',
        items: [
          page('The sav command', '/packages/cli/'),
          page('Moving in and out', '/docs/moving'),
          page('Operating', '/docs/operating'),
          page('Upgrading', '/docs/upgrading'),
          page('What 1.0 promises', '/docs/promises'),
          page('Scaling', '/docs/scaling'),
          page('Performance', '/docs/performance'),
        ],
      },
      {
        text: 'Planning',
        items: [
          page('Console', '/docs/console'),
          page('The field', '/docs/field'),
          page('Planning', '/docs/planning'),
          page('Rounds', '/docs/rounds'),
          page('Calendars', '/docs/calendars'),
        ],
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
        items: within('etc').map((file) =>
          page(`@sav/${file.replace('.api.md', '')}`, `/etc/${file.replace('.md', '')}`),
        ),
      },
    ],
  },
})
