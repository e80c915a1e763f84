/** webhook-verify ← core ← adapters ← cli: what a package may import. */
const tests = '\\.test\\.ts$|/test/|/testing/'
const only = (name, allowed) => ({
  name: `${name}-imports`,
  comment: `${name} may import only ${allowed.join(', ') || 'nothing'} of this workspace`,
  severity: 'error',
  from: { path: `^packages/${name}/`, pathNot: tests },
  to: { path: '^packages/', pathNot: [name, ...allowed].map((p) => `^packages/${p}/`) },
})

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    only('webhook-verify', []),
    only('core', ['webhook-verify']),
    only('storage-kysely', ['core']),
    only('http-node', ['core']),
    only('reception-report', ['core']),
    only('cli', ['webhook-verify', 'core', 'storage-kysely', 'http-node', 'reception-report']),
    {
      name: 'core-without-io',
      comment: 'the core does no I/O: of Node it uses crypto alone',
      severity: 'error',
      from: { path: '^packages/core/src', pathNot: tests },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
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
    doNotFollow: { path: 'node_modules|/dist/' },
    exclude: { path: '/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.js'],
    },
  },
}
