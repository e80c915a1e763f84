// npm test: installs, builds, checks types, style, import direction, unused code and packages, and runs the tests.
// npm test -- FILTER…: runs only the test files whose paths contain a filter, without the checks.
// npm run test:console: tests the office and the phone in a browser.
// npm run test:chaos, test:adversary, test:full, test:scale, test:fuzz: run one long suite. npm run test:all: runs all
// of them, and prints a table.
import { prepare, run } from './prepare.mjs'

prepare()
run('node', ['scripts/run-suites.ts', ...process.argv.slice(2)])
