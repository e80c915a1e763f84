const { readdirSync, readFileSync } = require('node:fs')

const tests = '\\.test\\.ts$|/test/|/testing/|/contract\\.ts$'

/** What a package is, by what it exports and builds on: a new feature needs no line here. */
function kindOf(name) {
  if (['webhook-verify', 'client', 'core', 'command'].includes(name)) return name
  if (['all', 'cli', 'api-reference'].includes(name)) return 'app'
  const { exports = {} } = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'))
  return './kysely' in exports || './routes' in exports ? 'feature' : 'adapter'
}

/** webhook-verify ← core ← adapters ← the command's frame ← features ← apps. The client is a leaf: whoever calls the API gets nothing else. */
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

/** The rooms of a package, each of which may import those before it. What stands beside them puts them together. */
const rooms = {
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
const inRoom = (root, room) => `^packages/${root}/${room}/`

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...directions,
    {
      name: 'office-without-terrain',
      comment:
        "the installers' app takes from the office's what both have; never the other way, so that the office's grows by nothing",
      severity: 'error',
      from: { path: '^packages/console/app/' },
      to: { path: '^packages/console/terrain/' },
    },
    {
      name: 'core-without-io',
      comment: 'the core does no I/O: of Node it uses crypto alone, by way of node-crypto.ts',
      severity: 'error',
      from: { path: '^packages/core/src', pathNot: [tests, '^packages/core/src/node-crypto.ts$'] },
      to: { dependencyTypes: ['core'] },
    },
    ...Object.entries(rooms).flatMap(([root, all]) =>
      all.map((room, index) => ({
        name: `${root.replace(/\/(src|app)/, '').replace('/', '-')}-${room}-imports`,
        comment: `in ${root} ${room} may import only the rooms before it: ${all.slice(0, index).join(', ') || 'none'}`,
        severity: 'error',
        from: { path: inRoom(root, room), pathNot: tests },
        to: {
          path: `^packages/${root}/[^/]+/`,
          pathNot: all.slice(0, index + 1).map((earlier) => inRoom(root, earlier)),
        },
      })),
    ),
    {
      name: 'storage-kysely-from-below',
      comment: 'what stands beside the rooms of storage-kysely puts them together: no room imports it',
      severity: 'error',
      from: { path: '^packages/storage-kysely/src/[^/]+/', pathNot: tests },
      to: { path: '^packages/storage-kysely/src/[^/]+\\.ts$' },
    },
    {
      name: 'core-not-through-ports',
      comment: 'ports.ts names what adapters need: the core itself imports what it means',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: tests },
      to: { path: '^packages/core/src/ports\\.ts$' },
    },
    {
      name: 'not-through-index',
      comment: 'inside a package nobody imports its index',
      severity: 'error',
      from: { path: '^packages/([^/]+)/src/' },
      to: { path: '^packages/$1/src/index\\.ts$' },
    },
  ],
  options: {
    // What another package is built to is where an import of that package ends.
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
