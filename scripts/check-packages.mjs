// Each package as npm would publish it: publint and "are the types wrong" must have nothing to say.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './prepare.mjs'

const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

for (const name of readdirSync(join(root, 'packages'))) {
  const cwd = join(root, 'packages', name)
  // publint asks the package manager for the list of files: it must find pnpm in its PATH.
  run('npx', ['--yes', packageManager, 'exec', 'publint', '--strict', '--level', 'warning'], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
