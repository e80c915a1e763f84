import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { filesOf } from '../scripts/working-tree.mjs'
import { ordinaryUser } from './ordinary-user.js'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')

/** Where a copy of this repository is, and which user runs commands in it. */
export interface Surroundings {
  /** The names of the folders above the copy. They are created below a temporary folder. */
  readonly folders: readonly string[]
  /** Whether commands run as an ordinary user when this process is root. */
  readonly ordinary: boolean
  /** Whether the copy also has the installed packages and built files. */
  readonly installed: boolean
  /** The path of the Node binary that is put on PATH. Default: the pinned Node. */
  readonly node?: string
  readonly withoutGit?: boolean
  /** Words before each command, which run it without a capability such as IPv6. */
  readonly wrapper?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** The environment variables with which this machine reaches a registry. */
const toRegistry = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /^(NODE_EXTRA_CA_CERTS|npm_config_registry|(http|https|no)_proxy)$/i.test(name),
  ),
)

interface RunResult {
  readonly code: number | null
  /** Standard output and standard error. */
  readonly output: string
}

/** A copy of this repository, somewhere else. */
export interface Copy extends AsyncDisposable {
  readonly tree: string
  /** Runs `npm …` in the copy. @param how `plain`: without the wrapper */
  npm(args: readonly string[], how?: { readonly plain?: boolean }): Promise<RunResult>
  /** Runs a script with the Node on PATH. */
  node(script: string): Promise<RunResult>
  /** Runs `npm start` until the service listens, ends it, and resolves to its output. @throws if it never listens */
  started(): Promise<string>
  /** Makes the copy accessible only to root; later commands run as root. */
  closeToOthers(): Promise<void>
}

export async function copyTo(surroundings: Surroundings): Promise<Copy> {
  const { folders, ordinary, installed, withoutGit = false, wrapper = [] } = surroundings
  const base = await mkdtemp(join(tmpdir(), 'sav-anywhere-'))
  await chmod(base, 0o755)
  const tree = join(base, ...folders)
  let owner = ordinary ? ordinaryUser : {}
  for (const file of filesOf(root)) await cp(join(root, file), join(tree, file), { preserveTimestamps: true })
  if (installed) await copyInstalled(tree)
  const [home, temporary, programs] = [join(base, 'home'), join(base, 'temporary'), join(base, 'programs')]
  for (const folder of [home, temporary, programs]) await mkdir(folder)
  await linkPrograms(programs, surroundings.node ?? join(tree, 'node_modules/node/bin/node'), withoutGit)
  if (owner.uid !== undefined) await giveTo(`${owner.uid}:${owner.gid}`, tree, installed, [home, temporary])

  const env = { ...toRegistry, PATH: programs, HOME: home, TMPDIR: temporary, ...surroundings.env }
  const begun = (program: string, args: readonly string[], isPlain = false) => {
    const [command = program, ...rest] = [...(isPlain ? [] : wrapper), program, ...args]
    return spawn(command, rest, { cwd: tree, env, ...owner, stdio: ['ignore', 'pipe', 'pipe'] })
  }
  const ran = async (child: ReturnType<typeof begun>): Promise<RunResult> => {
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const [code] = await once(child, 'close')
    return { code, output }
  }
  return {
    tree,
    npm: (args, { plain = false } = {}) => ran(begun('npm', args, plain)),
    node: (script) => ran(begun('node', ['--input-type=module', '--eval', script])),
    async started() {
      const child = begun('npm', ['start'])
      const printed: string[] = []
      child.stderr.on('data', (chunk) => printed.push(String(chunk)))
      let listens = false
      createInterface({ input: child.stdout }).on('line', (line) => {
        printed.push(`${line}\n`)
        if (!line.startsWith('listening on ') || listens) return
        listens = true
        child.kill('SIGTERM')
      })
      // `close` comes only when all processes that the child started have ended: each holds the output open.
      await once(child, 'close')
      if (!listens) throw new Error(`npm start ended without listening:\n${printed.join('')}`)
      return printed.join('')
    },
    async closeToOthers() {
      owner = {}
      await chmod(join(base, ...folders.slice(0, 1)), 0o700)
    },
    [Symbol.asyncDispose]: () => rm(base, { recursive: true, force: true }),
  }
}

/** Copies built files. Installed packages are only linked, since nothing writes to them. */
async function copyInstalled(tree: string): Promise<void> {
  const workspaces = (await Promise.all(['packages', 'examples'].map(foldersIn))).flat()
  for (const workspace of ['', 'bench', ...workspaces]) {
    const [from, to] = [join(root, workspace), join(tree, workspace)]
    const names = await readdir(from)
    if (names.includes('dist'))
      await cp(join(from, 'dist'), join(to, 'dist'), { recursive: true, preserveTimestamps: true, filter: isBuilt })
    if (!names.includes('node_modules')) continue
    await mkdir(join(to, 'node_modules'), { recursive: true })
    // Leaves out the files that a run writes.
    const kept = (await readdir(join(from, 'node_modules'))).filter((name) => !/^\.(cache|stamp|vite|bench)/.test(name))
    const linked = kept.map((name) => join(from, 'node_modules', name))
    if (linked.length > 0) await link(linked, join(to, 'node_modules'))
  }
  await cp(join(root, 'node_modules/.stamp'), join(tree, 'node_modules/.stamp'), { recursive: true })
}

/** Leaves out `compiled`, V8's cache, since commands write to it. */
const isBuilt = (path: string) => basename(path) !== 'compiled'

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
}

/** Links the files; copies them if they are on another disk. */
async function link(paths: readonly string[], folder: string): Promise<void> {
  await run('cp', ['-al', ...paths, folder]).catch(() => run('cp', ['-af', ...paths, folder]))
}

/**
 * Links the machine's programs into `folder`, except this repository's own and optionally git. `node` links to the
 * given Node.
 */
async function linkPrograms(folder: string, node: string, withoutGit: boolean): Promise<void> {
  await symlink(node, join(folder, 'node'))
  const taken = new Set(['node'])
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    if (directory.startsWith(root)) continue
    for (const name of await readdir(directory).catch(() => [])) {
      if (taken.has(name) || (withoutGit && /^git/.test(name))) continue
      taken.add(name)
      await symlink(join(directory, name), join(folder, name))
    }
  }
}

/**
 * Changes the owner of the copy. Installed files are links into this repository, so only folders that a run writes to
 * change owner.
 */
async function giveTo(user: string, tree: string, installed: boolean, others: readonly string[]): Promise<void> {
  const written = ['node_modules', 'bench/node_modules'].map((folder) => join(tree, folder))
  await run('chown', [user, ...others, tree, ...(installed ? written : [])])
  await run('chown', ['-R', user, installed ? join(tree, 'node_modules/.stamp') : tree])
}
