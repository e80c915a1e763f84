import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const version = '4.32.5'
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const home = here(`../../node_modules/.cache/schemathesis-${version}`)
const program = `${home}/bin/schemathesis`
const run = promisify(execFile)

/** Installs Schemathesis from PyPI, once. Resolves to the reason why that failed, or to undefined. */
export async function whyNot(): Promise<string | undefined> {
  if (existsSync(program)) return undefined
  try {
    await mkdir(home, { recursive: true })
    await run('python3', ['-m', 'venv', home])
    await run(`${home}/bin/pip`, ['install', '--quiet', '--disable-pip-version-check', `schemathesis==${version}`])
    return undefined
  } catch (error) {
    return `Schemathesis cannot be installed: ${error instanceof Error ? error.message.split('\n')[0] : error}`
  }
}

/** Values of existing things, which the hooks insert into generated requests. */
export interface KnownValues {
  readonly timestamp: string
  /** Ids by the beginning of the path; the first match counts. */
  readonly ids: readonly (readonly [path: string, ids: Readonly<Record<string, unknown>>])[]
  /** Values by the name of their field. */
  readonly values: Readonly<Record<string, unknown>>
}

interface Extent {
  readonly examples: number
  readonly seed: number
  /** Schemathesis's phases: examples of the contract, values at its bounds, random values, and sequences of calls. */
  readonly phases: readonly ('examples' | 'coverage' | 'fuzzing' | 'stateful')[]
}

/** Resolves to the number of requests, and to the whole report if anything was found. */
export async function fuzz(
  url: string,
  { key, known, examples, seed, phases }: Extent & { key: string; known: KnownValues },
): Promise<{ readonly generated: number; readonly found: string | null }> {
  const options = [
    '--checks',
    'all',
    '--phases',
    phases.join(),
    '--max-examples',
    String(examples),
    '--seed',
    String(seed),
  ]
  const env = {
    ...process.env,
    SAV_FUZZ_KEY: key,
    SAV_FUZZ_KNOWN: JSON.stringify(known),
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONPATH: here('.'),
    SCHEMATHESIS_HOOKS: 'hooks',
  }
  // Schemathesis writes its findings into its working directory.
  const cwd = await mkdtemp(join(tmpdir(), 'sav-fuzz-'))
  const told = await run(
    program,
    ['--config-file', here('schemathesis.toml'), 'run', `${url}/openapi.json`, ...options],
    {
      cwd,
      env,
      maxBuffer: 64 * 1024 * 1024,
    },
  ).then(
    ({ stdout }) => ({ stdout, found: null }),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ stdout, found: `${stdout}\n${stderr}` }),
  )
  if (process.env['SAV_FUZZ_SAY']) console.log(told.stdout)
  await rm(cwd, { recursive: true, force: true })
  return { generated: Number(/(\d+) generated/.exec(told.stdout)?.[1] ?? 0), found: told.found }
}
