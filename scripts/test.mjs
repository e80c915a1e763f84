// npm test: installs, builds, checks types, style, import direction, unused code and packages, and runs every test.
// npm test -- FILTER…: only the tests whose path contains it, without the checks.
// npm run test:console: the office and the phone in a browser.
// npm run test:chaos, test:adversary, test:full, test:scale, test:fuzz: the long suites. npm run test:all: all of them, and a table.
import { prepare, run } from './prepare.mjs'

prepare()
run('node', ['scripts/run-suites.ts', ...process.argv.slice(2)])
