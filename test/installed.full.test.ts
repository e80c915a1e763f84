import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newProject, output, packedPackages, subpathsOf } from './installed.js'

const root = join(import.meta.dirname, '..')
const whole = process.env['SAV_TEST_FULL'] === '1'
const minute = 60_000

// npm installs, and every command is a process of its own.
vi.setConfig({ testTimeout: 5 * minute, hookTimeout: 5 * minute })

let folder: string
let tarballs: ReadonlyMap<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sav-installed-'))
  tarballs = await packedPackages(join(folder, 'tarballs'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('what somebody embeds', () => {
  let project: string
  beforeAll(async () => {
    // Without a driver. The client and the receivers' part are what the three bring along.
    const names = ['core', 'http-node', 'storage-kysely', 'webhook-verify', 'client']
    const files = names.map((name) => tarballs.get(`@sav/${name}`) ?? name)
    project = await newProject(join(folder, 'embedding'), files)
  })

  test('is at most 15 MB in 20 packages', async () => {
    const entries = await readdir(join(project, 'node_modules'), { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile())
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(file.parentPath, file.name))).size))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(15_000_000)
    const listed = await output('npm', ['ls', '--all', '--parseable'], project)
    expect(new Set(listed.trim().split('\n').slice(1)).size).toBeLessThanOrEqual(20)
  })

  test.each([
    ['sqlite', 'better-sqlite3'],
    ['postgres', 'pg'],
  ])('says which driver %s lacks, and how to install it', async (subpath, driver) => {
    const code = `await import('@sav/storage-kysely/${subpath}').catch((error) => console.log(error.message))`
    const said = await output(process.execPath, ['--input-type=module', '--eval', code], project)
    expect(said).toBe(`The driver ${driver} is not installed: npm install ${driver}\n`)
  })

  test('verifies webhooks where only `require` works', async () => {
    const code = `const { verify, WebhookVerificationError } = require('@sav/webhook-verify')
      const { verifyRequest } = require('@sav/webhook-verify/node')
      const refused = (error) => console.log(error instanceof WebhookVerificationError, error.reason)
      verifyRequest({ headers: {}, async *[Symbol.asyncIterator]() {} }, 'whsec_' + 'A'.repeat(32)).catch(refused)`
    const args = ['--no-experimental-require-module', '--input-type=commonjs', '--eval', code]
    expect(await output(process.execPath, args, project)).toBe('true missing_header\n')
  })

  const jest = 'has its webhooks verified under Jest 30, and type-checked under `module: node16`'
  test.runIf(whole)(jest, async () => {
    await output(
      'npm',
      ['install', '--no-audit', '--no-fund', '--prefer-offline', 'jest@30', 'typescript@5.9'],
      project,
    )
    const source = `const { sign, safeVerify } = require('@sav/webhook-verify')
      test('believes what is signed', async () => {
        const secret = 'whsec_' + 'A'.repeat(32)
        const body = '{"event":"sav.closed","timestamp":"","data":{}}'
        const headers = await sign({ id: 'evt_1', timestamp: Math.floor(Date.now() / 1000), body, secret })
        expect(await safeVerify(Buffer.from(body), headers, secret)).toMatchObject({ ok: true })
      })`
    await writeFile(join(project, 'receiver.test.cjs'), source)
    await output('npx', ['jest', '--rootDir', '.', '--testMatch', '**/*.test.cjs'], project)
    await writeFile(
      join(project, 'receiver.cts'),
      `import { verify } from '@sav/webhook-verify'\nexport const kept: Function = verify\n`,
    )
    await output(
      'npx',
      ['tsc', '--noEmit', '--strict', '--module', 'node16', '--skipLibCheck', 'receiver.cts'],
      project,
    )
  })
})

describe('every subpath of every package', () => {
  let project: string
  let subpaths: string[]
  beforeAll(async () => {
    const types = ['@types/node@26', '@types/pg@8', '@types/better-sqlite3@9', '@types/nodemailer']
    project = await newProject(join(folder, 'everything'), [...tarballs.values(), 'vitest@5', ...types])
    subpaths = (await Promise.all([...tarballs.keys()].map((name) => subpathsOf(project, name)))).flat()
  })

  async function importAll(node: string): Promise<void> {
    for (const subpath of subpaths) {
      await output(node, ['--input-type=module', '--eval', `await import('${subpath}')`], project)
    }
  }

  /** A mistake, so that a compiler that sees nothing, or types that are `any`, show. */
  const planted = "import { createSav } from '@sav/core'\nexport const planted: number = createSav"
  const onlyThePlantedOne = [expect.stringMatching(/^all\.ts\(2,14\): error TS2322/)]

  /** What a compiler has to say of our declarations; those of others are not ours to answer for. */
  async function complaints(tsc: string): Promise<string[]> {
    const lines = subpaths.map((subpath, index) => `export * as _${index} from '${subpath}'`)
    await writeFile(join(project, 'all.ts'), `${planted}\n${lines.join('\n')}\n`)
    const lib = ['es2023', 'esnext.disposable', 'dom', 'dom.iterable']
    const compilerOptions = { strict: true, module: 'nodenext', target: 'es2022', lib, types: ['node'], noEmit: true }
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['all.ts'] }))
    const printed = await output(process.execPath, [tsc], project).catch((error: { stdout: string }) => error.stdout)
    return printed.split('\n').filter((line) => line.includes('@sav/') || line.startsWith('all.ts'))
  }

  test('can be imported', () => importAll(process.execPath))

  test(
    'has types for the TypeScript of today',
    async () => {
      expect(await complaints(join(root, 'node_modules/typescript/bin/tsc'))).toEqual(onlyThePlantedOne)
    },
    2 * minute,
  )

  describe.runIf(whole)('elsewhere', () => {
    test.each(['22.19', '24', '26'])('can be imported by Node %s', async (version) => {
      const its = await newProject(join(folder, `node-${version}`), [`node@${version}`])
      const node = join(its, 'node_modules/node/bin/node')
      expect(await output(node, ['--version'], its)).toContain(`v${version}.`)
      await importAll(node)
    })

    test.each(['5.4', '5.6', '5.9', '6', '7'])('has types for TypeScript %s', async (version) => {
      const its = await newProject(join(folder, `typescript-${version}`), [`typescript@${version}`])
      expect(await complaints(join(its, 'node_modules/typescript/bin/tsc'))).toEqual(onlyThePlantedOne)
    })
  })
})

test.runIf(whole)(
  'a release goes into a registry and can be installed from there',
  async () => {
    await output('npm', ['run', 'release', '--', '--dry-run'], root)
  },
  15 * minute,
)
