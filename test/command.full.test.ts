import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { output, packedPackages } from './installed.js'

const whole = process.env['SAV_TEST_FULL'] === '1'
const minute = 60_000

test.runIf(whole)(
  'the command is installed by npm as others are, tells its version, and works through a symlink',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sav-command-'))
    try {
      const tarballs = await packedPackages(join(folder, 'tarballs'))
      const prefix = join(folder, 'prefix')
      const install = ['install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', '--prefer-offline']
      await output('npm', [...install, ...tarballs.values()], folder)
      const installed = join(prefix, 'lib/node_modules/@sav/cli')
      const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
      expect(await readFile(join(installed, 'dist/third-party-notices.txt'), 'utf8')).toMatch(/^kysely .* \(MIT\)$/m)

      const sav = join(folder, 'sav')
      await symlink(join(prefix, 'bin/sav'), sav)
      expect(await output(sav, ['--version'], folder)).toBe(`${version}\n`)
      const { ok } = JSON.parse(
        await output(sav, ['init', '--json'], folder).then(() => output(sav, ['doctor', '--json'], folder)),
      )
      expect(ok).toBe(true)
      const service = spawn(sav, ['serve', '--port', '0', '--json'], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      try {
        const [line] = await once(service.stdout, 'data')
        const { url } = JSON.parse(String(line))
        for (const path of ['/readyz', '/docs', '/docs/reference.js', '/app'])
          expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200])
      } finally {
        service.kill('SIGTERM')
        await once(service, 'exit')
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
  5 * minute,
)
