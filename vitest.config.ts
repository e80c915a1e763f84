import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(`packages/${path}`, import.meta.url))
const testsOf = (name: string) => [`packages/${name}/src/**/*.test.ts`, `packages/${name}/test/**/*.test.ts`]

/** Tests run on the sources: nothing has to be built first, and nothing stale is tested. */
export default defineConfig({
  resolve: {
    alias: [
      { find: '#hmac', replacement: source('webhook-verify/src/hmac.node.ts') },
      { find: /^@sav\/(core|storage-kysely)\/testing$/, replacement: source('$1/src/testing/index.ts') },
      { find: /^@sav\/([\w-]+)\/([\w-]+)$/, replacement: source('$1/src/$2.ts') },
      { find: /^@sav\/([\w-]+)$/, replacement: source('$1/src/index.ts') },
    ],
  },
  test: {
    // Workers need it for nothing, but processes that they fork inherit it: those run the sources as well.
    execArgv: ['--import', source('../test/source.mjs')],
    globalSetup: ['missing-tools', 'postgres-setup', 'template-stores'].map((name) => source(`../test/${name}.ts`)),
    // On two cores: many files wait for processes and sockets most of their time.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      // One worker runs many of these, and reads what they import once: none of it remembers the file before.
      {
        extends: true,
        test: {
          name: 'together',
          isolate: false,
          setupFiles: [source('http-node/test/setup.ts')],
          include: ['core', 'cli', 'http-node', 'webhook-verify', 'client', 'travel'].flatMap(testsOf),
        },
      },
      {
        extends: true,
        test: {
          name: 'apart',
          include: [
            ...['api-reference', 'console', 'reception-report', 'sign-in', 'storage-kysely'].flatMap(testsOf),
            'examples/**/*.test.ts',
            'bench/**/*.test.ts',
            'test/**/*.test.ts',
          ],
        },
      },
    ],
  },
})
