import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { openSqlite } from '@sav/storage-kysely/sqlite'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { emptyDatabase } from './stores.js'
import { bin, call, nodeOptions, readyWorkplace, type Workplace, workplace } from './workplace.js'

const run = promisify(execFile)

const stores = join(import.meta.dirname, 'stores')
const schemas = (await readdir(stores))
  .filter((name) => name.endsWith('.db.gz'))
  .map((name) => name.replace('.db.gz', ''))
  .sort()

/** Later stores have what earlier releases did not know: appointments, people, and a fourth case, of somebody erased. */
const countOf = (schema: string) => ({ cases: schema < '0022' ? 3 : 4, entries: 2 })

async function expectPlanning(shop: Workplace) {
  const warnings = async () => (await shop.json<{ warnings: string[] }>(['doctor'])).warnings.join('\n')
  expect(await warnings()).toMatch(
    /^An address of the calendar of Karim Benali \(account default\) was made by an earlier release.*: `sav planning ics 1` /m,
  )
  await shop.json(['planning', 'ics', '1'])
  expect(await warnings()).not.toMatch(/calendar/)
  expect(await shop.json(['cases', 'show', '2'])).toMatchObject({ interventions: [{ resultat: 'partiel' }] })
  const coming = await shop.json<object[]>(['planning', 'week', '--date', '2036-11-03'])
  expect(coming).toMatchObject([{ poseur: { nom: 'Karim Benali' }, statut: 'planifie' }])
  expect(await shop.json(['users', 'list'])).toMatchObject([{ nom: 'Claire Petit' }, { nom: 'Karim Benali' }])
  expect(await shop.json(['clients', 'show', '3'])).toMatchObject({ nom: '(effacé)', email: null })
}

/** A shop as a release with that schema left it: see stores/make.mjs. */
async function shopOf(schema: string): Promise<Workplace> {
  const shop = await workplace()
  await mkdir(join(shop.dir, 'sav-data'))
  await shop.write('sav-data/sav.db', gunzipSync(await readFile(join(stores, `${schema}.db.gz`))))
  await writeFile(join(shop.dir, 'sav-data/secret.key'), await readFile(join(stores, `${schema}.key`)), { mode: 0o600 })
  return shop
}

const copies = async (shop: Workplace) =>
  (await readdir(join(shop.dir, 'sav-data'))).filter((name) => /^sav-before-.*\.db$/.test(name))

async function expectWhole(shop: Workplace, env: Readonly<Record<string, string>> = {}) {
  const cases = await shop.json<object[]>(['cases', 'list'], env)
  expect(cases.slice(-3)).toMatchObject([
    { id: 3, statut: 'en_cours', description: 'Joint silicone décollé le long du plan de travail' },
    { id: 2, statut: 'en_cours', client: { nom: 'Nguyễn' }, poseur_assigne: { nom: 'Karim Benali' } },
    { id: 1, statut: 'clos', priorite: 'haute', client: { nom: 'Durand' } },
  ])
  expect(await shop.json(['evidence', 'verify', '--files', 'all'], env)).toMatchObject({ checked: 2, broken: [] })
  expect(await shop.json(['webhooks', 'list'], env)).toMatchObject([
    { url: 'https://receiver.example/hook', headers: ['X-Canary'] },
  ])
  expect(await shop.json(['keys', 'list'], env)).toMatchObject([{ nom: 'site' }])
  expect(await shop.json(['cases', 'list', '--recherche', 'îlot'], env)).toMatchObject([{ id: 2 }])
}

describe.each(schemas)('a store of a release with the schema %s', (schema) => {
  it('is copied, brought up to date and worked on by the next start of a service', async () => {
    const shop = await shopOf(schema)
    const { migrations } = await shop.json<{ migrations: string[] }>(['migrate', '--dry-run'])
    expect(await copies(shop)).toEqual([])
    expect(await shop.json(['migrate', '--dry-run'])).toEqual({ migrations, dry_run: true })

    const service = shop.serve()
    await service.url()
    await shop.json(['cases', 'create', '--client-id', '1', '--description', 'La première de la nouvelle version'])
    expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 })
    const made = await copies(shop)
    expect(made).toHaveLength(Math.min(migrations.length, 1))
    for (const line of service.stderr.trim().split('\n').filter(Boolean)) JSON.parse(line)
    if (migrations.length > 0)
      expect(service.stderr).toMatch(/"Copying .*sav-before-.*"Bringing .* to the schema of this/s)
    expect((await shop.sav(['doctor'])).stdout).not.toMatch(/Problem/)

    // And back, by the copy: into a store of its own here, with the release before it there.
    for (const name of made) {
      expect((await stat(join(shop.dir, 'sav-data', name))).mode & 0o777).toBe(0o600)
      const restored = await shop.json(['restore', `sav-data/${name}`, '--to', 'sqlite:back/sav.db'])
      expect(restored).toMatchObject({ ...countOf(schema), migrations, broken: [] })
      await expectWhole(shop, { SAV_DATABASE: 'sqlite:back/sav.db', SAV_SECRET_KEY_FILE: 'sav-data/secret.key' })
    }
  })

  it('is backed up as it is, and brought up to date by a command, which says so', async () => {
    const shop = await shopOf(schema)
    const { migrations } = await shop.json<{ migrations: string[] }>(['migrate', '--dry-run'])
    expect(await shop.json(['backup', '--to', 'b.db'])).toMatchObject(countOf(schema))
    const { code, stdout, stderr } = await shop.sav(['migrate'])
    expect([code, stdout]).toEqual([
      0,
      migrations.length === 0
        ? 'Nothing to do: the schema is up to date.\n'
        : expect.stringMatching(/^Done: .* The store as it was: .*\/sav-before-.*\.db\n$/),
    ])
    if (migrations.length > 0) expect(stderr).toMatch(/^Copying .*\nBringing .*\n$/)
    await expectWhole(shop)
    if (schema >= '0022') await expectPlanning(shop)
    expect((await shop.sav(['migrate'])).stdout).toBe('Nothing to do: the schema is up to date.\n')
  })
})

