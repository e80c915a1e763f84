// A part of npm run release: the changesets become the versions of all packages, and a section of each CHANGELOG.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readChangeset, sectionOf, withSection } from './changelog.ts'

const root = join(import.meta.dirname, '../..')
const changesetFolder = join(root, '.changeset')
const packages = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name))

const told = pendingChangesets()
prepareFirstRelease()
const { status } = spawnSync('changeset', ['version'], { cwd: root, stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)
for (const directory of packages) {
  const { name, version } = readJson(join(directory, 'package.json'))
  const file = join(directory, 'CHANGELOG.md')
  const section = sectionOf(
    version,
    told.filter((changeset) => changeset.packages.includes(name)),
  )
  writeFileSync(file, withSection(existsSync(file) ? readFileSync(file, 'utf8') : null, name, section))
}

/** A candidate tells what those before did not, whose changesets lie in `pre/`; the release itself tells all of it. */
function pendingChangesets() {
  const earlier = join(changesetFolder, 'pre')
  const folders = preState().mode !== 'pre' && existsSync(earlier) ? [earlier, changesetFolder] : [changesetFolder]
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.md'))
      .sort()
      .map((file) => readChangeset(readFileSync(join(folder, file), 'utf8'))),
  )
}

/** The first release is 1.0.0, and its candidates are counted from 1. */
function prepareFirstRelease() {
  for (const directory of packages) {
    const file = join(directory, 'package.json')
    const manifest = readFileSync(file, 'utf8')
    writeFileSync(file, manifest.replace('"version": "0.0.0"', '"version": "1.0.0-rc.0"'))
  }
}

function preState() {
  const file = join(changesetFolder, 'pre.json')
  return existsSync(file) ? readJson(file) : { mode: null }
}

function readJson(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
