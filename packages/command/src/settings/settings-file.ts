import { existsSync, lstatSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { settingBytes } from '../process/bounded-file.js'
import { CommandError, usageError } from '../process/command-error.js'
import { fileProblem } from '../process/system-problem.js'

/** The settings file of a machine: for its services, for containers, and for commands that somebody types. */
export const installedSettings = '/etc/sav/sav.env'

type Variables = Readonly<Record<string, string | undefined>>

/** The file from which settings are read. */
export interface SettingsFile {
  /** An absolute path. */
  readonly path: string
  /** The file's name in messages: `.env` if it is in the working directory, otherwise its path. */
  readonly name: string
  readonly variables: Variables
}

export interface SettingsFilePlaces {
  readonly cwd: string
  /** The value of `--env-file`; false for `--no-env-file`; undefined if neither was given. */
  readonly envFile?: string | false | undefined
  /** The machine's settings file, read if there is no `.env`; null if it must not be read. */
  readonly installed?: string | null
}

/** Decodes UTF-8, and removes the byte order mark that the Windows editor writes. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A name with only blanks after `=`. Node's `parseEnv` would read the next line as its value. */
const blankValue = /^([ \t]*(?:export[ \t]+)?[\w.-]+[ \t]*=)[ \t]+\r?$/gm

/** A setting without `=`, as in YAML. Node's `parseEnv` skips such a line, so that the default would apply. */
const withoutValue = /^[ \t]*(?:export[ \t]+)?(SAV_\w+)\b(?![ \t]*=)/m

/**
 * Reads the file of `--env-file`, or else `.env` in the working directory, or else the machine's settings file; null if
 * there is none.
 * @throws CommandError if the file of `--env-file` is missing, or a file cannot be read as UTF-8 text. The next file is
 *   not used instead, because it would name another store.
 */
export function readSettingsFile({ cwd, envFile, installed = null }: SettingsFilePlaces): SettingsFile | null {
  if (envFile === false) return null
  if (envFile !== undefined) {
    const path = resolve(cwd, envFile)
    const named = readIfThere(path, path)
    if (named === null) throw usageError(`--env-file ${envFile}: there is no such file.`)
    return named
  }
  const own = readIfThere(join(cwd, '.env'), '.env')
  return own ?? (installed === null ? null : readIfThere(installed, installed))
}

function readIfThere(path: string, name: string): SettingsFile | null {
  const bytes = bytesOf(path)
  if (bytes === null) return null
  const text = decoded(bytes)
  // UTF-16 text without accents also decodes as UTF-8, but has a NUL beside every character.
  if (text === null || text.includes('\0')) throw usageError(`${path}: it is not UTF-8 text. Save it as UTF-8.`)
  const broken = withoutValue.exec(text)?.[1]
  if (broken !== undefined)
    throw usageError(`${path}: ${broken} has no = after it. Write ${broken}=…, or begin the line with #.`)
  return { path, name, variables: parseEnv(text.replaceAll(blankValue, '$1')) }
}

function bytesOf(path: string): Uint8Array | null {
  try {
    return settingBytes(path)
  } catch (error) {
    if (error instanceof CommandError) throw usageError(`${path}: ${error.message}`)
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const link = code === 'ENOENT' ? deadLink(path) : null
    if (link !== null)
      throw usageError(`${link}: the target of this link is missing. Mount its volume, or remove the link.`)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    if (code === 'EISDIR')
      throw usageError(`${path}: it is a directory, and settings are read from a file of that name. Rename it.`)
    throw usageError(
      `The settings cannot be read from ${path}: ${fileProblem(error)} Run sav as the user of the service (sudo -u sav sav …), or name another file with --env-file; --no-env-file reads none.`,
    )
  }
}

/** The broken symbolic link in a path; null if no part of the path is one. */
function deadLink(path: string): string | null {
  if (existsSync(path)) return null
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path
  return deadLink(dirname(path))
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}
