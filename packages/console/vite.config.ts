import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, defineConfig, type Plugin } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The installers' app is below the office's pages, and shares no file with them, so neither makes the other larger. */
function terrain(): Plugin {
  let outDir = ''
  return {
    name: 'terrain',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir
    },
    async closeBundle() {
      await build({ configFile: here('terrain/vite.config.ts'), build: { outDir: join(outDir, 'terrain') } })
    },
  }
}

/** The pages as files for `createConsole`. Addresses in them are relative: the base is set when they are served. */
export default defineConfig({
  root: here('app'),
  base: './',
  logLevel: 'warn',
  resolve: { alias: { '@sav/client': here('../client/src/index.ts') } },
  plugins: [terrain()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: here('dist/app'),
    emptyOutDir: true,
    target: 'es2023',
    // Small assets stay files too, instead of data: URLs in the pages, so that all our files are loaded in one way.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One chunk has what every screen needs, one the fields, and one the lists. Two dozen separate chunks would cost
    // 100 bytes and one request more each.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'frame',
              test: /app\/(session|sign-in\/sign-in-calls|system\/(bare-key|icons|menu|notices|answered|question|theme|page|bits|search)|[a-z]+\/questions|planning\/hours|cases\/(list\/filter|marks|new-case-link))|preact-iso/,
            },
            { name: 'fields', test: /app\/(system\/(form|first-field)|directory\/(lieu-fields|way-there))/ },
            { name: 'lists', test: /app\/(system\/(table|download)|cases\/list\/case-table)/ },
          ],
        },
      },
    },
  },
})
