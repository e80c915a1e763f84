// Releases a copy of the working tree privately, into a registry on this machine.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runServer } from 'verdaccio'
import { env, root, run, say } from '../prepare.mjs'
import { filesOf } from '../working-tree.mjs'
import { writeComponents } from './components.mjs'
import { tryInstalledCommand } from './installed-command.mjs'

/** Releases such a copy, and installs the release in an empty project. */
export async function rehearse() {
  const folder = mkdtempSync(join(tmpdir(), 'sav-rehearsal-'))
  const copy = join(folder, 'copy')
  copyWorkingTree(copy)
  const registry = await startRegistry(folder)
  await runBeside('node', ['scripts/release.mjs', '--npmrc', registry.npmrc], copy)

  say('installing what was published')
  const project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  writeFileSync(join(project, '.npmrc'), `@sav:registry=${registry.url}\naudit=false\nfund=false\n`)
  await runBeside('npm', ['install', '@sav/cli', '@sav/core', '@sav/http-node', '@sav/storage-kysely'], project)
  const { version } = JSON.parse(readFileSync(join(copy, 'packages/cli/package.json'), 'utf8'))
  const list = join(root, 'dist', `sav-${version}.cdx.json`)
  mkdirSync(join(root, 'dist'), { recursive: true })
  say(`${writeComponents(project, list)} components are listed in ${list}`)

  say('trying sav init, serve and demo in an empty folder')
  const versions = Object.entries(await tryInstalledCommand(folder, registry.npmrc))
  for (const [where, told] of versions) say(`${where}: ${told}`)
  const others = versions.filter(([, told]) => told !== version)
  if (others.length > 0) throw new Error(`The release is ${version}, but reports ${others.join('; ')}`)
  await registry.close()
  rmSync(folder, { recursive: true })
  say(`a release of ${version} would work`)
}

/** Copies the working tree, including uncommitted changes, into a new repository. */
function copyWorkingTree(copy) {
  for (const file of filesOf(root)) cpSync(join(root, file), join(copy, file))
  const git = (...args) => run('git', args, { cwd: copy })
  git('init', '--quiet', '--initial-branch', 'main')
  git('config', 'user.name', 'Rehearsal')
  git('config', 'user.email', 'rehearsal@localhost')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'As it stands')
}

/**
 * Starts an empty registry that stores published packages in `folder` and calls no other registry.
 * @returns its address, an npmrc for publishing to it, and a function that stops it
 */
async function startRegistry(folder) {
  const app = await runServer({
    self_path: folder,
    storage: join(folder, 'storage'),
    auth: { htpasswd: { file: join(folder, 'htpasswd') } },
    uplinks: {},
    packages: { '**': { access: '$all', publish: '$authenticated' } },
    log: { type: 'stdout', format: 'json', level: 'fatal' },
    max_body_size: '50mb',
  })
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `127.0.0.1:${server.address().port}`
  const signedUp = await fetch(`http://${address}/-/user/org.couchdb.user:release`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'release', password: 'release' }),
  })
  const { token } = await signedUp.json()
  const npmrc = join(folder, 'npmrc')
  writeFileSync(npmrc, `@sav:registry=http://${address}/\n//${address}/:_authToken=${token}\n`)
  return { url: `http://${address}/`, npmrc, close: () => new Promise((resolve) => server.close(resolve)) }
}

/** Runs a command. Unlike `run`, this does not block the process, in which the registry runs. */
async function runBeside(command, args, cwd) {
  const child = spawn(command, args, { cwd, env, stdio: 'inherit' })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`)
}
