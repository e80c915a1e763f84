// npm run test:fuzz: Schemathesis over the contract, at least 3,000 requests; SAV_TEST_SEED=N for others.
import { env, prepare, run, say } from './prepare.mjs'

prepare()
say('running Schemathesis over the contract')
run('vitest', ['run', 'packages/http-node/test/fuzz.test.ts'], { env: { ...env, SAV_TEST_FUZZ: '1' } })
