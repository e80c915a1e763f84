import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { settingBytes } from '../process/bounded-file.js'
import { CommandError, messageOf } from '../process/command-error.js'
import type { ProcessIO } from '../process/process-io.js'
import { writeWhole } from '../process/whole-file.js'

/** A service that `sav login` stored, with its key. */
export interface Profile {
  readonly url: string
  readonly key: string
}

export type Profiles = Readonly<Record<string, Profile>>

/** The name of the profile that `sav login` stores if no name is given. */
export const defaultProfile = 'default'

const schema = z.record(z.string(), z.object({ url: z.string(), key: z.string() }))

/** The file of the user's profiles; null if the environment names no directory for settings. */
export function profilesFile({ env }: Pick<ProcessIO, 'env'>): string | null {
  const directory = env['XDG_CONFIG_HOME'] || env['APPDATA'] || (env['HOME'] && join(env['HOME'], '.config'))
  return directory ? join(directory, 'sav', 'profiles.json') : null
}

/**
 * Every profile by name.
 * @throws CommandError if the file contains anything else
 */
export function readProfiles(io: Pick<ProcessIO, 'env'>): Profiles {
  const file = profilesFile(io)
  if (file === null) return {}
  try {
    return schema.parse(JSON.parse(settingBytes(file).toString()))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    const isWrong = [SyntaxError, z.ZodError, CommandError].some((kind) => error instanceof kind)
    if (!isWrong) throw error
    const why = error instanceof z.ZodError ? 'it holds no profiles' : messageOf(error)
    throw new CommandError('bad_profiles', `${file} cannot be read (${why}): remove it, and log in again.`)
  }
}

/**
 * Replaces the file of profiles. Only its owner can read it. Resolves to its path.
 * @throws CommandError if the environment names no directory for settings
 */
export async function writeProfiles(io: Pick<ProcessIO, 'env'>, profiles: Profiles): Promise<string> {
  const file = profilesFile(io)
  if (file === null) throw new CommandError('no_home', 'No directory for profiles: set HOME or XDG_CONFIG_HOME.')
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeWhole(file, (unfinished) => writeFile(unfinished, `${JSON.stringify(profiles, null, 2)}\n`))
  return file
}
