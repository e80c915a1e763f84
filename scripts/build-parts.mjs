// The independent parts of a build. A part is stale when the contents of its sources have changed; copying the tree does
// not make it stale.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Each part's command, a file that it creates, and the sources that it reads. */
export const parts = {
  javascript: {
    command: ['tsup'],
    output: 'packages/http-node/dist/index.js',
    reads: (path) => !/^packages\/(console\/(app|terrain)|cli)\//.test(path),
  },
  command: {
    command: ['rolldown', '--config', 'rolldown.config.ts', '--log-level', 'warn'],
    output: 'packages/cli/dist/main.js',
    reads: (path) => !/^packages\/console\/(app|terrain)\//.test(path),
  },
  console: {
    command: ['packages/console/node_modules/.bin/vite', 'build', '--config', 'packages/console/vite.config.ts'],
    output: 'packages/console/dist/app/index.html',
    reads: (path) => !path.startsWith('packages/') || /^packages\/(console|client|webhook-verify)\//.test(path),
  },
  declarations: {
    // With one checker, tsc takes two thirds of the processor time that it takes with four.
    command: ['tsc', '-b', '--checkers', '1'],
    output: 'packages/cli/dist/.tsbuildinfo',
    reads: () => true,
  },
}

const settings = [
  'pnpm-lock.yaml',
  'scripts/build-parts.mjs',
  'rolldown.config.ts',
  'scripts/licences.ts',
  'tsconfig.base.json',
  'tsconfig.json',
  'tsup.config.ts',
]

/**
 * The inputs of a build: every file in the packages except tests and Markdown. Each has a line that changes when the
 * file is written.
 */
function sources() {
  const within = (folder) =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      if (/\/(node_modules|dist)$|^packages\/[^/]+\/test$|\.(test\.ts|md|tsbuildinfo)$/.test(path)) return []
      return entry.isDirectory() ? within(path) : [path]
    })
  return [...within('packages'), ...settings].sort().map((path) => {
    const { size, mtimeMs } = statSync(join(root, path))
    return { path, written: `${path} ${size} ${mtimeMs}` }
  })
}

const digest = (lines) => createHash('sha256').update(lines.join('\n')).digest('hex')

/**
 * The contents of each input. An input is read again only if its size or time has changed: a release builds twice in
 * one process, and changes files in between.
 */
const contents = new Map()
function contentsOf({ path, written }) {
  if (!contents.has(written)) contents.set(written, `${path} ${digest([readFileSync(join(root, path))])}`)
  return contents.get(written)
}

const stampOf = (name) => join(root, 'node_modules', '.stamp', `${name}.json`)

function writeStamp(name, stamp) {
  mkdirSync(join(root, 'node_modules', '.stamp'), { recursive: true })
  writeFileSync(stampOf(name), JSON.stringify(stamp))
}

/**
 * Finds the parts that are stale, and marks them as not built.
 * @returns the names of these parts, and a function that records that they were built from the current sources
 */
export function staleParts() {
  const all = sources()
  const stale = Object.entries(parts).flatMap(([name, { reads, output }]) => {
    const read = all.filter(({ path }) => reads(path))
    const isThere = existsSync(stampOf(name)) && existsSync(join(root, output))
    const stamp = isThere ? JSON.parse(readFileSync(stampOf(name), 'utf8')) : {}
    // Sizes and times are quick to compare; if they differ, the contents decide.
    const written = digest(read.map((source) => source.written))
    if (stamp.written === written) return []
    const now = { written, contents: digest(read.map(contentsOf)) }
    if (stamp.contents === now.contents) {
      writeStamp(name, now)
      return []
    }
    // Removes the stamp before the build, since an interrupted build leaves an incomplete result.
    rmSync(stampOf(name), { force: true })
    return [{ name, now }]
  })
  return {
    names: stale.map(({ name }) => name),
    remember() {
      for (const { name, now } of stale) writeStamp(name, now)
    },
  }
}
