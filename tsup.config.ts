import { copyFile } from 'node:fs/promises'
import { defineConfig, type Options } from 'tsup'

const bundle = (name: string, entry: string[], options: Options = {}): Options => ({
  name,
  entry: [...entry.map((file) => `packages/${name}/src/${file}`), `!packages/${name}/src/**/*.test.ts`],
  outDir: `packages/${name}/dist`,
  format: 'esm',
  platform: 'node',
  target: 'es2024',
  splitting: true,
  sourcemap: true,
  clean: ['!**/*.d.ts'],
  skipNodeModulesBundle: true,
  silent: true,
  ...options,
  external: [/^@sav\//, ...(options.external ?? [])],
})

/** JavaScript only: `tsc -b` writes the declarations. */
export default defineConfig([
  bundle('webhook-verify', ['*.ts'], { platform: 'neutral', external: ['#hmac', /^node:/] }),
  bundle('core', ['index.ts', 'names.ts', 'ports.ts', 'rounds.ts', 'testing/index.ts'], { external: ['vitest'] }),
  bundle('storage-kysely', ['index.ts', 'backup.ts', 'copy.ts', 'file-directory.ts', 'postgres.ts', 'sqlite.ts']),
  bundle('client', ['index.ts'], { platform: 'neutral' }),
  bundle('http-node', ['index.ts', 'client.ts', 'links.ts', 'runtime.ts'], {
    // The page at /docs runs it, and it is served from there.
    onSuccess: () =>
      copyFile(
        'packages/http-node/node_modules/@scalar/api-reference/dist/browser/standalone.js',
        'packages/http-node/dist/reference.js',
      ),
  }),
  bundle('reception-report', ['drawing-child.ts', 'email.ts', 'pdf.ts', 'timestamp.ts', 'whatsapp.ts']),
  bundle('travel', ['index.ts', 'solver-thread.ts']),
  bundle('cli', ['main.ts']),
])
