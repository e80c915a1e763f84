import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { needs } from '../../../test/needs.js'
import { isRoot } from '../../../test/ordinary-user.js'
import { bare, bin, nodeOptions } from './workplace.js'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../../../deploy/systemd', import.meta.url))
const services = (await readdir(folder)).filter((name) => name.endsWith('.service'))

const hasSystemd =
  process.env['SAV_TEST_FULL'] === '1' &&
  needs(
    'a systemd that runs (as root)',
    'that the lines of the units reach the journal',
    isRoot && existsSync('/run/systemd/system'),
  )

/** The lines of the unit that direct the output of its process. */
async function outputOf(name: string): Promise<string[]> {
  const unit = await readFile(join(folder, name), 'utf8')
  return [...unit.matchAll(/^(?:Standard(?:Output|Error)|SyslogIdentifier)=.*$/gm)].map(([line]) => line)
}

it.runIf(hasSystemd).each(services)('what %s logs is in the journal', async (name) => {
  const dir = await mkdtemp(join(tmpdir(), 'sav-unit-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const unit = `sav-test-${process.pid}-${name}`
  const properties = [...(await outputOf(name)), `WorkingDirectory=${dir}`].map((line) => `--property=${line}`)
  const env = Object.entries(bare).map(([key, value]) => `--setenv=${key}=${value}`)
  // Without a store, the service says so and ends.
  const command = [process.execPath, ...nodeOptions, bin, 'serve', '--no-init', '--json']
  const started = ['--quiet', '--wait', '--collect', `--unit=${unit}`, ...properties, ...env, ...command]
  await expect(run('systemd-run', started)).rejects.toMatchObject({ code: 5 })
  await run('journalctl', ['--sync'])
  const { stdout } = await run('journalctl', [`--unit=${unit}`, '--output=cat', '--no-pager'])
  expect(stdout).toMatch(/There is no store at /)
})
