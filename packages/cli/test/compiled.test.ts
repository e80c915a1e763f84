import { execFile } from 'node:child_process'
import { chmod, cp, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'

const run = promisify(execFile)
const packageFolder = join(import.meta.dirname, '..')
const nobody = 65534

interface InstalledCommand {
  readonly compiled: string
  /** Runs the command, and tells its standard output. */
  sav(args: readonly string[], how?: { readonly uid?: number; readonly options?: readonly string[] }): Promise<string>
}

/** A copy of the command that is built, which nothing has started yet. */
async function installedAnew(): Promise<InstalledCommand> {
  const folder = await mkdtemp(join(tmpdir(), 'sav-compiled-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await chmod(folder, 0o755)
  const filter = (path: string) => !/\/compiled|\.d\.ts$/.test(path)
  for (const part of ['bin.js', 'dist', 'package.json'])
    await cp(join(packageFolder, part), join(folder, part), { recursive: true, filter })
  await symlink(join(packageFolder, 'node_modules'), join(folder, 'node_modules'))
  return {
    compiled: join(folder, 'dist/compiled', `${process.version}-${process.arch}`),
    async sav(args, { uid, options = [] } = {}) {
      const database = `sqlite:${join(folder, 'sav.db')}`
      const command = [...options, join(folder, 'bin.js'), ...args, '--database', database]
      const env = { PATH: process.env['PATH'], SAV_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
      const { stdout, stderr } = await run(process.execPath, command, { cwd: '/', env, ...(uid && { uid, gid: uid }) })
      expect(stderr).toBe('')
      return stdout
    },
  }
}

describe.runIf(process.env['SAV_TEST_BUILT'] === '1')('what V8 has compiled', () => {
  it('is kept beside the code once for each command that did what it should', async () => {
    const { compiled, sav } = await installedAnew()
    await sav(['init'])
    const commands = () => readFile(join(compiled, 'commands'), 'utf8')
    expect(await commands()).toBe('sav init')
    await expect(sav(['cases', 'show', 'SAV-2026-00001'])).rejects.toThrow()
    expect(await commands()).toBe('sav init')
    for (let times = 0; times < 2; times += 1) await sav(['cases', 'list'])
    expect(await commands()).toBe('sav init\nsav cases list')
    // Drafts are gone, and a file that an upgrade would replace under its name is not among them.
    const kept = (await readdir(compiled)).filter((file) => file !== 'commands')
    expect(kept.length).toBeGreaterThan(5)
    for (const file of kept) expect(file).toMatch(/^[\w.-]+-[\w-]{8}\.cjs$/)
  })

  it('is made again where it is of a V8 with other flags, was cut short, or lost a block', async () => {
    const { compiled, sav } = await installedAnew()
    await sav(['init'])
    await sav(['cases', 'list'], { options: ['--no-opt'] })
    expect(await readFile(join(compiled, 'commands'), 'utf8')).toBe('sav cases list')
    const [store = ''] = (await readdir(compiled)).filter((file) => file.startsWith('store-'))
    const whole = await readFile(join(compiled, store))
    await truncate(join(compiled, store), 1000)
    expect(await sav(['cases', 'list'])).toBe('No case found.\n')
    expect((await readFile(join(compiled, store))).length).toBeGreaterThan(100_000)
    // A block that the disk has lost, without one byte less.
    await writeFile(join(compiled, store), Buffer.from(whole).fill(0, 51_200, 51_712))
    expect(await sav(['cases', 'list'])).toBe('No case found.\n')
    expect((await readFile(join(compiled, store))).subarray(51_200, 51_712).some((byte) => byte !== 0)).toBe(true)
  })

  it('is not kept where its folder is a file, and nothing is said', async () => {
    const { compiled, sav } = await installedAnew()
    await writeFile(join(compiled, '../..', 'compiled'), '')
    await sav(['init'])
    expect(await sav(['cases', 'list'])).toBe('No case found.\n')
  })

  it.runIf(process.getuid?.() === 0)('is not kept by who may not change the code', async () => {
    const { compiled, sav } = await installedAnew()
    expect(await sav(['--help'], { uid: nobody })).toContain('Usage: sav')
    await expect(readdir(compiled)).rejects.toThrow('ENOENT')
  })
})
