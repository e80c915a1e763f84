import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(`packages/${path}`, import.meta.url))

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
    globalSetup: [source('../test/missing-tools.ts'), source('../test/postgres-setup.ts')],
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'examples/**/*.test.ts',
      'bench/**/*.test.ts',
      'test/**/*.test.ts',
    ],
    // By default a machine of two cores runs one file after the other, and most of them wait for processes and sockets.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
