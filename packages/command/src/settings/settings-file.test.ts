import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CommandError } from '../process/command-error.js'
import { readSecretKeys } from '../store/secret-key.js'
import { authorityOf } from '../store/stamp-verifier.js'
import { declaredSettings } from './declared-settings.js'
import { readProfiles } from './profiles.js'
import { readSettings } from './settings.js'

/** A machine with an installed settings file, and an empty working directory. */
async function machine() {
  const dir = await mkdtemp(join(tmpdir(), 'sav-machine-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const [cwd, installed] = [join(dir, 'here'), join(dir, 'etc/sav.env')]
  await mkdir(cwd)
  await mkdir(join(dir, 'etc'))
  await writeFile(installed, 'SAV_PORT=7001\nSAV_TIME_ZONE=Europe/Madrid\n')
  const read = (envFile?: string | false) => {
    const { port, timeZone, file, inForce } = readSettings({ env: {}, cwd, envFile, installed })
    return { port, timeZone, file: file?.path ?? null, from: inForce.find(({ name }) => name === 'SAV_PORT')?.from }
  }
  const refusal = (envFile?: string) => {
    try {
      return read(envFile)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      return [error.exitCode, error.message]
    }
  }
  return { cwd, installed, read, refusal }
}

it.skipIf(process.platform === 'win32')(
  'no file that holds settings, a secret, keys, certificates or logins is read without end',
  async () => {
    const { cwd, installed } = await machine()
    const endless = '/dev/zero'
    await mkdir(join(cwd, 'sav'))
    await symlink(endless, join(cwd, 'sav/profiles.json'))
    const secret = Object.values(declaredSettings).flatMap(({ variable: { name, holds } }) =>
      holds === 'nothing secret' || name === 'SAV_SECRET_KEY' ? [] : `${name}_FILE`,
    )
    const reads = [
      () => readSettings({ env: {}, cwd, envFile: endless, installed }),
      ...secret.map((name) => () => readSettings({ env: { [name]: endless }, cwd })),
      () => readSecretKeys(readSettings({ env: { SAV_SECRET_KEY_FILE: endless }, cwd })),
      () => authorityOf(endless),
      () => readProfiles({ env: { XDG_CONFIG_HOME: cwd } }),
    ]
    for (const read of reads) await expect((async () => read())()).rejects.toThrow(CommandError)
  },
)

describe('the settings file', () => {
  it('is the one of --env-file, else .env, else the installed one; only one of them is read', async () => {
    const { cwd, installed, read } = await machine()
    const [own, named] = [join(cwd, '.env'), join(cwd, 'other.env')]
    expect(read()).toEqual({ port: 7001, timeZone: 'Europe/Madrid', file: installed, from: installed })
    await writeFile(own, 'SAV_PORT=7002\n')
    expect(read()).toEqual({ port: 7002, timeZone: 'Europe/Paris', file: own, from: '.env' })
    await writeFile(named, 'SAV_PORT=7003\n')
    expect(read('other.env')).toEqual({ port: 7003, timeZone: 'Europe/Paris', file: named, from: named })
    expect(read(false)).toEqual({ port: 8080, timeZone: 'Europe/Paris', file: null, from: 'default' })
  })

  it('is refused if it cannot be read, or --env-file names a missing one; no other file is read instead', async () => {
    const { cwd, installed, refusal } = await machine()
    expect(refusal('other.env')).toEqual([2, '--env-file other.env: there is no such file.'])
    for (const [path, envFile] of [[installed], [join(cwd, '.env')], [join(cwd, 'other.env'), 'other.env']] as const) {
      await rm(path, { force: true })
      await symlink(path, path)
      expect([path, refusal(envFile)]).toEqual([path, [2, expect.stringContaining(`cannot be read from ${path}: `)]])
      await rm(path)
      await symlink(join(cwd, 'volume/sav.env'), path)
      expect([path, refusal(envFile)]).toEqual([
        path,
        [2, expect.stringContaining(`${path}: the target of this link is missing`)],
      ])
      await rm(path)
      await mkdir(path)
      expect([path, refusal(envFile)]).toEqual([path, [2, expect.stringContaining(`${path}: it is a directory`)]])
      await rm(path, { recursive: true })
    }
  })

  it('is refused if its directory is a broken link', async () => {
    const { installed, refusal } = await machine()
    const folder = dirname(installed)
    await rm(folder, { recursive: true })
    await symlink('/nowhere/sav', folder)
    expect(refusal()).toEqual([2, expect.stringContaining(`${folder}: the target of this link is missing`)])
  })

  it.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    'is refused if only other users may read it',
    async () => {
      const { installed, refusal } = await machine()
      await chmod(installed, 0)
      expect(refusal()).toEqual([2, expect.stringMatching(/this user may not read it\. Run sav as the user of the/)])
    },
  )

  it.each([
    'SAV_DATABASE: sqlite:other.db',
    '  export SAV_DATABASE sqlite:other.db',
    'SAV_DATABASE',
    'SAV_DATABASE\t:=x',
  ])('is refused if it has the line %j, which sets nothing', async (line) => {
    const { installed, refusal } = await machine()
    await writeFile(installed, `SAV_PORT=7001\n${line}\r\n`)
    expect(refusal()).toEqual([
      2,
      `${installed}: SAV_DATABASE has no = after it. Write SAV_DATABASE=…, or begin the line with #.`,
    ])
  })

  it.each(['#SAV_HOST: x', 'SAV_HOST = x', 'export SAV_HOST=x', 'SAV_HOST=', 'OTHER: x', 'see SAV_HOST'])(
    'is accepted with the line %j',
    async (line) => {
      const { installed, read } = await machine()
      await writeFile(installed, `${line}\nSAV_PORT=7005\n`)
      expect(read().port).toBe(7005)
    },
  )

  it('is named in the message about an invalid value', async () => {
    const { installed, refusal } = await machine()
    await writeFile(installed, 'SAV_PORT=80a\n')
    expect(refusal()).toEqual([2, expect.stringContaining(`SAV_PORT: found "80a" in ${installed}; allowed: `)])
  })
})
