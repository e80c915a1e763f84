// npm test: installs, builds, checks types, style, import direction and packages, and runs every test.
// npm run test:chaos: the same proofs with their full counts. npm run test:adversary: every attack, with its full counts.
// npm run test:full: on every Node and TypeScript, and through a registry.
import { env, prepare, run, say } from './prepare.mjs'

const kinds = ['chaos', 'adversary', 'full'].filter((kind) => process.argv.includes(`--${kind}`))
const rest = process.argv.slice(2).filter((argument) => !kinds.includes(argument.replace(/^--/, '')))
const long = kinds.length > 0

prepare()
if (!long && rest.length === 0) {
  say('checking types')
  run('tsc', ['-p', 'tsconfig.test.json'])
  say('checking style')
  run('biome', ['ci', '.', '--colors=off'])
  say('checking the import direction')
  run('depcruise', ['packages', '--config', '.dependency-cruiser.cjs', '--output-type', 'err'])
  say('checking for unused code and dependencies')
  run('knip', [])
  say('checking the packages as they would be published')
  run('node', ['scripts/check-packages.mjs'])
}
say(long ? 'running the long proofs' : 'running the tests')
const whole = kinds.includes('full') ? { SAV_TEST_FULL: '1' } : long && { SAV_TEST_CHAOS: '1' }
run('vitest', ['run', ...kinds.map((kind) => (kind === 'full' ? '.full.test' : kind)), ...rest], {
  // What was just built starts in half the time that its sources take.
  env: { ...env, SAV_TEST_BUILT: '1', ...whole },
})
