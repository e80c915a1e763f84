import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, copyFile, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freePort } from './free-port.js'
import { needs } from './needs.js'
import { isRoot } from './ordinary-user.js'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const whole = process.env['SAV_TEST_FULL'] === '1'
const minute = 60_000
const megabyte = 1_000_000

const canMount =
  whole &&
  needs(
    'mounts of its own (unshare, chroot)',
    'that a container runs on a read-only root',
    isRoot && spawnSync('unshare', ['--mount', 'true']).status === 0,
  )

/** Like in a container, everything except the state and /tmp is read-only, and the user has no privileges. */
const contained = `
  set -e
  mount --bind / "$1/root"
  mount -o remount,ro,bind "$1/root"
  mount --bind "$1/sav" "$1/root/opt"
  mount -o remount,ro,bind "$1/root/opt"
  mount --bind "$1/state" "$1/root/srv"
  mount -t tmpfs tmpfs "$1/root/tmp"
  root=$1; port=$2
  exec chroot --userspec=1000:1000 "$root/root" env -i PATH=/opt/bin:/opt/node_modules/.bin:/usr/bin:/bin \\
    SAV_HOST=127.0.0.1 SAV_PORT="$port" sh -c 'cd /srv && ! touch /etc/sav /opt/sav 2>/dev/null && exec /opt/start.sh serve'
`

/** The size of the image's base, Alpine with Node's libraries. This test does not build the base. */
const baseBytes = 12 * megabyte

/** Runs the steps of deploy/docker/Dockerfile in a plain folder, with this system's C library. */
test.runIf(canMount)(
  'the container image has at most 250 MB of content, and serves without privileges on a read-only root',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sav-container-'))
    const port = await freePort()
    try {
      await chmod(folder, 0o755)
      await run('node', ['scripts/pack-command.mjs', join(folder, 'packed')], { cwd: root })
      await run(join(root, 'deploy/docker/install.sh'), [join(folder, 'packed'), join(folder, 'sav')])
      await mkdir(join(folder, 'sav/bin'))
      await copyFile(join(root, 'node_modules/node/bin/node'), join(folder, 'sav/bin/node'))
      await copyFile(join(root, 'deploy/docker/start.sh'), join(folder, 'sav/start.sh'))
      expect(baseBytes + (await bytesOf(join(folder, 'sav')))).toBeLessThan(250 * megabyte)

      for (const name of ['root', 'state']) await mkdir(join(folder, name))
      await chown(join(folder, 'state'), 1000, 1000)
      await writeFile(join(folder, 'contained.sh'), contained)
      const script = ['--mount', 'sh', join(folder, 'contained.sh'), folder, String(port)]
      const container = spawn('unshare', script, { stdio: ['ignore', 'pipe', 'pipe'] })
      let output = ''
      for (const stream of [container.stdout, container.stderr]) stream.on('data', (chunk) => (output += chunk))
      const ended = once(container, 'exit').then(() => Promise.reject(new Error(`It ended:\n${output}`)))
      ended.catch(() => {})
      await Promise.race([ended, expect.poll(() => output, { timeout: minute }).toMatch(/^listening on /m)])
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
      expect(await readdir(join(folder, 'state'))).toEqual(['sav-data'])
      container.kill('SIGTERM')
      await expect(ended).rejects.toThrow('It ended')
      expect(container.exitCode).toBe(0)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
  5 * minute,
)

async function bytesOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => stat(join(parentPath, name)))
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0)
}
