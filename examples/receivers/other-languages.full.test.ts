import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, it, vi } from 'vitest'
import { needs, noteMissing } from '../../test/needs.js'
import { startReceiver } from './receivers.js'

const run = promisify(execFile)
const whole = process.env['SAV_TEST_FULL'] === '1'
// Each receiver downloads its library from a registry, and some compile it.
vi.setConfig({ testTimeout: 600_000 })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sav-receivers-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Recipe {
  /** The folder of the example. Default: the language. */
  readonly folder?: string
  /** The program that must be on the PATH. */
  readonly tool: string
  /** The registry of its libraries, if it may be unreachable. */
  readonly registry?: string
  /** Installs the libraries in a copy of the folder. */
  readonly prepare: readonly (readonly [command: string, ...args: string[]])[]
  readonly start: readonly [command: string, ...args: string[]]
}

/** PHP reports on stderr that it listens. */
const phpServer = (file: string) => ['sh', '-c', `exec php -S 127.0.0.1:$PORT ${file} 2>&1`] as const

const recipes: Record<string, Recipe> = {
  python: {
    tool: 'python3',
    prepare: [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/pip', 'install', '--quiet', '--requirement', 'requirements.txt'],
    ],
    start: ['venv/bin/python', 'receiver.py'],
  },
  go: {
    tool: 'go',
    prepare: [
      ['go', 'mod', 'tidy'],
      ['go', 'build', '-o', 'receiver'],
    ],
    start: ['./receiver'],
  },
  rust: { tool: 'cargo', prepare: [['cargo', 'build', '--quiet']], start: ['target/debug/receiver'] },
  java: {
    tool: 'mvn',
    prepare: [['mvn', '--quiet', 'package', 'dependency:copy-dependencies']],
    start: ['java', '-cp', 'target/classes:target/dependency/*', 'Receiver'],
  },
  php: {
    tool: 'composer',
    registry: 'https://repo.packagist.org/packages.json',
    prepare: [['composer', 'require', '--quiet', 'standard-webhooks/standard-webhooks:dev-main']],
    start: phpServer('receiver.php'),
  },
  'php without its library': { tool: 'php', folder: 'php', prepare: [], start: phpServer('without-composer.php') },
}

describe.runIf(whole)('a receiver in another language accepts only signed webhooks', () => {
  for (const [language, { tool, registry, folder: source = language, prepare, start }] of Object.entries(recipes)) {
    const proof = `that the receiver in ${language} verifies us`
    it.runIf(whole && needs(tool, proof))(language, async ({ skip }) => {
      if (registry !== undefined && !(await isThere(registry))) {
        noteMissing(registry, proof)
        skip()
      }
      const cwd = join(folder, language)
      await cp(join(import.meta.dirname, source), cwd, { recursive: true })
      for (const [command, ...args] of prepare)
        await run(join(command.includes('/') ? cwd : '', command), args, { cwd })
      const [command, ...args] = start
      await using receiver = await startReceiver(command.includes('/') ? join(cwd, command) : command, args, cwd)
      await receiver.judges()
    })
  }
})

const isThere = (address: string) =>
  fetch(address).then(
    ({ ok }) => ok,
    () => false,
  )

const runtimes = { bun: ['bun.ts'], deno: ['run', '--allow-net', '--allow-env', '--allow-read', 'deno.ts'] }

describe.runIf(whole)('a receiver on another runtime, with its tarball installed by npm,', () => {
  it.each(Object.entries(runtimes))('%s accepts only signed webhooks', async (runtime, args) => {
    const { newProject, packedPackages } = await import('../../test/installed.js')
    const tarballs = await packedPackages(join(folder, `${runtime}-tarballs`))
    const project = await newProject(join(folder, runtime), [tarballs.get('@sav/webhook-verify') ?? '', runtime])
    await cp(join(import.meta.dirname, `${runtime}.ts`), join(project, `${runtime}.ts`))
    await using receiver = await startReceiver(join(project, 'node_modules/.bin', runtime), args, project)
    await receiver.judges()
    await receiver.isForPosts()
  })
})
