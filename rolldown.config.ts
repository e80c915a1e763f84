import { existsSync, readdirSync, rmSync } from 'node:fs'
import { builtinModules, isBuiltin } from 'node:module'
import { defineConfig, type OutputBundle, type Plugin, type RolldownOptions } from 'rolldown'
import { writeLicences } from './scripts/licences.ts'

const packages = `${import.meta.dirname}/packages`
const dist = `${packages}/cli/dist`

const workspace = /^@sav\/([\w-]+)(?:\/([\w-]+))?$/
/** An entry of one of our packages, before it is built. */
function sourceOf(path: string): string {
  const [, name, entry = 'index'] = workspace.exec(path) ?? []
  const source = `${packages}/${name}/src/${entry}`
  return existsSync(`${source}.ts`) ? `${source}.ts` : `${source}/index.ts`
}

/** What finds files beside its own, and what few commands load. */
const beside = /^@sav\/((api-reference|console|reception-report)(\/|$)|planning\/engines$)/

/** What each start loads; and hucre, most of which is for reading workbooks and is left out. */
const inside =
  /^(@sav\/|#hmac$|(@orama\/stemmers|@pinojs\/redact|atomic-sleep|canonicalize|commander|fastest-levenshtein|hucre|image-size|ipaddr\.js|kysely|lru-cache|on-exit-leak-free|pino|pino-std-serializers|quick-format-unescaped|safe-stable-stringify|sonic-boom|temporal-polyfill|temporal-utils|thread-stream|undici|zod)(\/|$))/

/** Licences of what is bundled go with it. */
function noteLicences(bundle: OutputBundle, name: string): void {
  const chunks = Object.values(bundle).filter((each) => each.type === 'chunk')
  const outside = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
  writeLicences(
    chunks.flatMap(({ moduleIds }) => moduleIds),
    outside.filter((path) => !(path in bundle) && !path.startsWith('#')),
    `${packages}/${name}`,
  )
}

const sources = {
  name: 'workspace',
  buildStart() {
    for (const file of existsSync(dist) ? readdirSync(dist) : [])
      if (/\.c?js$|^compiled$/.test(file)) rmSync(`${dist}/${file}`, { recursive: true })
  },
  resolveId(path) {
    if (path === '#hmac') return `${packages}/webhook-verify/src/hmac.node.ts`
    return workspace.test(path) && !beside.test(path) ? sourceOf(path) : null
  },
  writeBundle: (_options, bundle) => noteLicences(bundle, 'cli'),
} satisfies Plugin

/**
 * The command with what each of its starts loads, in a few files instead of some 700. Packages that are `beside` stay outside: one
 * of them that imports the core would get a second copy, so none may import its errors (packages/cli/test/bundle.test.ts).
 */
const command: RolldownOptions = {
  cwd: `${packages}/cli`,
  input: {
    main: 'src/main.ts',
    'log-thread': '../storage-kysely/src/log-thread.ts',
    'queue-thread': '../storage-kysely/src/queue-thread.ts',
    temporal: '../core/src/time/temporal.ts',
  },
  platform: 'node',
  external: (path) =>
    /^[@#\w]/.test(path) &&
    !path.startsWith('node:') &&
    !builtinModules.includes(path) &&
    (beside.test(path) || !inside.test(path)),
  plugins: [sources],
  transform: { target: 'es2024' },
  checks: { ineffectiveDynamicImport: false },
  output: {
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // Licences are beside.
    comments: false,
  },
}

const core = `${packages}/core/dist`

/**
 * The core, with what it uses of other packages inside: of zod a tenth, without its fifty languages. Schemas of one copy are
 * read by another. Its index reads three files, where esbuild makes eleven: an import takes a quarter less. Apart is what those
 * need who load nothing else: names, and of the ports a store, which has no zod.
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
      resolveId: sources.resolveId,
      writeBundle: (_options, bundle) => noteLicences(bundle, 'core'),
    },
  ],
  transform: { target: 'es2024' },
  output: {
    dir: core,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // Evaluated before what the file imports.
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

export default defineConfig([library, command])
