import { stat } from 'node:fs/promises'
import type { Settings } from '../settings/settings.js'

/** What holds secrets or what people wrote, and who else may read it: a warning for each file that others can. */
export async function openToOthers({ secretKey, secretKeyFile, database, files: place }: Settings): Promise<string[]> {
  if (process.platform === 'win32') return []
  const files = [
    ...(secretKey === null ? [secretKeyFile] : []),
    ...(database.kind === 'sqlite' ? [database.path, `${database.path}-wal`, `${database.path}-shm`] : []),
  ]
  return [
    ...(await readable(files, 0o600)),
    ...(place?.kind === 'directory' ? await readable([place.path], 0o700) : []),
  ]
}

/** What belongs to somebody else than the database, whose service then cannot read it. */
export async function ownedByOthers({ secretKey, secretKeyFile, database, files: place }: Settings): Promise<string[]> {
  if (process.platform === 'win32' || database.kind !== 'sqlite') return []
  const owner = (await stat(database.path).catch(() => null))?.uid
  if (owner === undefined) return []
  const problems: string[] = []
  for (const path of [
    ...(secretKey === null ? [secretKeyFile] : []),
    ...[`${database.path}-wal`, `${database.path}-shm`],
    ...(place?.kind === 'directory' ? [place.path] : []),
  ]) {
    const found = await stat(path).catch(() => null)
    if (found === null || found.uid === owner) continue
    problems.push(
      `${path} belongs to user ${found.uid}, and the database to user ${owner}, whose service may not read it: chown --reference=${database.path} ${path}`,
    )
  }
  return problems
}

async function readable(paths: readonly string[], mode: number): Promise<string[]> {
  const warnings: string[] = []
  for (const path of paths) {
    // What is not there, others cannot read.
    const found = await stat(path).catch(() => null)
    if (found !== null && (found.mode & 0o077) !== 0)
      warnings.push(`Others can read ${path}: chmod ${mode.toString(8)} ${path}`)
  }
  return warnings
}
