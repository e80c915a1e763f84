import { stat } from 'node:fs/promises'
import type { Settings } from '../settings/settings.js'
import type { Findings } from './findings.js'

/**
 * Checks the files with secrets or personal data: other users must not be able to read them, the database's owner must.
 */
export async function examineFileModes(
  { problems, warnings }: Findings,
  { secretKey, secretKeyFile, database, files, file }: Settings,
): Promise<void> {
  if (process.platform === 'win32') return
  const store = database.kind === 'sqlite' ? [database.path, `${database.path}-wal`, `${database.path}-shm`] : []
  const all = [
    ...[...(secretKey === null ? [secretKeyFile] : []), ...store].map((path) => ({ path, mode: '600' })),
    ...(files?.kind === 'directory' ? [{ path: files.path, mode: '700' }] : []),
  ]
  // The settings file may belong to root and be readable by the service's group.
  if (file !== null && ((await stat(file.path)).mode & 0o007) !== 0)
    warnings.push(`Others can read ${file.path}, which may hold secrets: chmod 640 ${file.path}`)
  const owner = store[0] && (await stat(store[0]).catch(() => null))?.uid
  for (const { path, mode } of all) {
    const found = await stat(path).catch(() => null)
    if (found === null) continue
    if ((found.mode & 0o077) !== 0) warnings.push(`Others can read ${path}: chmod ${mode} ${path}`)
    if (owner !== undefined && found.uid !== owner)
      problems.push(
        `${path} belongs to user ${found.uid}, and the database to user ${owner}, whose service may not read it: chown --reference=${store[0]} ${path}`,
      )
  }
}
