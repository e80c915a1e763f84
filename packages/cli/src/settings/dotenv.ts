import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { usageError } from '../process/command-error.js'

/** Takes a byte order mark off, which Windows' editor begins files with. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Names with nothing but blanks after `=`: parseEnv takes the next line for the value. */
const blankValue = /^([ \t]*(?:export[ \t]+)?[\w.-]+[ \t]*=)[ \t]+\r?$/gm

/**
 * What the working directory's `.env` says; nothing without one.
 * @throws CommandError for a directory, and unless it is UTF-8: half of its settings would not be seen
 */
export function readDotenv(cwd: string): Readonly<Record<string, string | undefined>> {
  const file = join(cwd, '.env')
  if (!existsSync(file)) return {}
  if (statSync(file).isDirectory())
    throw usageError(`${file}: it is a directory, and settings are read from a file of that name. Rename it.`)
  const text = decoded(readFileSync(file))
  // UTF-16 without accents is UTF-8 with a NUL in every other place.
  if (text === null || text.includes('\0')) throw usageError(`${file}: it is not UTF-8 text. Save it as UTF-8.`)
  return parseEnv(text.replaceAll(blankValue, '$1'))
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}
