const { readdirSync, readFileSync } = require('node:fs')

const tests = '\\.test\\.ts$|/test/|/testing/|/contract\\.ts$'

/** The kind of a package, by its name or its exports. New features need no entry. */
function kindOf(name) {
  if (['webhook-verify', 'client', 'core', 'command'].includes(name)) return name
  if (['all', 'cli', 'api-reference'].includes(name)) return 'app'
  const { exports = {} } = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'))
  return './kysely' in exports || './routes' in exports ? 'feature' : 'adapter'
}

/** The kinds that each kind may import. The client imports none, so its users install nothing else. */
const allowed = {
  'webhook-verify': [],
  client: [],
  core: ['webhook-verify'],
  adapter: ['webhook-verify', 'core', 'client'],
  command: ['webhook-verify', 'core', 'client', 'adapter'],
  feature: ['webhook-verify', 'core', 'client', 'adapter', 'command', 'feature'],
  app: ['webhook-verify', 'core', 'client', 'adapter', 'command', 'feature', 'app'],
}
const packages = readdirSync('packages').map((name) => ({ name, kind: kindOf(name) }))
const directions = packages.map(({ name, kind }) => ({
  name: `${name}-imports`,
  comment: `${name} is of the kind ${kind}, which may import only: ${allowed[kind].join(', ') || 'nothing'}`,
  severity: 'error',
  from: { path: `^packages/${name}/`, pathNot: tests },
  to: {
    path: '^packages/',
    pathNot: packages
      .filter((each) => each.name === name || allowed[kind].includes(each.kind))
      .map((each) => `^packages/${each.name}/`),
  },
}))

/** Folders that may import only those listed before them. Files beside these folders may import all of them. */
const folders = {
  'core/src': [
    'refusals',
    'time',
    'running',
    'values',
    'files',
    'crypto',
    'access',
    'receivers',
    'delivery',
    'letters',
    'webhooks',
    'evidence',
    'directory',
    'reports',
    'cases',
  ],
  'http-node/src': ['http', 'contract', 'sheets', 'callers', 'routes', 'api', 'node-server', 'names', 'sender'],
  'http-node/src/routes': ['declaration', 'public-pages', 'files', 'cases', 'directory', 'webhooks', 'access'],
  'command/src': [
    'process',
    'syntax',
    'settings',
    'terminal',
    'store',
    'invocation',
    'access',
    'directory',
    'cases',
    'evidence',
    'webhooks',
    'files',
    'backup',
    'installation',
    'doctor',
    'running',
    'completion',
  ],
  'console/app': [
    'api',
    'words',
    'session',
    'system',
    'directory',
    'webhooks',
    'cases',
    'users',
    'account',
    'sign-in',
    'access',
    'planning',
    'statistics',
    'home',
    'people',
    'shell',
  ],
  'console/terrain': ['sync', 'words', 'vault', 'photos', 'store', 'send', 'worker', 'state', 'screens'],
}
const inFolder = (root, folder) => `^packages/${root}/${folder}/`

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...directions,
    {
      name: 'office-without-terrain',
      comment: "the installers' app may import shared code of the office's, but not the other way round",
      severity: 'error',
      from: { path: '^packages/console/app/' },
      to: { path: '^packages/console/terrain/' },
    },
    {
      name: 'core-without-io',
      comment: 'the core does no I/O: it uses only crypto of Node, through node-crypto.ts',
      severity: 'error',
      from: { path: '^packages/core/src', pathNot: [tests, '^packages/core/src/node-crypto.ts$'] },
      to: { dependencyTypes: ['core'] },
    },
    ...Object.entries(folders).flatMap(([root, all]) =>
      all.map((folder, index) => ({
        name: `${root.replace(/\/(src|app)/, '').replace('/', '-')}-${folder}-imports`,
        comment: `in ${root} ${folder} may import only the folders before it: ${all.slice(0, index).join(', ') || 'none'}`,
        severity: 'error',
        from: { path: inFolder(root, folder), pathNot: tests },
        to: {
          path: `^packages/${root}/[^/]+/`,
          pathNot: all.slice(0, index + 1).map((earlier) => inFolder(root, earlier)),
        },
      })),
    ),
    {
      name: 'storage-kysely-from-below',
      comment: 'no folder of storage-kysely imports the files beside it, which compose them',
      severity: 'error',
      from: { path: '^packages/storage-kysely/src/[^/]+/', pathNot: tests },
      to: { path: '^packages/storage-kysely/src/[^/]+\\.ts$' },
    },
    {
      name: 'core-not-through-ports',
      comment: 'ports.ts is for adapters: the core imports the declaring file',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: tests },
      to: { path: '^packages/core/src/ports\\.ts$' },
    },
    {
      name: 'not-through-index',
      comment: 'no file of a package imports its index',
      severity: 'error',
      from: { path: '^packages/([^/]+)/src/' },
      to: { path: '^packages/$1/src/index\\.ts$' },
    },
  ],
  options: {
    // Imports of other packages end at their built files.
    doNotFollow: { path: 'node_modules|/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js'],
    },
  },
}
