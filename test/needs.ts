import { accessSync, appendFileSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Programs that tests use besides Node, if they are on the PATH. */
const programs = [
  'WebKitWebDriver',
  'Xvfb',
  'caddy',
  'chromium',
  'curl',
  'fish',
  'hadolint',
  'litestream',
  'mandoc',
  'nginx',
  'openssl',
  'prlimit',
  'promtool',
  'python3',
  'script',
  'strace',
  'systemd-analyze',
  'versitygw',
  'zsh',
]

/** Programs used only by tests that `npm test` leaves out. */
const programsOfLongSuites = ['cargo', 'composer', 'go', 'mount', 'mvn', 'php']

/** The programs that this run would use and that are missing. */
export function missingPrograms(): string[] {
  const isLong = ['FULL', 'CHAOS'].some((suite) => process.env[`SAV_TEST_${suite}`] === '1')
  return [...programs, ...(isLong ? programsOfLongSuites : [])].filter((program) => !isOnPath(program))
}

/**
 * Whether a test's tool exists, for `runIf`. If not, the end of the run lists the proof that was skipped.
 * @param proof what the test proves, worded to follow "not shown: "
 * @param isThere default: whether `tool` is on the PATH. `tool` must then be in a list above: by these lists, a run
 *   reports missing tools when it starts
 */
export function needs(tool: string, proof: string, isThere = isListedAndOnPath(tool)): boolean {
  if (!isThere) noteMissing(tool, proof)
  return isThere
}

/** Records a skipped proof, for a test that finds out only while running that it lacks a tool. */
export function noteMissing(tool: string, proof: string): void {
  const notes = process.env['SAV_TEST_MISSING']
  if (notes !== undefined) appendFileSync(notes, `${tool} is missing, so not shown: ${proof}\n`)
}

function isListedAndOnPath(program: string): boolean {
  if (![...programs, ...programsOfLongSuites].includes(program))
    throw new Error(`A test needs ${program}: name it in test/needs.ts.`)
  return isOnPath(program)
}

function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
