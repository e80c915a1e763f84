import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

/** What the working directory's `.env` says; nothing without one. */
export function readDotenv(cwd: string): Readonly<Record<string, string | undefined>> {
  const file = join(cwd, '.env')
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
}
