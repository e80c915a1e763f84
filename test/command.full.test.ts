import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { output, packedPackages } from './installed.js'

const whole = process.env['SAV_TEST_FULL'] === '1'
const minute = 60_000

test.runIf(whole)(
  'the command, installed by npm and started through a symlink, prints its version and delivers webhooks',
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
      const receiver = createServer((request, response) => request.resume().on('end', () => response.end()))
      await once(receiver.listen(0, '127.0.0.1'), 'listening')
      const { port } = receiver.address() as AddressInfo
      const local = { SAV_WEBHOOK_ALLOW_LOCAL: '1' }
      await output(sav, ['webhooks', 'add', `http://127.0.0.1:${port}`, '--all-events'], folder, local)
      const service = spawn(sav, ['serve', '--port', '0', '--json'], {
        cwd: folder,
        env: { ...process.env, ...local },
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      try {
        const [line] = await once(service.stdout, 'data')
        const { url } = JSON.parse(String(line))
        for (const path of ['/readyz', '/docs', '/docs/reference.js', '/app'])
          expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200])
        // Delivering needs the queue's thread, whose file is beside the command's.
        const delivered = once(receiver, 'request', { signal: AbortSignal.timeout(minute / 2) })
        await Promise.all([delivered, output(sav, ['webhooks', 'trigger', 'sav.created'], folder)])
      } finally {
        receiver.close()
        service.kill('SIGTERM')
        await once(service, 'exit')
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
  5 * minute,
)
