// npm run test:soak -- --hours N: runs a shop's days at high speed, on SQLite and PostgreSQL (test/soak).
import { prepare, run } from './prepare.mjs'

prepare()
run('node', ['test/soak/run.ts', ...process.argv.slice(2)])
