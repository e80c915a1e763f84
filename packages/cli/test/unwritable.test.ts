import { execFile, spawnSync } from 'node:child_process'
import { chmod, cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { needs } from '../../../test/needs.js'
import { needsOrdinaryUser, ordinaryUser } from '../../../test/ordinary-user.js'
import { bare, bin, nodeOptions, readyWorkplace, type Workplace } from './workplace.js'

const runsSav = needsOrdinaryUser('what commands say of a store that may not be written to')
const commands = [['worker'], ['cases', 'list'], ['init']]

async function ran(file: string, args: readonly string[], options: { cwd: string; uid?: number; gid?: number }) {
  return new Promise<{ code: number | string | undefined; stdout: string; stderr: string }>((resolve) => {
    execFile(file, args, { env: bare, ...options }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? undefined), stdout, stderr }),
    )
  })
}

const sav = [process.execPath, ...nodeOptions, bin]

/** A store that every user may write to, except the files or the directory (`''`) whose mode is in `modes`. */
async function storeWith(modes: Readonly<Record<string, number>>): Promise<Workplace> {
  const shop = await readyWorkplace()
  await chmod(shop.dir, 0o755)
  const all = { '': 0o777, 'sav.db': 0o666, 'secret.key': 0o666, ...modes }
  for (const [name, mode] of Object.entries(all)) await chmod(join(shop.dir, 'sav-data', name), mode)
  // Without this, only root could remove the files afterwards.
  onTestFinished(() => chmod(join(shop.dir, 'sav-data'), 0o700))
  return shop
}

describe.runIf(process.platform !== 'win32' && runsSav)('a store that may not be written to', () => {
  it.each([
    ['sav.db', { 'sav.db': 0o444 }, commands],
    // `cases list` does not make a missing store; `init` does.
    ['sav-data', { '': 0o555 }, commands.slice(1)],
  ])('because of %s is reported by commands in one sentence, with exit code 4', async (name, modes, commands) => {
    const shop = await storeWith(modes)
    const [command = '', ...args] = sav
    for (const given of commands) {
      const { code, stdout, stderr } = await ran(command, [...args, ...given], { cwd: shop.dir, ...ordinaryUser })
      const sentence = new RegExp(`^This user may not read and write .+/${name}: run sav as the user .*\\n$`)
      expect([given, code, stdout, stderr]).toEqual([given, 4, '', expect.stringMatching(sentence)])
    }
    const doctor = await ran(command, [...args, 'doctor'], { cwd: shop.dir, ...ordinaryUser })
    expect([doctor.code, doctor.stdout]).toEqual([
      1,
      expect.stringMatching(/Problem: This user may not read and write/),
    ])
  })
})

/** Makes a directory read-only for a command, in its own mount namespace. */
const mountReadOnly = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"'
const mounting = ['-rm', 'sh', '-c', mountReadOnly, 'sh']
const mounts = needs(
  'a mount of its own (unshare)',
  'that a store on a read-only file system is read',
  spawnSync('unshare', [...mounting, tmpdir(), 'true']).status === 0,
)

describe.runIf(mounts)('a store on a file system that is mounted read-only', () => {
  it.each(['closed', 'open'])('can be read and backed up if it was %s before the mount', async (how) => {
    const shop = await readyWorkplace()
    await shop.newCase()
    // While a service has the store open, recent data is only in the write-ahead log.
    const service = how === 'open' ? await shop.serveHere() : null
    const data = join(shop.dir, 'sav-data')
    const readOnly = (...given: string[]) => ran('unshare', [...mounting, data, ...sav, ...given], { cwd: shop.dir })
    for (const given of how === 'open' ? ['cases list'] : ['evidence verify']) {
      const { code, stderr } = await readOnly(...given.split(' '))
      expect([given, code, stderr]).toEqual([given, 0, ''])
    }
    expect(await readOnly('backup', '--to', 'b.db')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 case,'),
    })
    await service?.stop()
    if (how === 'open') return
    const isReadOnly = /sav\.db\S* is on a read-only file system, .*: mount it for writing, or /
    expect(await readOnly('doctor')).toMatchObject({ code: 1, stdout: expect.stringMatching(/is on a read-only file/) })
    for (const given of ['clients erase 1 --yes', 'worker'])
      expect(await readOnly(...given.split(' '))).toEqual({
        code: 5,
        stdout: '',
        stderr: expect.stringMatching(isReadOnly),
      })
  })
})

/** Mounts a small disk for a command, with a store that leaves no room for other files. */
const fill =
  'mount -t tmpfs -o size=4m tmpfs "$1" && cp "$2"/* "$1" && { cat /dev/zero > "$1/rest" 2>&-; shift 2; exec "$@"; }'
const filling = ['-rm', 'sh', '-c', fill, 'sh']

it.runIf(mounts)('a disk without room for SQLite’s temporary files is reported as full', async () => {
  const shop = await readyWorkplace()
  const [data, aside] = [join(shop.dir, 'sav-data'), join(shop.dir, 'aside')]
  await cp(data, aside, { recursive: true })
  const onFullDisk = (...given: string[]) =>
    ran('unshare', [...filling, data, aside, ...sav, ...given], { cwd: shop.dir })
  expect(await onFullDisk('cases', 'list')).toEqual({ code: 5, stdout: '', stderr: 'The disk is full: make room.\n' })
  expect(await onFullDisk('doctor')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('Problem: The disk is full: make room.'),
  })
})
