// npm test: installs, builds, checks types, style, import direction and packages, and runs every test.
// npm run test:chaos: the same proofs with their full counts.
import { env, prepare, run, say } from './prepare.mjs'

const chaos = process.argv.includes('--chaos')
const rest = process.argv.slice(2).filter((argument) => argument !== '--chaos')

prepare()
if (!chaos && rest.length === 0) {
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
say(chaos ? 'running the long proofs' : 'running the tests')
run('vitest', ['run', ...(chaos ? ['chaos'] : []), ...rest], { env: { ...env, ...(chaos && { SAV_TEST_CHAOS: '1' }) } })
