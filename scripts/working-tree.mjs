// Lists the files of the repository: those on disk that .gitignore does not exclude. It does not use git, since the
// sources may come from an archive.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The files below `root`, as relative paths with slashes, sorted by name.
 * @throws Error for a line of .gitignore that is of an unsupported kind
 */
export function filesOf(root) {
  const isIgnored = ignoredBy(readFileSync(join(root, '.gitignore'), 'utf8'))
  const within = (folder) =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (path === '.git' || isIgnored(path, entry.isDirectory())) return []
      return entry.isDirectory() ? within(path) : [path]
    })
  return within('').sort()
}

function ignoredBy(gitignore) {
  const lines = gitignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const rules = lines.map((line) => {
    if (/\*\*|[!?[\\]/.test(line))
      throw new Error(`scripts/working-tree.mjs does not support this line of .gitignore: ${line}`)
    const path = line.replace(/\/$/, '')
    const pattern = path
      .replace(/^\//, '')
      .replace(/[.+^$(){}|]/g, '\\$&')
      .replaceAll('*', '[^/]*')
    // A .gitignore line with a slash before its end is a path from the root; any other line is a name in any folder.
    const matches = new RegExp(`${path.includes('/') ? '^' : '(^|/)'}${pattern}$`)
    return { matches, onlyFolders: line.endsWith('/') }
  })
  return (path, isFolder) => rules.some(({ matches, onlyFolders }) => matches.test(path) && (isFolder || !onlyFolders))
}
