import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { migratesOverPool, ownKysely, pushed, pushedTo } from './embedding-programs.js'
import { answers, newProject, output, packedPackages, secretKey, subpathsOf } from './installed.js'
import { freshDatabase } from './postgres.js'

const root = join(import.meta.dirname, '..')
const whole = process.env['SAV_TEST_FULL'] === '1'
const minute = 60_000

// On two busy cores, the largest installation with its build takes more than 5 minutes.
vi.setConfig({ testTimeout: 20 * minute, hookTimeout: 20 * minute })

let folder: string
let tarballs: ReadonlyMap<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sav-installed-'))
  tarballs = await packedPackages(join(folder, 'tarballs'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('an embedded service', () => {
  let project: string
  beforeAll(async () => {
    // This project has no database driver. The README's three packages need `@sav/client` and `@sav/webhook-verify`
    // too.
    project = await newProject(join(folder, 'embedding'), packed(...embedding))
  })

  test('installs at most 15 MB in 20 packages', async () => {
    expect(await installedBytes(project)).toBeLessThan(15_000_000)
    const listed = await output('npm', ['ls', '--all', '--parseable'], project)
    expect(new Set(listed.trim().split('\n').slice(1)).size).toBeLessThanOrEqual(20)
  })

  // An import is measured by the files that it reads, since its time depends on the machine. The parts that entries of
  // webhook-verify share (kinds, HMAC, verifying) are separate files, so that each entry reads only what it needs. Of
  // the core's bytes, 300 kB are zod, image-size and ipaddr.js.
  test.each([
    ['@sav/webhook-verify', 6, 11_000],
    ['@sav/core', 18, 920_000],
  ])('importing %s reads at most %i files and %i bytes, and does not load node:crypto', async (name, files, bytes) => {
    const code = `import { statSync } from 'node:fs'
      import { registerHooks } from 'node:module'
      const sizes = []
      registerHooks({
        load(url, context, next) {
          if (url.startsWith('file:')) sizes.push(statSync(new URL(url)).size)
          return next(url, context)
        },
      })
      await import('${name}')
      const crypto = process.moduleLoadList.filter((module) => module === 'NativeModule crypto')
      console.log(sizes.length, sizes.reduce((sum, size) => sum + size), crypto.length)`
    const said = await output(process.execPath, ['--input-type=module', '--eval', code], project)
    const [read = 0, size = 0, loaded] = said.split(' ').map(Number)
    expect(loaded).toBe(0)
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThanOrEqual(files)
    expect(size).toBeLessThanOrEqual(bytes)
  })

  test.each([
    ['sqlite', 'better-sqlite3'],
    ['postgres', 'pg'],
  ])('importing the entry %s without its driver says how to install the driver', async (subpath, driver) => {
    const code = `await import('@sav/storage-kysely/${subpath}').catch((error) => console.log(error.message))`
    const said = await output(process.execPath, ['--input-type=module', '--eval', code], project)
    expect(said).toBe(`The driver ${driver} is not installed: npm install ${driver}\n`)
  })

  test('has types for the tests of a project that does not install vitest', async () => {
    await output('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...compiler], project)
    await writeFile(join(project, 'main.ts'), `import { fixedClock } from '@sav/core/testing'\nfixedClock()\n`)
    await compiles(project, '--skipLibCheck false')
  })

  test('verifies webhooks through `require`, on a Node that cannot `require` ES modules', async () => {
    const code = `const { verify, WebhookVerificationError } = require('@sav/webhook-verify')
      const { verifyRequest } = require('@sav/webhook-verify/node')
      const refused = (error) => console.log(error instanceof WebhookVerificationError, error.reason)
      verifyRequest({ headers: {}, async *[Symbol.asyncIterator]() {} }, 'whsec_' + 'A'.repeat(32)).catch(refused)`
    const args = ['--no-experimental-require-module', '--input-type=commonjs', '--eval', code]
    expect(await output(process.execPath, args, project)).toBe('true missing_header\n')
  })

  const jest = 'verifies webhooks under Jest 30, and compiles under `module: node16`'
  test.runIf(whole)(jest, async () => {
    await output(
      'npm',
      ['install', '--no-audit', '--no-fund', '--prefer-offline', 'jest@30', 'typescript@5.9'],
      project,
    )
    const source = `const { sign, safeVerify } = require('@sav/webhook-verify')
      test('accepts a signed webhook', async () => {
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

/** The paths of these packages' tarballs; other names stay as they are. */
const packed = (...names: readonly string[]) => names.map((name) => tarballs.get(`@sav/${name}`) ?? name)
const embedding = ['core', 'http-node', 'storage-kysely', 'webhook-verify', 'client']
const compiler = ['typescript@5.9', '@types/node@26']

async function installedBytes(project: string): Promise<number> {
  const entries = await readdir(join(project, 'node_modules'), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(file.parentPath, file.name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** @throws Error with the compiler's errors in `main.ts` */
async function compiles(project: string, checked = '--skipLibCheck'): Promise<void> {
  const options = `--noEmit --strict ${checked} --module nodenext --allowImportingTsExtensions --types node`
  await output('npx', ['tsc', ...options.split(' '), 'main.ts'], project)
}

/** Saves the program of "embed it", as a reader does. The README has the first lines of that program. */
async function saveEmbeddingExample(project: string): Promise<void> {
  const page = await readFile(join(root, 'docs/start/embed.md'), 'utf8')
  const [, example = ''] = /^## The program$.*?^```ts\n(.*?)^```$/ms.exec(page) ?? []
  await writeFile(join(project, 'main.ts'), example)
}

describe.runIf(whole)('from an empty folder', () => {
  test('the program from the page "embed it" answers, and its installation has at most 45 MB with the driver', async () => {
    const project = await newProject(join(folder, 'readme'), [...packed(...embedding), 'better-sqlite3@13'])
    expect(await installedBytes(project)).toBeLessThan(45_000_000)
    await saveEmbeddingExample(project)
    expect(await answers(project, ['main.ts'], '/readyz')).toBe(200)
  })

  test('the command has at most 70 MB, of which SQLite and sharp take 50', async () => {
    const command = packed('cli', 'api-reference', 'console', 'reception-report')
    const project = await newProject(join(folder, 'command'), command)
    expect(await installedBytes(project)).toBeLessThan(70_000_000)
    const listed = await output('npm', ['ls', '--all', '--parseable'], project)
    expect(listed).not.toMatch(/node_modules\/(zod|pdfkit|undici|@sav\/core)$/m)
  })

  test('the program from the page "embed it" runs on Deno, and ends on Bun with the reason', async () => {
    const others = ['better-sqlite3@13', 'deno@2', 'bun@1']
    const project = await newProject(join(folder, 'runtimes'), [...packed(...embedding), ...others])
    await saveEmbeddingExample(project)
    const bin = (name: string) => join(project, 'node_modules/.bin', name)
    expect(await answers(project, ['run', '--allow-all', 'main.ts'], '/readyz', bin('deno'))).toBe(200)
    const env = { SHOP_DB: 'bun.db', SHOP_KEY: secretKey, PORT: '0' }
    const told = output(bin('bun'), ['main.ts'], project, env)
    await expect(told).rejects.toThrow('@sav/http-node serves on Node and Deno: on Bun, nothing would check')
  })

  // better-sqlite3 11 was released before Node 26, so it is tested on 22.
  test.each([
    ['11.10.0', '22'],
    ['12.11.1', '26'],
    ['13', '26'],
  ])('a store works with better-sqlite3 %s on Node %s', async (driver, version) => {
    const its = await newProject(join(folder, `node-of-better-sqlite3-${driver}`), [`node@${version}`])
    const bin = join(its, 'node_modules/node/bin')
    // If there is no prebuilt binary of 11 and 12 to download, npm compiles them with these headers.
    const headers = join(its, `node_modules/node/node_modules/node-${process.platform}-${process.arch}`)
    const env = { PATH: `${bin}:${process.env['PATH']}`, npm_config_nodedir: headers }
    const project = await newProject(join(folder, `better-sqlite3-${driver}`), packed(...embedding))
    await output(
      'npm',
      ['install', '--no-audit', '--no-fund', '--prefer-offline', `better-sqlite3@${driver}`],
      project,
      env,
    )
    await saveEmbeddingExample(project)
    expect(await answers(project, ['main.ts'], '/readyz', join(bin, 'node'))).toBe(200)
  })

  test('Next serves the example after a build', async () => {
    const others = [
      'better-sqlite3@13',
      'next@16',
      'react@19',
      'react-dom@19',
      'typescript@5.9',
      '@types/node@26',
      '@types/react@19',
    ]
    const project = await newProject(join(folder, 'next'), [...packed(...embedding), ...others])
    for (const part of ['app', 'next.config.ts'])
      await cp(join(root, 'examples/embed-next', part), join(project, part), { recursive: true })
    await writeFile(join(project, 'app/layout.tsx'), layout)
    const next = 'node_modules/next/dist/bin/next'
    await output(process.execPath, [next, 'build'], project)
    expect(await answers(project, [next, 'start', '--hostname', '127.0.0.1', '--port', '0'], '/sav/openapi.json')).toBe(
      200,
    )
  })

  test('a case and a row of Prisma’s commit or roll back together, and Prisma’s migrations do not change our tables', async () => {
    const engine = '@prisma/schema-engine-wasm@7.10.0-7.561d7b42579a2459cc8edf3788918b626c640023'
    const others = ['pg@8', 'prisma@7', '@prisma/client@7', '@prisma/adapter-pg@7', engine, ...compiler, '@types/pg@8']
    const project = await newProject(join(folder, 'prisma'), [...packed(...embedding), ...others])
    await cp(join(root, 'examples/embed-with-prisma'), project, { recursive: true })
    await writeFile(join(project, 'prisma.config.ts'), `export default { schema: 'schema.prisma' }\n`)
    // `prisma generate` looks for the migration engine but does not need one, so this names another program.
    const env = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' }
    await output(process.execPath, ['node_modules/prisma/build/index.js', 'generate'], project, env)
    await compiles(project)
    await using database = await freshDatabase()
    const pool = new Pool({ connectionString: database.url })
    await pool.query('create table orders (id serial primary key, case_id int not null, part text not null)')
    await pool.end()
    const said = await output(process.execPath, ['main.ts'], project, { SHOP_DB: database.url, SHOP_KEY: secretKey })
    expect(said).toBe('1 case, 1 order; refused: no part was named\n')

    await cp(join(root, 'test/prisma-migrations.mjs'), join(project, 'migrations.mjs'))
    await using migrated = await freshDatabase()
    expect(await output(process.execPath, ['migrations.mjs'], project, { SHOP_DB: migrated.url })).toBe(
      'ALTER TABLE "orders" ADD COLUMN     "supplier" TEXT; ours: kept, none pending\n',
    )
  })

  test('`drizzle-kit push --force` drops none of our tables', async () => {
    const others = ['better-sqlite3@13', 'pg@8', 'drizzle-orm@0.45', 'drizzle-kit@0.31']
    const project = await newProject(join(folder, 'drizzle'), [...packed(...embedding), ...others])
    for (const file of ['main.ts', 'schema.ts', 'drizzle.config.ts'])
      await cp(join(root, 'examples/embed-with-own-transaction', file), join(project, file))
    const push = async (more: Record<string, string>) => {
      const args = ['node_modules/drizzle-kit/bin.cjs', 'push', '--force']
      return output(process.execPath, args, project, more)
    }
    const env = { SHOP_DB: 'shop.db', SHOP_KEY: secretKey }
    expect(await output(process.execPath, ['main.ts'], project, env)).toMatch(/^1 case, 1 order;/)
    expect(await push(env)).not.toContain('sav_')
    expect(await output(process.execPath, ['main.ts'], project, env)).toMatch(/^2 case, 2 order;/)

    await using database = await freshDatabase()
    const pool = new Pool({ connectionString: database.url })
    await writeFile(join(project, 'schema.ts'), pushed)
    await writeFile(join(project, 'drizzle.config.ts'), pushedTo)
    await writeFile(join(project, 'store.js'), migratesOverPool)
    const tables = async () =>
      (await pool.query("select count(*)::int as n from pg_tables where schemaname = 'sav'")).rows[0].n
    expect(await output(process.execPath, ['store.js'], project, { SHOP_DB: database.url })).toBe('true 0\n')
    const before = await tables()
    await push({ SHOP_DB: database.url })
    expect(await tables()).toBe(before)
    expect((await pool.query('select count(*)::int as n from public.orders')).rows).toEqual([{ n: 0 }])
    await pool.end()
  })

  test.each([
    ['0.27', 'This version of Kysely can use a transaction after its end: use 0.28.11 or later'],
    ['0.28.10', 'This version of Kysely can use a transaction after its end: use 0.28.11 or later'],
    ['0.28.11', 'refused 0'],
    ['0.28', 'refused 0'],
    ['0.29', 'refused 0'],
  ])(
    'a program with a transaction of its own Kysely %s compiles; the transaction is accepted if this version ends it',
    async (version, said) => {
      const others = ['better-sqlite3@13', `kysely@${version}`, ...compiler, '@types/better-sqlite3@7']
      const project = await newProject(join(folder, `kysely-${version}`), [...packed(...embedding), ...others])
      await writeFile(join(project, 'main.ts'), ownKysely)
      await compiles(project)
      expect(await output(process.execPath, ['main.ts'], project)).toContain(said)
    },
  )
})

/** Every Next application needs a layout. */
const layout = `export default ({ children }: { children: React.ReactNode }) => <html lang="fr"><body>{children}</body></html>\n`

describe.runIf(whole)('every subpath of every package', () => {
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

  /** A deliberate type error. If it is not reported, the compiler did not read the file, or the types are `any`. */
  const planted = "import { createUseCases } from '@sav/core'\nexport const planted: number = createUseCases"
  const onlyThePlantedOne = [expect.stringMatching(/^all\.ts\(2,14\): error TS2322/)]

  /** The compiler's errors in our declarations, without errors in other packages. */
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

  test('includes the thread for the queue of a SQLite file', async () => {
    const code = `import { openSqlite } from '@sav/storage-kysely/sqlite'
      const storage = await openSqlite('queue.db')
      await storage.migrate()
      const queue = storage.queueInThread()
      console.log(await queue.due(new Date().toISOString()))
      await queue.close()
      await storage.close()`
    await writeFile(join(project, 'queue.js'), code)
    expect(await output(process.execPath, ['queue.js'], project)).toBe('[]\n')
  })

  test('is installed together with the program of "embed it", which runs', async () => {
    await saveEmbeddingExample(project)
    expect(await answers(project, ['main.ts'], '/readyz')).toBe(200)
  })

  test('has types for the TypeScript of this repository', async () => {
    expect(await complaints(join(root, 'node_modules/typescript/bin/tsc'))).toEqual(onlyThePlantedOne)
  })

  describe('with other versions', () => {
    test.each(['22.19', '24', '26'])('can be imported by Node %s', async (version) => {
      const its = await newProject(join(folder, `node-${version}`), [`node@${version}`])
      const node = join(its, 'node_modules/node/bin/node')
      expect(await output(node, ['--version'], its)).toContain(`v${version}.`)
      await importAll(node)
      const code =
        "import { businessCalendar } from '@sav/core/adapter'; console.log(businessCalendar('Europe/Paris').dateAt(0))"
      expect(await output(node, ['--input-type=module', '--eval', code], project)).toBe('1970-01-01\n')
    })

    test.each(['core', 'http-node', 'storage-kysely/sqlite'])(
      '@sav/%s refuses Node 20 and names the oldest supported one',
      async (name) => {
        const its = await newProject(join(folder, `node-20-${name.replace('/', '-')}`), ['node@20'])
        const args = ['--input-type=module', '--eval', `await import('@sav/${name}')`]
        const told = output(join(its, 'node_modules/node/bin/node'), args, project)
        await expect(told).rejects.toThrow(/Error: @sav needs Node 22\.19 or newer, and this is 20\./)
      },
    )

    test.each(['5.4', '5.6', '5.9', '6', '7'])('has types for TypeScript %s', async (version) => {
      const its = await newProject(join(folder, `typescript-${version}`), [`typescript@${version}`])
      expect(await complaints(join(its, 'node_modules/typescript/bin/tsc'))).toEqual(onlyThePlantedOne)
    })
  })
})

test.runIf(whole)(
  'a release can be published to a registry and installed from it',
  async () => {
    await output('npm', ['run', 'release', '--', '--dry-run'], root)
  },
  20 * minute,
)
