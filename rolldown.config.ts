import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { defineConfig, type OutputBundle, type Plugin, type RolldownOptions } from 'rolldown'
import { writeLicences } from './scripts/licences.ts'

const packages = `${import.meta.dirname}/packages`
const dist = `${packages}/cli/dist`

const workspace = /^@sav\/([\w-]+)(?:\/([\w-]+))?$/
/** The source file of an entry of one of our packages. */
function sourceOf(path: string): string {
  const [, name, entry = 'index'] = workspace.exec(path) ?? []
  const source = `${packages}/${name}/src/${entry}`
  return existsSync(`${source}.ts`) ? `${source}.ts` : `${source}/index.ts`
}

/** Packages that stay outside the bundle, since they read files beside their own code. */
const beside = /^@sav\/(api-reference|console|reception-report)(\/|$)/

/** Native and optional modules, which stay outside the bundle. */
const outside = /^(@opentelemetry\/api|better-sqlite3|pg)(\/|$)/

/**
 * Writes the licences of bundled code.
 * @param files files that are copied from other packages
 */
function noteLicences(bundle: OutputBundle, name: string, files: readonly string[] = []): void {
  const chunks = Object.values(bundle).filter((each) => each.type === 'chunk')
  const imported = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
  writeLicences(
    [...chunks.flatMap(({ moduleIds }) => moduleIds), ...files],
    imported.filter((path) => !(path in bundle) && !path.startsWith('#')),
    `${packages}/${name}`,
  )
}

function resolved(path: string): string | null {
  if (path === '#hmac') return `${packages}/webhook-verify/src/hmac.node.ts`
  return workspace.test(path) && !beside.test(path) ? sourceOf(path) : null
}

const sources = {
  name: 'workspace',
  buildStart() {
    for (const file of existsSync(dist) ? readdirSync(dist) : [])
      if (/\.c?js$|^compiled$/.test(file)) rmSync(`${dist}/${file}`, { recursive: true })
  },
  resolveId: resolved,
  writeBundle: (_options, bundle) => noteLicences(bundle, 'cli'),
} satisfies Plugin

/**
 * Bundles the command with its libraries into a few files, instead of some 3000 of three times the size. Packages that
 * match `beside` stay outside. They would get a second copy of the core, so none of them may import its errors
 * (packages/cli/test/bundle.test.ts).
 */
const command: RolldownOptions = {
  cwd: `${packages}/cli`,
  input: {
    main: 'src/main.ts',
    'log-thread': '../storage-kysely/src/log-thread.ts',
    'queue-thread': '../storage-kysely/src/queue-thread.ts',
    'solver-thread': '../planning/src/solver-thread.ts',
    temporal: '../core/src/time/temporal.ts',
  },
  platform: 'node',
  // prom-client bundles its own copy of @opentelemetry/api, which finds the installed one.
  external: (path, importer) =>
    path === '#temporal' || beside.test(path) || (outside.test(path) && !importer?.includes('/prom-client/')),
  plugins: [sources],
  transform: { target: 'es2024' },
  checks: { ineffectiveDynamicImport: false },
  output: {
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // Licences are in a separate file.
    comments: false,
  },
}

const core = `${packages}/core/dist`

/**
 * Bundles the core with its libraries; of zod, only a tenth is included. Schemas work across copies of zod. The index
 * loads three files, where esbuild would make eleven: importing it takes a quarter less time. Names and ports are
 * separate chunks, for importers that need nothing else.
 */
const library: RolldownOptions = {
  cwd: `${packages}/core`,
  input: {
    index: 'src/index.ts',
    feature: 'src/feature.ts',
    adapter: 'src/adapter.ts',
    names: 'src/names.ts',
    ports: 'src/ports.ts',
    'supported-node': 'src/supported-node.ts',
    'testing/index': 'src/testing/index.ts',
    'time/temporal': 'src/time/temporal.ts',
  },
  platform: 'node',
  external: (path) => path === 'vitest' || path === '#temporal' || isBuiltin(path),
  plugins: [
    {
      name: 'core',
      buildStart() {
        for (const file of existsSync(core) ? readdirSync(core, { recursive: true, encoding: 'utf8' }) : [])
          if (file.endsWith('.js')) rmSync(`${core}/${file}`)
      },
      resolveId: resolved,
      writeBundle: (_options, bundle) => noteLicences(bundle, 'core'),
    },
  ],
  transform: { target: 'es2024' },
  output: {
    dir: core,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // Checks the version of Node before the file's other imports are evaluated.
    banner: ({ isEntry, name }) =>
      isEntry && name !== 'supported-node' ? `import '${name.includes('/') ? '..' : '.'}/supported-node.js'` : '',
    comments: { annotation: true, jsdoc: false, legal: false },
    topLevelVar: true,
    codeSplitting: {
      includeDependenciesRecursively: true,
      groups: [
        { name: 'names', priority: 3, test: /packages\/core\/src\/names\.ts$/ },
        { name: 'ports', priority: 2, test: /packages\/core\/src\/ports\.ts$/ },
        { name: 'core', priority: 1, test: /packages\/core\/src\/(index|feature|adapter)\.ts$/ },
      ],
    },
  },
}

const reports = `${packages}/reception-report`
/** Files that are copied beside the bundle, under the names by which the sources and pdfkit read them. */
const reportFiles = {
  'fonts/regular.ttf': '@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf',
  'fonts/semibold.ttf': '@expo-google-fonts/source-sans-3/600SemiBold/SourceSans3_600SemiBold.ttf',
  'fonts/bold.ttf': '@expo-google-fonts/source-sans-3/700Bold/SourceSans3_700Bold.ttf',
  'data/sRGB_IEC61966_2_1.icc': 'pdfkit/js/data/sRGB_IEC61966_2_1.icc',
}

/** Bundles the reports with their libraries: a tenth of pdfkit, fontkit and the fonts. */
const drawing: RolldownOptions = {
  cwd: reports,
  input: ['drawing-child', 'email', 'pdf', 'timestamp', 'whatsapp'].map((name) => `src/${name}.ts`),
  platform: 'node',
  external: (path) => path === 'sharp',
  plugins: [
    {
      name: 'reports',
      buildStart() {
        for (const file of existsSync(`${reports}/dist`) ? readdirSync(`${reports}/dist`) : [])
          if (file.endsWith('.js')) rmSync(`${reports}/dist/${file}`)
        for (const [name, file] of Object.entries(reportFiles))
          cpSync(`${reports}/node_modules/${file}`, `${reports}/dist/${name}`)
      },
      // fontkit needs brotli only for compressed fonts, so it is left out.
      resolveId: (path) => (path === 'brotli/decompress.js' ? '\0brotli' : resolved(path)),
      load: (id) => (id === '\0brotli' ? 'export default () => null' : null),
      writeBundle(_options, bundle) {
        const files = Object.values(reportFiles).map((file) => `${reports}/node_modules/${file}`)
        noteLicences(bundle, 'reception-report', files)
      },
    },
  ],
  transform: { target: 'es2024' },
  output: {
    dir: `${reports}/dist`,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    comments: false,
  },
}

export default defineConfig([library, drawing, command])
