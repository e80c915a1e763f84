// A part of npm run release: turns the changesets into new versions of all packages, and adds a section to each
// CHANGELOG.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readChangeset, sectionOf, withSection } from './changelog.ts'

const root = join(import.meta.dirname, '../..')
const changesetFolder = join(root, '.changeset')
const packages = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name))

const told = pendingChangesets()
const { status } = spawnSync('changeset', ['version'], { cwd: root, stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)
for (const directory of packages) {
  const { name, version } = readJson(join(directory, 'package.json'))
  const file = join(directory, 'CHANGELOG.md')
  raiseConstant(join(directory, 'src/version.ts'), version)
  const section = sectionOf(
    version,
    told.filter((changeset) => changeset.packages.includes(name)),
  )
  writeFileSync(file, withSection(existsSync(file) ? readFileSync(file, 'utf8') : null, name, section))
}

function pendingChangesets() {
  return readdirSync(changesetFolder)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .flatMap((file) => readChangeset(readFileSync(join(changesetFolder, file), 'utf8')))
}

/** Updates the version constant of a package that has one, since a bundle of the package has no package.json. */
function raiseConstant(file: string, version: string) {
  if (!existsSync(file)) return
  writeFileSync(file, readFileSync(file, 'utf8').replace(/'[^']*'$/m, `'${version}'`))
}

function readJson(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
