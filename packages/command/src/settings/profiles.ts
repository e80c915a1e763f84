import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { settingBytes } from '../process/bounded-file.js'
import { CommandError, messageOf } from '../process/command-error.js'
import type { ProcessIO } from '../process/process-io.js'
import { writeWhole } from '../process/whole-file.js'

/** A service from `sav login`, and its key. */
export interface Profile {
  readonly url: string
  readonly key: string
}

export type Profiles = Readonly<Record<string, Profile>>

/** The profile of a login without a name. */
export const defaultProfile = 'default'

const schema = z.record(z.string(), z.object({ url: z.string(), key: z.string() }))

/** The settings directory of the user of `env`; null: the environment names none. */
export function profilesFile({ env }: Pick<ProcessIO, 'env'>): string | null {
  const directory = env['XDG_CONFIG_HOME'] || env['APPDATA'] || (env['HOME'] && join(env['HOME'], '.config'))
  return directory ? join(directory, 'sav', 'profiles.json') : null
}

/** Every profile by name. @throws CommandError for a file with anything else */
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

/** Replaces the whole file, readable only by its owner. @throws CommandError if the environment names no directory */
export async function writeProfiles(io: Pick<ProcessIO, 'env'>, profiles: Profiles): Promise<string> {
  const file = profilesFile(io)
  if (file === null) throw new CommandError('no_home', 'Neither HOME nor XDG_CONFIG_HOME says where profiles are kept.')
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeWhole(file, (unfinished) => writeFile(unfinished, `${JSON.stringify(profiles, null, 2)}\n`))
  return file
}
