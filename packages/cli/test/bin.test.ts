import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { bin } from './workplace.js'

const run = promisify(execFile)

it.each(['20.20.2', '22.18.0'])('the command says in one sentence that Node %s is too old', async (version) => {
  const pretended = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  const started = run(process.execPath, [
    '--import',
    `data:text/javascript,${encodeURIComponent(pretended)}`,
    bin,
    '--help',
  ])
  await expect(started).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: `sav needs Node.js 22.19 or newer, and this is ${version}: install it from https://nodejs.org and try again.\n`,
  })
})

it.runIf(process.env['SAV_TEST_BUILT'] === '1')(
  'an installed sav starts from any directory, also through a link',
  async () => {
    const installed = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.bin', 'sav')
    const elsewhere = await mkdtemp(join(tmpdir(), 'sav-link-'))
    onTestFinished(() => rm(elsewhere, { recursive: true }))
    await symlink(installed, join(elsewhere, 'first'))
    await symlink('first', join(elsewhere, 'sav'))
    const version = expect.stringMatching(/^\d+\.\d+\.\d+/)
    for (const [command, cwd, path] of [
      [installed, '/', '/usr/bin:/bin'],
      [join(elsewhere, 'sav'), '/', '/usr/bin:/bin'],
      ['sav', elsewhere, `${elsewhere}:/usr/bin:/bin`],
      ['./sav', elsewhere, '/usr/bin:/bin'],
    ] as const)
      expect([command, (await run(command, ['--version'], { cwd, env: { PATH: path } })).stdout]).toEqual([
        command,
        version,
      ])
  },
)
