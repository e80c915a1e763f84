import { writeFile } from 'node:fs/promises'
import { defineConfig, type Options } from 'tsup'

const bundle = (name: string, entry: string[], options: Options = {}): Options => ({
  name,
  entry: [...entry.map((file) => `packages/${name}/src/${file}`), `!packages/${name}/src/**/*.test.ts`],
  outDir: `packages/${name}/dist`,
  format: 'esm',
  platform: 'node',
  target: 'es2024',
  splitting: true,
  clean: ['!**/*.d.ts'],
  skipNodeModulesBundle: true,
  silent: true,
  ...options,
  external: [/^@sav\//, ...(options.external ?? [])],
})

/**
 * For who cannot `import`, such as Jest and TypeScript's `module: node16`; for Node alone. File by file, so that an error
 * thrown through one subpath is an instance of the class that another one exports.
 */
const commonJs = (name: string): Options => ({
  ...bundle(name, ['*.ts'], { format: 'cjs', splitting: false }),
  outDir: `packages/${name}/dist/cjs`,
  outExtension: () => ({ js: '.js' }),
  noExternal: ['#hmac'],
  esbuildPlugins: [
    {
      name: 'file-by-file',
      setup: (build) =>
        build.onResolve({ filter: /^(\.|#hmac$)/ }, ({ path, kind }) =>
          kind === 'entry-point' ? null : { path: path.replace('#hmac', './hmac.node.js'), external: true },
        ),
    },
  ],
  onSuccess: () => writeFile(`packages/${name}/dist/cjs/package.json`, '{"type":"commonjs"}\n'),
})

/** JavaScript only: `tsc -b` writes the declarations, scripts/prepare.mjs copies them for CommonJS. */
export default defineConfig([
  bundle('webhook-verify', ['*.ts'], {
    platform: 'neutral',
    external: ['#hmac', /^node:/],
    clean: ['!**/*.d.ts', '!cjs/**'],
  }),
  commonJs('webhook-verify'),
  bundle('core', ['index.ts', 'names.ts', 'ports.ts', 'rounds.ts', 'testing/index.ts'], { external: ['vitest'] }),
  bundle('storage-kysely', ['index.ts', 'backup.ts', 'copy.ts', 'file-directory.ts', 'postgres.ts', 'sqlite.ts']),
  bundle('client', ['index.ts'], { platform: 'neutral' }),
  bundle('http-node', ['index.ts', 'client.ts', 'ical.ts', 'links.ts', 'runtime.ts']),
  bundle('reception-report', ['drawing-child.ts', 'email.ts', 'pdf.ts', 'timestamp.ts', 'whatsapp.ts']),
  bundle('console', ['index.ts'], { clean: ['!**/*.d.ts', '!app/**'] }),
  bundle('travel', ['index.ts', 'solver-thread.ts']),
  bundle('sign-in', ['index.ts']),
  bundle('cli', ['main.ts']),
])
