import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(`packages/${path}`, import.meta.url))
const tests = '{packages,examples,bench,test}/**/*.test.ts'
/** Packages none of whose test files leaves anything behind in its process. */
const together = 'packages/{client,cli,command,core,files-s3,http-node,people,planning,webhook-verify}/**/*.test.ts'
const ofStorage = 'packages/storage-kysely/**/*.test.ts'
const inBrowser = 'packages/console/test/**/*.test.ts'
const { SAV_TEST_WITHOUT: without = '' } = process.env
const never = ['**/node_modules/**', '**/dist/**', ...without.split(',')]

/** Tests run on the sources: nothing has to be built first, and nothing stale is tested. */
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
    // Workers need the import for nothing, but processes that they fork inherit it: those run the sources as well. With more
    // room for what is young, workers take a tenth less of the processor.
    execArgv: ['--max-semi-space-size=64', '--import', source('../test/source.mjs')],
    globalSetup: ['missing-tools', 'memory-folder', 'postgres', 'template-stores'].map((name) =>
      source(`../test/setup/${name}.ts`),
    ),
    // A service that is installed on this machine has settings of its own.
    env: { SAV_TEST_INSTALLED_SETTINGS: '' },
    // On two cores: many files wait for processes and sockets most of their time.
    maxWorkers: 4,
    reporters: ['default', source('../test/file-times.ts')],
    // Of what hangs: a machine that does much else beside takes ten times as long for everything, and what draws reports
    // gives way to it. Only long proofs have bounds of their own.
    testTimeout: 240_000,
    expect: { poll: { timeout: 120_000 } },
    hookTimeout: 240_000,
    // What is built is Node's to read, as in the packages.
    server: { deps: { external: [/\/packages\/[\w-]+\/dist\//] } },
    projects: [
      // One worker runs many of these, and reads what they import once: none of it remembers the file before.
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
      // One worker has one browser for all of these. No store, service or page of a test is another's.
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
