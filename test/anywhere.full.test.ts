import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { type Suite, suites } from '../scripts/suites.ts'
import { copyTo, type Surroundings } from './anywhere.js'
import { newProject } from './installed.js'
import { needs } from './needs.js'
import { isRoot } from './ordinary-user.js'

const whole = process.env['SAV_TEST_FULL'] === '1'
const minute = 60_000
// A fresh copy takes 7 to 11 minutes on two busy cores, and running all tests in it takes longer.
vi.setConfig({ testTimeout: 90 * minute, hookTimeout: 5 * minute })

const canBeRoot = needs('root', 'that npm test works below a folder that only root may enter', isRoot)

/** An archive of the repository, unpacked without git on a laptop in another time zone. */
const laptop = {
  folders: ['a b', 'é'],
  ordinary: true,
  withoutGit: true,
  env: { LANG: 'C', TZ: 'Pacific/Auckland' },
} as const
const ofRoot = { folders: ['root', 'x'], ordinary: false } as const

const root = join(import.meta.dirname, '..')
const sources = globSync('{packages,examples,bench,test}/**/*.ts', {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(path),
}).map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

const { without }: Suite = suites.test
/** Tests of `npm test` that start processes as an ordinary user. */
const testsOfOrdinaryUsers = sources
  .filter(({ file, text }) => /\.test\.ts$/.test(file) && /^import .*\bneedsOrdinaryUser\b/m.test(text))
  .map(({ file }) => file)
  .filter((file) => !without.includes(file))

it('only test/ordinary-user.ts switches users, since it checks that the user can reach this repository', () => {
  expect(testsOfOrdinaryUsers).not.toEqual([])
  const others = sources.filter(({ text }) => /\b[ug]id: ?\d|\b65_?534\b|'(su|runuser|setpriv)'/.test(text))
  expect(others.map(({ file }) => file)).toEqual(['test/ordinary-user.ts'])
})

/** The test files that run in a copy by default: they need SQLite, the files of the tree, processes and PostgreSQL. */
const files = [
  'storage-kysely/test/readme.test',
  'test/docs.test',
  'cli/test/unwritable',
  'cli/test/chaos/tls',
  'postgres/plans.test',
]

describe.skipIf(whole)('a copy that is installed and built', () => {
  test('starts for an ordinary user, without git, in a path with a space and an accent', async () => {
    await using copy = await copyTo({ ...laptop, installed: true })
    const printed = await copy.started()
    // The copy of a built tree is built too, so it starts without a build.
    if (process.env['SAV_TEST_BUILT'] === '1') expect(printed).not.toContain('building')
  })
})

/** Runs a command in a separate network without IPv6. */
const alone = `ip link set lo up && echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6 && exec "$@"`
const withoutIpv6 = ['unshare', '--net', 'sh', '-c', alone, 'sh']
const [unshare = '', ...options] = withoutIpv6

interface Combination extends Surroundings {
  /** The major version of the Node on PATH. */
  readonly major: number
  readonly isShown?: boolean
  /** Parts of the paths of the tests to run. Default: `files`. */
  readonly chosen?: readonly string[]
}

/** Chooses all of `npm test`. */
const everything: readonly string[] = []

const combinations: Record<string, Combination> = {
  'by root, below a folder that only root may enter': {
    ...ofRoot,
    installed: false,
    major: 20,
    isShown: canBeRoot,
    chosen: everything,
  },
  'by an ordinary user, in a path with a space and an accent, without git, far away': {
    ...laptop,
    installed: false,
    major: 22,
  },
  'by root, without IPv6': {
    ...ofRoot,
    installed: false,
    major: 24,
    wrapper: withoutIpv6,
    isShown:
      whole &&
      needs(
        'a network without IPv6 (unshare, ip)',
        'that everything works without IPv6',
        spawnSync(unshare, [...options, 'true']).status === 0,
      ),
  },
  'by an ordinary user, with the newest Node': { ...laptop, folders: ['plain'], installed: false, major: 26 },
}

describe.runIf(whole)('a fresh copy can be installed, built, started, tested and measured', () => {
  let nodes: string
  beforeAll(async () => {
    nodes = await mkdtemp(join(tmpdir(), 'sav-nodes-'))
    await chmod(nodes, 0o755)
  })
  afterAll(() => rm(nodes, { recursive: true, force: true }))

  for (const [name, { major, isShown = true, chosen = files, ...surroundings }] of Object.entries(combinations))
    test.runIf(isShown)(`${name}, started with Node ${major}`, async () => {
      const project = await newProject(join(nodes, String(major)), [`node@${major}`])
      await using copy = await copyTo({ ...surroundings, node: join(project, 'node_modules/node/bin/node') })
      if (!surroundings.ordinary) await copy.closeToOthers()
      // Packages that are not on this machine are downloaded.
      outputOf(await copy.npm(['run', 'build'], { plain: true }))
      await copy.started()
      const passed = chosen.length === 0 ? '' : `${chosen.length} `
      expect(outputOf(await copy.npm(['test', '--', ...chosen]))).toMatch(new RegExp(`Test Files .*${passed}passed`))
      const measured = await copy.npm(['run', 'bench', '--', 'verify', 'create-fresh-postgres'])
      expect(outputOf(measured)).toMatch(/^create-fresh-postgres +\d/m)
    })
})

/** @throws Error with the end of the command's output, if the command failed */
function outputOf({ code, output }: { readonly code: number | null; readonly output: string }): string {
  if (code === 0) return output
  throw new Error(`It ended with ${code}:\n${output.slice(-4000)}`)
}
