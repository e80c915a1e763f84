import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needs } from './needs.js'

export const isRoot = process.getuid?.() === 0

/**
 * The user for processes that must not run as root, since root may do anything: the current user, unless that is root.
 */
export const ordinaryUser: { readonly uid?: number; readonly gid?: number } = isRoot ? { uid: 65_534, gid: 65_534 } : {}

/**
 * Whether the ordinary user can reach this repository, its Node and the temporary directory, for `runIf`. The user
 * cannot if they are below a folder that only root may enter, such as /root.
 * @param proof what the test proves, as in `needs`
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
