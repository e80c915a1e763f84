// Runs tests after everything is installed and built: `npm test` without arguments; the suites that `--chaos`, `--full`
// … name; all suites with `--all`; or only test files whose paths contain the given text.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunTimes } from '../test/file-times.ts'
import { slowestFiles } from './slowest-files.ts'
import { type SuiteName, suiteNames, suites } from './suites.ts'

interface RunResult {
  readonly passed: boolean
  readonly seconds: number
  /** The times of the run's files; null if the run ended before it could report them. */
  readonly times: RunTimes | null
}

const say = (message: string) => console.error(`\x1b[2m› ${message}\x1b[0m`)

const running = new Set<ChildProcess>()
let stoppedBy: NodeJS.Signals | null = null
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    stoppedBy = signal
    for (const child of running) child.kill(signal)
  })

/** Runs a command. Resolves to its exit code. @param output a list for its output; null: the terminal gets it */
function ended(command: string, args: readonly string[], { env = {}, output = null }: RunOptions): Promise<number> {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: output === null ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output?.push(String(chunk)))
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`${command}: ${error.message}`)
      resolve(1)
    })
    child.once('close', (code) => {
      running.delete(child)
      resolve(code ?? 1)
    })
  })
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly output?: string[] | null
}

/** What `npm test` checks besides the tests. */
const checks: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['style', 'biome', 'ci', '.', '--colors=off'],
  ['types', 'tsc', '-p', 'tsconfig.test.json', '--checkers', '1'],
  ['direction of imports', 'depcruise', 'packages', '--config', '.dependency-cruiser.cjs', '--output-type', 'err'],
  ['unused code and dependencies', 'knip'],
  ['the time that regular expressions take', 'node', 'scripts/check-regular-expressions.ts'],
  ['packages as they would be published', 'node', 'scripts/check-packages.mjs'],
]

/**
 * Runs the checks one after the other, quietly, in parallel with the tests. Resolves to the output of those that
 * failed.
 */
async function runChecks(): Promise<string[]> {
  const failures: string[] = []
  for (const [name, command, ...args] of checks) {
    const output: string[] = []
    const code = await ended(command, args, { output })
    if (stoppedBy !== null) break
    if (code !== 0) failures.push(`The check of ${name} failed:\n${output.join('')}`)
    if (code !== 0) say(`the check of ${name} failed; its output is printed at the end`)
  }
  return failures
}

async function runTests(files: readonly string[], env: Readonly<Record<string, string>>): Promise<RunResult> {
  const folder = mkdtempSync(join(tmpdir(), 'sav-times-'))
  const target = join(folder, 'times.json')
  const startedAt = performance.now()
  // Tests start built code, which takes half the time of its sources.
  const forTests = { SAV_TEST_BUILT: '1', SAV_TEST_TIMES: target, ...env }
  const code = await ended('vitest', ['run', ...files], { env: forTests })
  const seconds = (performance.now() - startedAt) / 1000
  const times = readTimes(target)
  rmSync(folder, { recursive: true })
  return { passed: code === 0, seconds, times }
}

function readTimes(file: string): RunTimes | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

/** Runs all of `npm test`: its tests, and the checks in parallel. */
async function runWhole(): Promise<RunResult> {
  say('running the tests, with the checks in parallel')
  const [failures, ran] = await Promise.all([
    runChecks(),
    runTests([], { SAV_TEST_WITHOUT: suites.test.without.join(',') }),
  ])
  for (const failure of failures) console.error(`\n${failure}`)
  const { lines, unnamed } = slowestFiles(ran.times?.files ?? [])
  console.error(`\n${lines.join('\n')}`)
  for (const file of unnamed)
    console.error(`${file} takes more than 3 % of the run: make it quicker, or name it in scripts/slowest-files.ts.`)
  return { ...ran, passed: ran.passed && failures.length + unnamed.length === 0 }
}

function runSuite(name: SuiteName): Promise<RunResult> {
  if (name === 'test') return runWhole()
  say(`running the suite ${name}`)
  return runTests(suites[name].files, suites[name].env)
}

/** Runs all suites. @returns whether all passed */
async function runAll(): Promise<boolean> {
  const rows: string[] = []
  let passed = true
  for (const name of suiteNames) {
    const { times, ...ran } = await runSuite(name)
    if (stoppedBy !== null) return false
    passed &&= ran.passed
    const counts = [times?.files.length, times?.passed, times?.failed, times?.skipped].map((n) =>
      String(n ?? '–').padStart(8),
    )
    const minutes = (ran.seconds / 60).toFixed(1).padStart(8)
    rows.push(`${name.padEnd(10)} ${ran.passed ? 'green' : 'RED  '} ${counts.join('')} ${minutes}`)
  }
  console.error(`\nsuite      result    files  passed  failed skipped  minutes\n${rows.join('\n')}`)
  return passed
}

const given = process.argv.slice(2)
const suite = suiteNames.find((name) => given.includes(`--${name}`)) ?? 'test'
const files = given.filter((argument) => argument !== '--all' && argument !== `--${suite}`)

const passed = given.includes('--all')
  ? await runAll()
  : (await (files.length === 0 ? runSuite(suite) : runTests(files, suites[suite].env))).passed
process.exitCode = stoppedBy !== null ? 130 : passed ? 0 : 1
