// The packages as npm would get them.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env, root, run } from './prepare.mjs'

const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Packs all of them into `folder`, which is to be empty. Answers the paths of the tarballs. */
export function packAll(folder) {
  run('npx', ['--yes', packageManager, '-r', '--filter', './packages/*', 'pack', '--pack-destination', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return readdirSync(folder).map((file) => join(folder, file))
}

/** What each tarball holds beside what it must not: publint and "are the types wrong" have nothing to say either. */
export function checkTarballs(tarballs, { changelog }) {
  for (const tarball of tarballs) {
    const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).split('\n')
    const missing = ['LICENSE', 'README.md', ...(changelog ? ['CHANGELOG.md'] : [])].filter(
      (file) => !files.includes(`package/${file}`),
    )
    const surplus = files.filter((file) => /tsbuildinfo|\.map$|\.test\.|\/src\//.test(file))
    if (missing.length + surplus.length > 0) {
      throw new Error(
        `${tarball} lacks ${missing.join(', ') || 'nothing'}, and holds ${surplus.join(', ') || 'nothing'} too much`,
      )
    }
    run('publint', ['run', tarball, '--strict', '--level', 'warning'], { stdio: ['ignore', 'ignore', 'inherit'] })
    const manifest = JSON.parse(execFileSync('tar', ['-xOzf', tarball, 'package/package.json'], { env }))
    // A package with a CommonJS build serves everybody, the others who can `import`. Scripts and commands have no types.
    const typed = Object.values(manifest.exports).some((entry) => JSON.stringify(entry).includes('.d.ts'))
    const profile = JSON.stringify(manifest.exports).includes('"require"') ? 'node16' : 'esm-only'
    if (typed) run('attw', [tarball, '--profile', profile, '--quiet'])
  }
}
