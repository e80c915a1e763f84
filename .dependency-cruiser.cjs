/** webhook-verify ← core ← adapters ← cli: what a package may import. The client is a leaf: whoever calls the API gets nothing else. */
const tests = '\\.test\\.ts$|/test/|/testing/'
const only = (name, allowed) => ({
  name: `${name}-imports`,
  comment: `${name} may import only ${allowed.join(', ') || 'nothing'} of this workspace`,
  severity: 'error',
  from: { path: `^packages/${name}/`, pathNot: tests },
  to: { path: '^packages/', pathNot: [name, ...allowed].map((p) => `^packages/${p}/`) },
})

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
    'delivery',
    'letters',
    'webhooks',
    'evidence',
    'directory',
    'users',
    'reports',
    'cases',
    'planning',
  ],
  'core/src/planning': [
    'travel',
    'places',
    'working-time',
    'appointments',
    'agendas',
    'calendars',
    'slots',
    'rounds',
    'customers',
  ],
  'http-node/src': ['http', 'contract', 'calendars', 'callers', 'routes', 'sign-in', 'api', 'node-server', 'sender'],
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
    'home',
    'people',
    'shell',
  ],
}
const inRoom = (root, room) => `^packages/${root}/${room}/`

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    only('webhook-verify', []),
    only('client', []),
    only('core', ['webhook-verify']),
    only('storage-kysely', ['core']),
    only('http-node', ['webhook-verify', 'client', 'core', 'travel']),
    only('reception-report', ['core']),
    only('travel', ['core']),
    only('console', ['client']),
    only('sign-in', ['core']),
    only('files-s3', ['core']),
    only('cli', [
      'webhook-verify',
      'client',
      'core',
      'storage-kysely',
      'http-node',
      'reception-report',
      'travel',
      'console',
      'sign-in',
      'files-s3',
    ]),
    {
      name: 'core-without-io',
      comment: 'the core does no I/O: of Node it uses crypto alone, by way of node-crypto.ts',
      severity: 'error',
      from: { path: '^packages/core/src', pathNot: [tests, '^packages/core/src/node-crypto.ts$'] },
      to: { dependencyTypes: ['core'] },
    },
    ...Object.entries(rooms).flatMap(([root, all]) =>
      all.map((room, index) => ({
        name: `${root.replace(/\/(src|app)/, '')}-${room}-imports`,
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