const dumps = (await readdir(stores)).filter((name) => name.endsWith('.sql.gz')).sort()

describe.each(dumps)('a store on PostgreSQL of a release, %s', (dump) => {
  it('is brought up to date by a command, and whole', async () => {
    const url = await emptyDatabase()
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(gunzipSync(await readFile(join(stores, dump))).toString())
    await client.end()
    const shop = await workplace({ SAV_DATABASE: url, SAV_SECRET_KEY_FILE: 'secret.key' })
    const key = await readFile(join(stores, dump.replace('.gz', '.key')))
    await writeFile(join(shop.dir, 'secret.key'), key, { mode: 0o600 })
    const { migrations } = await shop.json<{ migrations: string[] }>(['migrate', '--dry-run'])
    expect(await shop.json(['migrate'])).toEqual({ migrations })
    await expectWhole(shop)
    await expectPlanning(shop)
    expect((await shop.sav(['doctor'])).stdout).not.toMatch(/Problem/)
  })
})

describe.runIf(existsSync('/usr/bin/prlimit'))('a store that cannot be copied first', () => {
  it('stays as it is', async () => {
    const [schema = ''] = schemas
    const shop = await shopOf(schema)
    const { migrations } = await shop.json<{ migrations: string[] }>(['migrate', '--dry-run'])
    // No file of this process gets longer than 64 KB: the copy needs more, the log of the store does not.
    const args = ['--fsize=65536', process.execPath, ...nodeOptions, bin, 'migrate']
    const { code, stderr } = await run('prlimit', args, { cwd: shop.dir }).then(
      () => ({ code: 0, stderr: '' }),
      (error: { code: number; stderr: string }) => error,
    )
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/could not be copied before its schema changes, so nothing was changed: .* Make room in /),
    ])
    expect(await shop.json(['migrate', '--dry-run'])).toMatchObject({ migrations })
    expect(await readdir(join(shop.dir, 'sav-data'))).not.toContainEqual(expect.stringMatching(/before|unfinished/))
  })
})

/** As a later release leaves the store, which has a migration of that name. */
async function migrateByLaterRelease(shop: Workplace, name: string) {
  const storage = await openSqlite(join(shop.dir, 'sav-data/sav.db'))
  await storage.db.schema.alterTable('cases').addColumn('of_a_later_release', 'text').execute()
  await storage.db
    .$extendTables<{ sav_migration: { name: string; timestamp: string } }>()
    .insertInto('sav_migration')
    .values({ name, timestamp: '2036-01-01T00:00:00.000Z' })
    .execute()
  await storage.close()
}

it('a later release that only adds is served beside by this one, process by process', async () => {
  const shop = await readyWorkplace()
  await shop.json(['clients', 'add', '--nom', 'Moreau', '--prenom', 'Odile'])
  const key = await shop.newKey()
  const before = shop.serve()
  const url = await before.url()
  const body = { client_id: 1, description: 'Le tiroir du bas frotte contre la plinthe' }
  const create = async (service: string) => (await call(service, key, 'POST', '/api/v1/sav', body)).status
  expect(await create(url)).toBe(201)
  await migrateByLaterRelease(shop, '9999-adds-a-column')

  expect(await create(url)).toBe(201)
  const after = shop.serve()
  expect(await create(await after.url())).toBe(201)
  for (const service of [before, after]) expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 })
  expect(await shop.json(['cases', 'list'])).toHaveLength(3)
  expect(await shop.json(['backup', '--to', 'b.db'])).toMatchObject({ cases: 3 })
  expect((await shop.sav(['doctor'])).stdout).not.toMatch(/Problem/)
})

it('a store that a later release broke is refused by every command, with a sentence', async () => {
  const shop = await readyWorkplace()
  await migrateByLaterRelease(shop, '9999-breaks-cases')
  for (const command of [
    ['cases', 'list'],
    ['serve', '--port', '0'],
    ['worker'],
    ['migrate'],
    ['init'],
    ['backup', '--to', 'b'],
  ]) {
    const { code, stderr } = await shop.sav(command)
    expect([command, code, stderr]).toEqual([
      command,
      1,
      expect.stringMatching(/belongs to a newer release of sav \(9999-breaks-cases\): use that release/),
    ])
  }
})
