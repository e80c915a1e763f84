// npm run release: builds, takes the changesets into versions and CHANGELOGs, notes what the release promises to all later
// ones, checks the tarballs, commits, publishes, tags.
// What failed halfway is taken up by calling it again: what is published already is left as it is.
// npm run release -- --dry-run: all of that on a copy of the working tree, into a registry on this machine (release/rehearsal.mjs).
// --npmrc FILE: publishes by those settings of npm (registry, token) instead of the user's own.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { env, prepare, root, run, say } from './prepare.mjs'

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' }, npmrc: { type: 'string' } } })

const lacking = lackOfGit()
if (lacking !== null) {
  console.error(lacking)
  process.exit(1)
}
// On a clean checkout, what is imported below is installed only now.
prepare()
if (values['dry-run']) {
  const { rehearse } = await import('./release/rehearsal.mjs')
  await rehearse()
} else {
  await release()
}

async function release() {
  if (uncommitted() !== '') {
    console.error(`Commit or stash first:\n${uncommitted()}`)
    process.exit(1)
  }
  if (readdirSync(join(root, '.changeset')).some((file) => file.endsWith('.md'))) {
    say('raising the versions')
    run('node', ['scripts/release/raise-versions.ts'])
    prepare()
    say('noting what later releases have to keep')
    run('vitest', ['run', 'test/promises.test.ts'], { env: { ...env, SAV_TEST_KEEP: '1' } })
  }
  say(`checking the packages of ${version()}`)
  const { checkTarballs, packAll } = await import('./packages.mjs')
  const folder = mkdtempSync(join(tmpdir(), 'sav-release-'))
  await checkTarballs(packAll(folder), { changelog: true })
  rmSync(folder, { recursive: true })
  if (uncommitted() !== '') {
    run('git', ['add', '--all'])
    run('git', ['commit', '--quiet', '--message', `Release ${version()}`])
  }
  say('publishing')
  changeset('publish', values.npmrc && { env: { ...env, NPM_CONFIG_USERCONFIG: values.npmrc } })
  say(`${version()} is published: git push --follow-tags`)
}

/** A rehearsal makes a repository of its own. */
function lackOfGit() {
  const { error, status } = spawnSync('git', ['rev-parse'], { cwd: root, stdio: 'ignore' })
  if (error) return 'A release commits and tags: install git, then run the same command again.'
  if (status === 0 || values['dry-run']) return null
  return 'A release commits and tags: run it in a clone of the repository, not in an unpacked archive.'
}

function uncommitted() {
  return execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
}

function version() {
  return JSON.parse(readFileSync(join(root, 'packages', 'core', 'package.json'), 'utf8')).version
}

/** It calls pnpm by its name, and so is called through the pinned one. */
function changeset(command, options) {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  run('npx', ['--yes', packageManager, 'exec', 'changeset', command], options)
}
