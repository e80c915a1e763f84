import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, defineConfig, type Plugin } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * Builds the worker after everything else, because it lists every file of the app: by name if that contains a hash, or
 * else with a hash of its content. It lists the page as `./`.
 */
function worker(): Plugin {
  let outDir = ''
  return {
    name: 'worker',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir
    },
    async closeBundle() {
      const names = await readdir(outDir, { recursive: true, withFileTypes: true })
      const files = names.filter((name) => name.isFile()).map(({ parentPath, name }) => join(parentPath, name))
      const shell = await Promise.all(
        files
          .map((file) => file.slice(outDir.length + 1))
          .filter((name) => name !== 'sw.js' && !name.startsWith('.vite'))
          .toSorted()
          .map(async (name) => ({
            url: name === 'index.html' ? './' : name,
            // Files in `assets` are named by their content.
            revision: name.startsWith('assets/') ? null : await revisionOf(join(outDir, name)),
          })),
      )
      await build({
        configFile: false,
        logLevel: 'warn',
        define: { __SHELL__: JSON.stringify(shell), __VERSION__: JSON.stringify(hashOf(JSON.stringify(shell))) },
        build: {
          outDir,
          emptyOutDir: false,
          copyPublicDir: false,
          target: 'es2022',
          lib: { entry: here('worker/service-worker.ts'), formats: ['iife'], name: 'worker', fileName: () => 'sw.js' },
        },
      })
    },
  }
}

const hashOf = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex').slice(0, 16)
const revisionOf = async (file: string) => hashOf(await readFile(file))

/** The installers' app, built with the office's pages (`../vite.config.ts`). */
export default defineConfig({
  root: here('.'),
  base: './',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [worker()],
  build: {
    outDir: here('../dist/app/terrain'),
    emptyOutDir: true,
    target: 'es2022',
    // Phones are used for years, so old browsers are supported: these do not support `light-dark()`.
    cssTarget: ['safari16', 'chrome111', 'firefox115'],
    assetsInlineLimit: 0,
    modulePreload: false,
  },
})
