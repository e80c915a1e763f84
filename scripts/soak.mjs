// npm run test:soak -- --hours N: a shop's days in fast motion, on SQLite and on PostgreSQL (test/soak).
import { prepare, run } from './prepare.mjs'

prepare()
run('node', ['test/soak/run.ts', ...process.argv.slice(2)])
