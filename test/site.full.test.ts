import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { deadLinks } from './site-links.js'

const root = join(import.meta.dirname, '..')
const whole = process.env['SAV_TEST_FULL'] === '1'

test.runIf(whole)(
  'every link, anchor and picture of the built site has a target, and its search index has every page',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sav-site-'))
    try {
      await promisify(execFile)(join(root, 'node_modules/.bin/vitepress'), ['build', 'website', '--outDir', folder], {
        cwd: root,
      })
      const files = new Set(globSync('**/*', { cwd: folder }).map((path) => path.replaceAll('\\', '/')))
      const pages = [...files].filter((path) => path.endsWith('.html') && path !== '404.html')
      expect(pages).toContain('docs/start/run.html')
      const htmlOf = new Map(pages.map((page) => [page, readFileSync(join(folder, page), 'utf8')]))
      expect(deadLinks(htmlOf, files)).toEqual([])
      const [index = ''] = [...files].filter((path) => /localSearchIndex.*\.js$/.test(path))
      const searched = readFileSync(join(folder, index), 'utf8')
      const unknown = pages.filter((page) => !searched.includes(`/${page.replace(/(index)?\.html$/, '')}`))
      expect(unknown).toEqual([])
    } finally {
      await rm(folder, { recursive: true })
    }
  },
  10 * 60_000,
)
