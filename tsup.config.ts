import { writeFile } from 'node:fs/promises'
import { defineConfig, type Options } from 'tsup'
import { writeLicences } from './scripts/licences.js'

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

/** Checks the version of Node before the file's other imports are evaluated. */
const onSupportedNode = { banner: { js: "import '@sav/core/supported-node'" } }

/** Writes the licences of bundled code. */
const licences = (name: string): NonNullable<Options['esbuildPlugins']>[number] => ({
  name: 'licences',
  setup(build) {
    build.initialOptions.metafile = true
    build.onEnd(({ metafile }) => {
      if (metafile === undefined) return
      const outside = Object.values(metafile.outputs).flatMap(({ imports }) =>
        imports.filter(({ external }) => external),
      )
      const paths = outside.map(({ path }) => path)
      writeLicences(Object.keys(metafile.inputs), paths, `packages/${name}`)
    })
  },
})

/**
 * Bundles these packages too; of zod, only a tenth is included. This halves the time of an import. Schemas work across
 * copies of zod.
 */
const including = (noExternal: string[], name: string, entry: string[], options?: Options): Options => ({
  ...bundle(name, entry, options),
  noExternal,
  esbuildPlugins: [licences(name)],
})

/**
 * The CommonJS build, for tools on Node that cannot `import`, such as Jest and TypeScript's `module: node16`. Each file
 * is built separately, so that an error thrown through one subpath is an instance of the class that another subpath
 * exports.
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

/**
 * Builds all packages except the core, the reports and the command (rolldown.config.ts). `tsc -b` writes the
 * declarations, and scripts/prepare.mjs copies them for CommonJS.
 */
export default defineConfig([
  bundle('webhook-verify', ['{events,express,fastify,hmac.*,index,node,testing,web}.ts'], {
    platform: 'neutral',
    external: ['#hmac', /^node:/],
    clean: ['!**/*.d.ts', '!cjs/**'],
  }),
  commonJs('webhook-verify'),
  bundle(
    'storage-kysely',
    [
      'index.ts',
      'backup.ts',
      'copy.ts',
      'feature.ts',
      'file-directory.ts',
      'postgres.ts',
      'log-thread.ts',
      'queue-thread.ts',
      'sqlite.ts',
      'testing.ts',
    ],
    onSupportedNode,
  ),
  bundle('client', ['index.ts', 'methods.ts'], { platform: 'neutral' }),
  including(
    ['csv-stringify', 'hucre', 'zod'],
    'http-node',
    ['index.ts', 'client.ts', 'feature.ts', 'links.ts', 'local.ts', 'runtime.ts'],
    onSupportedNode,
  ),
  bundle('console', ['index.ts'], { clean: ['!**/*.d.ts', '!app/**'] }),
  bundle('storage-contract', ['index.ts']),
  bundle('command', ['index.ts', 'feature.ts']),
  bundle('insight', ['index.ts', 'commands.ts', 'kysely.ts', 'routes.ts', 'testing.ts']),
  including(['ical-generator', 'timezones-ical-library'], 'planning', [
    'index.ts',
    'commands.ts',
    'engines.ts',
    'feature.ts',
    'ical.ts',
    'kysely.ts',
    'routes.ts',
    'solver-thread.ts',
    'testing.ts',
  ]),
  bundle('field', ['index.ts', 'commands.ts', 'kysely.ts', 'routes.ts', 'testing.ts']),
  bundle('moving', ['index.ts', 'commands.ts', 'kysely.ts', 'testing.ts']),
  bundle('all', ['index.ts', 'commands.ts', 'kysely.ts', 'routes.ts']),
  bundle('people', ['index.ts', 'commands.ts', 'kysely.ts', 'routes.ts', 'sign-in.ts', 'testing.ts']),
  bundle('files-s3', ['index.ts']),
])
