// Installs and builds what is missing or stale; this needs only Node and npm. Stamps record the installed and built
// versions, so that a second start does neither.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { staleParts } from './build-parts.mjs'
import { writeLists } from './lists.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))
const { packageManager } = readJson(join(root, 'package.json'))
const bin = join(root, 'node_modules', '.bin')

/** The environment of all commands that run here, with the pinned Node first on the PATH. */
export const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }

export function say(message) {
  console.error(`\x1b[2m› ${message}\x1b[0m`)
}

/** Runs a command in the root folder. If it fails, ends this process with its exit code. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env, ...options })
  if (error) console.error(`${command}: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
}

function lockState() {
  const hash = createHash('sha256')
  for (const file of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'])
    hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function install() {
  const stamp = join(root, 'node_modules', '.stamp', 'install')
  const state = lockState()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return
  say('installing packages (about 20 s the first time)')
  run('npx', ['--yes', packageManager, 'install', '--frozen-lockfile', '--reporter=append-only'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, state)
}

export function prepare() {
  const major = Number(process.versions.node.split('.')[0])
  if (major < 20) {
    console.error(
      `Node ${process.versions.node} is too old: install Node 20 or newer, then run the same command again.`,
    )
    process.exit(1)
  }
  install()
  writeLists()
  const { names, remember } = staleParts()
  if (names.length === 0) return
  say('building')
  run('node', ['scripts/build-side-by-side.mjs', ...names])
  copyIntoPackages()
  remember()
}

/**
 * Copies published files that no compiler writes: the script of the reference page, the declarations of the CommonJS
 * build, and the manual page.
 */
function copyIntoPackages() {
  const reference = join(root, 'packages', 'api-reference')
  const script = 'node_modules/@scalar/api-reference/dist/browser/standalone.js'
  cpSync(join(reference, script), join(reference, 'dist', 'reference.js'))
  // The licence's file is named SCALAR-LICENSE.txt, since npm would publish a file with a usual licence name instead of
  // ours.
  const { name, version, license } = readJson(join(reference, 'node_modules/@scalar/api-reference/package.json'))
  const licence = readFileSync(join(reference, 'SCALAR-LICENSE.txt'), 'utf8')
  writeFileSync(join(reference, 'dist/third-party-notices.txt'), `${name} ${version} (${license})\n\n${licence}`)
  const modules = join(root, 'packages', 'webhook-verify', 'dist')
  for (const file of readdirSync(modules)) {
    if (file.endsWith('.d.ts')) cpSync(join(modules, file), join(modules, 'cjs', file))
  }
  const cli = join(root, 'packages', 'cli')
  const manual = spawnSync('node', [join(cli, 'bin.js'), 'man'], { env })
  if (manual.status !== 0) throw new Error(`sav man: ${manual.stderr}`)
  writeFileSync(join(cli, 'dist', 'sav.1'), manual.stdout)
}
