import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(`packages/${path}`, import.meta.url))
const tests = '{packages,examples,bench,test}/**/*.test.ts'
/** Packages whose test files can share a process. */
const together = 'packages/{client,cli,command,core,files-s3,http-node,people,planning,webhook-verify}/**/*.test.ts'
const ofStorage = 'packages/storage-kysely/**/*.test.ts'
const inBrowser = 'packages/console/test/**/*.test.ts'
const { SAV_TEST_WITHOUT: without = '' } = process.env
const never = ['**/node_modules/**', '**/dist/**', ...without.split(',')]

/** Tests import the sources, so that no stale build is tested. */
export default defineConfig({
  resolve: {
    alias: [
      { find: '#hmac', replacement: source('webhook-verify/src/hmac.node.ts') },
      { find: /^@sav\/core\/testing$/, replacement: source('core/src/testing/index.ts') },
      { find: /^@sav\/([\w-]+)\/([\w-]+)$/, replacement: source('$1/src/$2.ts') },
      { find: /^@sav\/([\w-]+)$/, replacement: source('$1/src/index.ts') },
    ],
  },
  test: {
    // Workers themselves do not need `--import`, but processes that they fork inherit it, and so run the sources. A
    // larger semi-space saves a tenth of the processor time.
    execArgv: ['--max-semi-space-size=64', '--import', source('../test/source.mjs')],
    globalSetup: ['missing-tools', 'memory-folder', 'postgres', 'template-stores'].map((name) =>
      source(`../test/setup/${name}.ts`),
    ),
    // Ignores the settings of a service installed on this machine.
    env: { SAV_TEST_INSTALLED_SETTINGS: '' },
    // More workers than cores, since many files mostly wait for processes and sockets.
    maxWorkers: 4,
    reporters: ['default', source('../test/file-times.ts')],
    // The timeout only ends tests that hang: a busy machine can take ten times as long as usual. Long tests set their
    // own timeouts.
    testTimeout: 240_000,
    expect: { poll: { timeout: 120_000 } },
    hookTimeout: 240_000,
    // Built files are loaded by Node itself, without transformation.
    server: { deps: { external: [/\/packages\/[\w-]+\/dist\//] } },
    projects: [
      // A worker of this project runs many files and loads their imports once; the files leave no state behind.
      {
        extends: true,
        test: {
          name: 'together',
          isolate: false,
          setupFiles: [source('http-node/test/setup.ts')],
          include: [together],
          exclude: never,
        },
      },
      {
        extends: true,
        test: {
          name: 'apart',
          include: [tests],
          exclude: [...never, together, ofStorage, inBrowser],
        },
      },
      {
        extends: true,
        test: {
          name: 'storage',
          isolate: false,
          setupFiles: [source('storage-kysely/test/setup.ts')],
          include: [ofStorage],
          exclude: never,
        },
      },
      // A worker uses one browser for all of its files. Tests share no store, service or page.
      {
        extends: true,
        test: {
          name: 'console',
          isolate: false,
          globalSetup: [source('console/test/console-pages.ts')],
          include: [inBrowser],
          exclude: never,
        },
      },
    ],
  },
})
