import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { needs } from '../../../test/needs.js'
import { declaredSettings } from '../src/settings/declared-settings.js'
import { bin, nodeOptions } from './workplace.js'

const run = promisify(execFile)
const deployed = (name: string) => fileURLToPath(new URL(`../../../deploy/${name}`, import.meta.url))

async function directory(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'sav-deploy-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return dir
}

describe('systemd', () => {
  const proof = 'that the units are right'
  it.runIf(needs('systemd-analyze', proof))('finds nothing wrong with the units', async () => {
    const dir = await directory()
    for (const name of ['sav.service', 'sav-backup.service', 'sav-backup.timer']) {
      const unit = await readFile(deployed(`systemd/${name}`), 'utf8')
      // The command has to be there, wherever it is installed.
      await writeFile(join(dir, name), unit.replace('/usr/local/bin/sav', process.execPath))
    }
    const units = ['sav.service', 'sav-backup.service', 'sav-backup.timer'].map((name) => join(dir, name))
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', ...units])
    // An unknown key is a warning only, and exit 0.
    expect(`${stdout}${stderr}`).toBe('')
  })
})

describe('Docker', () => {
  it.runIf(needs('hadolint', 'that the Dockerfile is right'))('has a Dockerfile without fault', async () => {
    const { stdout } = await run('hadolint', [deployed('docker/Dockerfile')])
    expect(stdout).toBe('')
  })
})

it.each(['docker/compose.yaml', 'docker/Dockerfile', 'proxy/nginx.conf', 'proxy/Caddyfile'])(
  '%s names settings that are there',
  async (name) => {
    const named = new Set((await readFile(deployed(name), 'utf8')).match(/\bSAV_[A-Z_]+/g))
    const settings: readonly string[] = Object.values(declaredSettings).map(({ variable }) => variable.name)
    expect(named.size).toBeGreaterThan(0)
    expect([...named].filter((each) => !settings.includes(each))).toEqual([])
  },
)

it('sav runs through a link, from anywhere', async () => {
  const dir = await directory()
  await symlink(bin, join(dir, 'sav'))
  const { stdout } = await run(process.execPath, [...nodeOptions, join(dir, 'sav'), '--version'], { cwd: '/' })
  expect(stdout).toMatch(/^\d+\.\d+\.\d+/)
})
