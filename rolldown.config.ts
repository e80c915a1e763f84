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
const beside = /^@sav\/(api-reference|console|reception-report|travel)(\/|$)/

/** What each start loads. */
const inside =
  /^(@sav\/|#hmac$|(@orama\/stemmers|@pinojs\/redact|atomic-sleep|canonicalize|commander|fastest-levenshtein|image-size|ipaddr\.js|kysely|lru-cache|on-exit-leak-free|pino|pino-std-serializers|quick-format-unescaped|safe-stable-stringify|sonic-boom|temporal-polyfill|temporal-utils|thread-stream|undici|zod)(\/|$))/

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

/** What Node has loaded before it comes to us. */
const loadedByNode = /^node:(buffer|events|fs|path|process|url|util)$/

/**
 * Node's own modules by `process.getBuiltinModule`: an `import` reads each name of a module, and with those of `node:fs` come its
 * streams. What Node has not loaded already comes at the first call of a function. Of `node:child_process` commander wants only
 * what starts commands that are programs of their own: none here.
 */
const builtins: Plugin = {
  name: 'builtins',
  resolveId(path, importer = '') {
    const name = path.replace(/^node:/, '')
    if (!builtinModules.includes(name)) return null
    const isUnused = name === 'child_process' && importer.includes('/commander/')
    return { id: isUnused ? '\0absent' : `\0node:${name}`, moduleSideEffects: false }
  },
  async load(id) {
    if (id === '\0absent') return 'export default {}'
    if (!id.startsWith('\0node:')) return null
    const module = id.slice(1)
    const exported: Record<string, unknown> = await import(module)
    const names = Object.keys(exported).filter((name) => name !== 'default')
    // A class may be extended, and is read at once.
    const isCalled = (name: string) => typeof exported[name] === 'function' && /^[a-z]/.test(name)
    const waits = !loadedByNode.test(module)
    return [
      `const builtin = /* @__PURE__ */ process.getBuiltinModule('${module}')`,
      'export default builtin',
      ...names.map((name) =>
        waits && isCalled(name)
          ? `export const ${name} = (...args) => process.getBuiltinModule('${module}').${name}(...args)`
          : `export const ${name} = /* @__PURE__ */ (() => builtin.${name})()`,
      ),
    ].join('\n')
  },
}

/** What requires modules of Node, and wants what `require` gives. */
const requiring =
  /\/node_modules\/(atomic-sleep|on-exit-leak-free|pino|pino-std-serializers|quick-format-unescaped|sonic-boom|undici)\//

/**
 * What sends webhooks, out of undici: its index loads fetch, WebSocket, caches and mocks as well, which takes a start 46 ms of
 * CPU and 14 MB more.
 */
const sender: Plugin = {
  name: 'sender',
  resolveId(path, importer = '') {
    if (path === 'undici') return '\0undici'
    // HTTP/2, which the sender does not speak, and threads of pino, which writes from this one.
    if (path === './client-h2.js' || path === 'thread-stream') return '\0absent'
    return requiring.test(importer) && isBuiltin(path) ? `\0required:${path}` : null
  },
  load(id) {
    const [, required] = /^\0required:(.*)$/.exec(id) ?? []
    if (required !== undefined) return `module.exports = process.getBuiltinModule('${required}')`
    if (id !== '\0undici') return null
    const lib = `${packages}/http-node/node_modules/undici/lib`
    const parts = Object.entries({
      Agent: 'dispatcher/agent',
      Pool: 'dispatcher/pool',
      ProxyAgent: 'dispatcher/proxy-agent',
      buildConnector: 'core/connect',
      errors: 'core/errors',
    })
    return [
      ...parts.map(([name, file]) => `export { default as ${name} } from '${lib}/${file}.js'`),
      // By this a ProxyAgent asks for its tunnels; the index gives it to every dispatcher as well.
      `import Dispatcher from '${lib}/dispatcher/dispatcher.js'`,
      `import connect from '${lib}/api/api-connect.js'`,
      'Dispatcher.prototype.connect = connect',
    ].join('\n')
  },
}

/**
 * Makes a file into the function that `load.ts` calls: to put that around it at each start would keep its text twice, 7 MB of a
 * service. What is not in the bundle is imported by `load.ts`, since a script of `node:vm` imports nothing by itself.
 */
const asFunction: Plugin = {
  name: 'as-function',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue
      const body = chunk.code.replaceAll(/\bimport\((?=["`])/g, 'importOutside(')
      chunk.code = `(function (exports, require, importOutside, __filename) {${body}\n})\n`
    }
  },
}

/** V8 keeps a file in two bytes a character where one of them, such as an apostrophe, needs two: of a service, 3 MB. */
const inAscii: Plugin = {
  name: 'in-ascii',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk')
        chunk.code = chunk.code.replaceAll(
          /[\u0080-\uffff]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        )
  },
}

/** CommonJS, by the rules of an ES module. */
const scripts = {
  dir: dist,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
  intro: "'use strict'",
  // They are half of kysely, and each start would read them. Licences are beside.
  comments: false,
  // A fifth of the rest, 2 MB of a service. Names stay for who reads where an error came from.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
} as const

/**
 * The command, with what each of its starts loads: a few files instead of some 700. Outside stays what is `beside`: what of it
 * imports the core gets one of its own, so it may import no error from there (packages/cli/test/bundle.test.ts holds that).
 */
const command: RolldownOptions = {
  cwd: `${packages}/cli`,
  input: { main: 'src/main.ts' },
  platform: 'node',
  external: (path) =>
    /^[@#\w]/.test(path) &&
    !path.startsWith('node:') &&
    !builtinModules.includes(path) &&
    (beside.test(path) || !inside.test(path)),
  plugins: [sender, builtins, sources, asFunction, inAscii],
  transform: { target: 'es2024' },
  checks: { ineffectiveDynamicImport: false },
  output: {
    ...scripts,
    // Help reads one file, each command another, and what opens a store a third.
    codeSplitting: {
      includeDependenciesRecursively: true,
      groups: [
        { name: 'help', priority: 3, test: /packages\/cli\/src\/main\.ts$/ },
        {
          name: 'command',
          priority: 2,
          test: /packages\/(cli\/src\/(invocation\/(run-in-context|api)|terminal\/listing)|http-node\/src\/(local|routes\/answers))\.ts$/,
        },
        {
          name: 'store',
          priority: 1,
          test: /packages\/(cli\/src\/store\/store|storage-kysely\/src\/(sqlite|backup))\.ts$/,
        },
      ],
    },
  },
}

/** A file that Node loads by itself, with all that it needs. */
const alone = (name: string, source: string): RolldownOptions => ({
  ...command,
  input: { [name]: source },
  plugins: [builtins, { ...sources, buildStart() {}, writeBundle() {} }, inAscii],
  output: { ...scripts, codeSplitting: false },
})

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
    internal: 'src/internal.ts',
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
        { name: 'core', priority: 1, test: /packages\/core\/src\/(index|internal)\.ts$/ },
      ],
    },
  },
}

export default defineConfig([
  library,
  command,
  // The thread of the queue reads half of what it would share with the command: a service has 6 MB less.
  alone('queue-thread', '../storage-kysely/src/queue-thread.ts'),
  alone('temporal', '../core/src/time/temporal.ts'),
  {
    ...command,
    input: { load: 'src/load.ts' },
    plugins: [builtins],
    output: { dir: dist, format: 'esm' },
  },
])
