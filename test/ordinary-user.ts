import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needs } from './needs.js'

export const isRoot = process.getuid?.() === 0

/** The user for processes that must not run as root, since root may do anything. The current user, unless it is root. */
export const ordinaryUser: { readonly uid?: number; readonly gid?: number } = isRoot ? { uid: 65_534, gid: 65_534 } : {}

/**
 * Whether that user reaches this repository, its Node and the temporary directory, for `runIf`; not below a folder that
 * only root may enter, such as /root.
 * @param proof what is shown with it, as in `needs`
 */
export function needsOrdinaryUser(proof: string): boolean {
  return needs('a repository that every user can reach', proof, isReached())
}

function isReached(): boolean {
  if (!isRoot) return true
  const needed = [join(import.meta.dirname, '../packages/cli/bin.js'), tmpdir()]
  const script = `for (const path of ${JSON.stringify(needed)}) fs.accessSync(path)`
  return spawnSync(process.execPath, ['--eval', script], ordinaryUser).status === 0
}
