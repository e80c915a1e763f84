// npm run release: builds, checks the promises of earlier releases, and records this release's own. Turns changesets
// into versions and CHANGELOGs, checks the tarballs, commits, tags and publishes. After a failure, run it again:
// published packages are skipped.
// npm run release -- --no-publish: stops after the tag. Then, `npm run release` on that commit publishes it.
// npm run release -- --dry-run: does the same on a copy of the working tree, into a local registry
// (release/rehearsal.mjs).
// --npmrc FILE: npm settings (registry, token) for publishing, instead of the user's own.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { env, prepare, root, run, say } from './prepare.mjs'

const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean' }, 'no-publish': { type: 'boolean' }, npmrc: { type: 'string' } },
})

const lacking = lackOfGit()
if (lacking !== null) {
  console.error(lacking)
  process.exit(1)
}
// Without this, files of earlier builds would be packed too.
if (!values['dry-run'])
  for (const name of readdirSync(join(root, 'packages')))
    rmSync(join(root, 'packages', name, 'dist'), { recursive: true, force: true })
// On a clean checkout, this installs the packages that the imports below need.
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
    say('checking the promises of earlier releases')
    run('vitest', ['run', ...testsOfPromises()])
    say('recording what later releases must keep')
    run('vitest', ['run', 'test/promises.test.ts', 'released-migrations'], { env: { ...env, SAV_TEST_KEEP: '1' } })
    say('raising the versions')
    run('node', ['scripts/release/raise-versions.ts'])
    prepare()
  }
  const version = currentVersion()
  say(`checking the packages of ${version}`)
  const { checkTarballs, packAll } = await import('./packages.mjs')
  const folder = mkdtempSync(join(tmpdir(), 'sav-release-'))
  await checkTarballs(packAll(folder), { changelog: true })
  rmSync(folder, { recursive: true })
  const told = execFileSync('node', ['packages/cli/bin.js', '--version'], { cwd: root, env, encoding: 'utf8' }).trim()
  if (told !== version) throw new Error(`The command of ${version} reports version ${told}: build it again`)
  if (uncommitted() !== '') {
    run('git', ['add', '--all'])
    run('git', ['commit', '--quiet', '--message', `release: raise all packages to ${version}`])
  }
  tag(`v${version}`)
  if (values['no-publish']) {
    say(`${version} is committed and tagged: npm run release publishes it`)
    return
  }
  say('publishing')
  publish()
  say(`${version} is published: git push --follow-tags`)
}

/** The tests that docs/upgrading.md names for its promises. */
function testsOfPromises() {
  const page = readFileSync(join(root, 'docs/upgrading.md'), 'utf8')
  return [...page.matchAll(/\]\(\.\.\/([\w/.-]+\.test\.ts)\)/g)].map(([, file]) => file)
}

/** All packages have one version, so there is one tag, on the published commit. */
function tag(name) {
  if (git('tag', '--list', name) === '') run('git', ['tag', '--annotate', name, '--message', name])
  if (git('rev-parse', `${name}^{commit}`) === git('rev-parse', 'HEAD')) return
  console.error(`The tag ${name} is on another commit: run git checkout ${name}, or add a changeset for a new release.`)
  process.exit(1)
}

/** Why git cannot be used; null if it can. A rehearsal creates its own repository. */
function lackOfGit() {
  const { error, status } = spawnSync('git', ['rev-parse'], { cwd: root, stdio: 'ignore' })
  if (error) return 'A release commits and tags: install git, then run the same command again.'
  if (status === 0 || values['dry-run']) return null
  return 'A release commits and tags: run it in a clone of the repository, not in an unpacked archive.'
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}

function uncommitted() {
  return git('status', '--porcelain')
}

function currentVersion() {
  return JSON.parse(readFileSync(join(root, 'packages', 'core', 'package.json'), 'utf8')).version
}

/** changeset calls pnpm by name, so the pinned one must run it. */
function publish() {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const options = values.npmrc && { env: { ...env, NPM_CONFIG_USERCONFIG: values.npmrc } }
  run('npx', ['--yes', packageManager, 'exec', 'changeset', 'publish', '--no-git-tag'], options)
}
