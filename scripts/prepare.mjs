// Installs and builds what is missing or stale, with nothing but Node and npm. A stamp remembers what was installed
// and built, so that a second start pays for neither.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const bin = join(root, 'node_modules', '.bin')

/** The environment of everything that runs here: the pinned Node comes first. */
export const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }

export function say(message) {
  console.error(`\x1b[2m› ${message}\x1b[0m`)
}

/** Runs a command from the root and ends this process with its code when it fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env, ...options })
  if (error) console.error(`${command}: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
}

/** Names, sizes and times of the sources that a build reads. */
function sourceState() {
  const hash = createHash('sha256')
  const walk = (directory) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (entry.name === 'node_modules' || entry.name === 'dist') continue
      const path = join(directory, entry.name)
      if (entry.isDirectory()) walk(path)
      else {
        const { size, mtimeMs } = statSync(path)
        hash.update(`${path} ${size} ${mtimeMs}\n`)
      }
    }
  }
  walk(join(root, 'packages'))
  for (const file of ['tsup.config.ts', 'tsconfig.base.json']) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function lockState() {
  const hash = createHash('sha256')
  for (const file of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'])
    hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

/** Does `work` unless the stamp `name` says that it was done for this state. */
function once(name, state, work) {
  const stamp = join(root, 'node_modules', '.stamp', name)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return
  work()
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
  once('install', lockState(), () => {
    say('installing packages (about 20 s the first time)')
    run('npx', ['--yes', packageManager, 'install', '--frozen-lockfile', '--reporter=append-only'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  })
  once('build', sourceState(), () => {
    say('building')
    run('tsup', [])
    run(join(root, 'packages/console/node_modules/.bin/vite'), ['build', '--config', 'packages/console/vite.config.ts'])
    run('tsc', ['-b'])
    copyIntoPackages()
  })
}

/** What is published and not built: the script of the reference page, the declarations of the CommonJS build, the manual page. */
function copyIntoPackages() {
  const reference = join(root, 'packages', 'api-reference')
  const script = 'node_modules/@scalar/api-reference/dist/browser/standalone.js'
  cpSync(join(reference, script), join(reference, 'dist', 'reference.js'))
  const modules = join(root, 'packages', 'webhook-verify', 'dist')
  for (const file of readdirSync(modules)) {
    if (file.endsWith('.d.ts')) cpSync(join(modules, file), join(modules, 'cjs', file))
  }
  const cli = join(root, 'packages', 'cli')
  const manual = spawnSync('node', [join(cli, 'bin.js'), 'man'], { env })
  if (manual.status !== 0) throw new Error(`sav man: ${manual.stderr}`)
  writeFileSync(join(cli, 'dist', 'sav.1'), manual.stdout)
}
