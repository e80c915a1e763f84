import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { openPostgres, openSqlite } from '../../../test/whole/opening.js'
import { addsColumn, become, becomeThisRelease, failsInTheMiddle } from '../../storage-kysely/test/later-release.js'
import { run } from '../src/main.js'
import { emptyDatabase } from './stores.js'
import { bare, bin, call, nodeOptions, readyWorkplace, type Workplace, workplace } from './workplace.js'

const stores = join(import.meta.dirname, 'stores')
const kept = (ending: string) =>
  readdir(stores).then((names) => names.filter((name) => name.endsWith(ending)).map((name) => name.replace(ending, '')))

const counts = { cases: 4, entries: 2 }

/** A shop with the store that stores/make.mjs saved for that release. */
async function fileOf(release: string): Promise<Workplace> {
  const shop = await workplace()
  await mkdir(join(shop.dir, 'sav-data'))
  await shop.write('sav-data/sav.db', gunzipSync(await readFile(join(stores, `${release}.db.gz`))))
  await writeFile(join(shop.dir, 'sav-data/secret.key'), await readFile(join(stores, `${release}.key`)), {
    mode: 0o600,
  })
  return shop
}

async function databaseOf(release: string): Promise<Workplace> {
  const url = await emptyDatabase()
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(gunzipSync(await readFile(join(stores, `${release}.sql.gz`))).toString())
  await client.end()
  const shop = await workplace({ SAV_DATABASE: url, SAV_SECRET_KEY_FILE: 'secret.key' })
  await writeFile(join(shop.dir, 'secret.key'), await readFile(join(stores, `${release}.sql.key`)), { mode: 0o600 })
  return shop
}

/** The migration of a later release: it adds a column, breaks this release, or fails in the middle. */
const laterMigrations = {
  plain: { '9001-notes': addsColumn },
  breaks: { '9001-breaks-notes': addsColumn },
  fails: { '9001-notes': failsInTheMiddle },
}
type Later = keyof typeof laterMigrations

/** Runs a command of a later release. */
async function later(shop: Workplace, kind: Later, args: readonly string[]) {
  become(laterMigrations[kind])
  try {
    return await shop.sav(args, { SAV_LOG_LEVEL: 'silent' }, { run })
  } finally {
    becomeThisRelease()
  }
}

async function laterJson<T>(shop: Workplace, kind: Later, args: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await later(shop, kind, [...args, '--json'])
  expect([code, stderr.replace(/^(Copying|Migrating|Clients who were erased) .*\n/gm, '')]).toEqual([0, ''])
  return JSON.parse(stdout)
}

const copies = async (shop: Workplace) =>
  (await readdir(join(shop.dir, 'sav-data'))).filter((name) => /^sav-before-.*\.db$/.test(name))

type Json = <T>(args: readonly string[]) => Promise<T>

async function expectWhole(json: Json) {
  const cases = await json<object[]>(['cases', 'list'])
  expect(cases.slice(-3)).toMatchObject([
    { id: 3, statut: 'en_cours', description: 'Joint silicone décollé le long du plan de travail' },
    { id: 2, statut: 'en_cours', client: { nom: 'Nguyễn' }, poseur_assigne: { nom: 'Karim Benali' } },
    { id: 1, statut: 'clos', priorite: 'haute', client: { nom: 'Durand' } },
  ])
  expect(await json(['evidence', 'verify', '--files', 'all'])).toMatchObject({ checked: 2, broken: [] })
  expect(await json(['webhooks', 'list'])).toMatchObject([
    { url: 'https://receiver.example/hook', headers: ['X-Canary'] },
  ])
  expect((await json<object[]>(['keys', 'list'])).at(-1)).toMatchObject({ nom: 'site' })
  expect(await json(['cases', 'list', '--recherche', 'îlot'])).toMatchObject([{ id: 2 }])
  expect(await json(['cases', 'show', '2'])).toMatchObject({ interventions: [{ resultat: 'partiel' }] })
  const coming = await json<object[]>(['planning', 'week', '--date', '2036-11-03'])
  expect(coming).toMatchObject([{ poseur: { nom: 'Karim Benali' }, statut: 'planifie' }])
  expect(await json(['users', 'list'])).toMatchObject([{ nom: 'Claire Petit' }, { nom: 'Karim Benali' }])
  expect(await json(['clients', 'show', '3'])).toMatchObject({ nom: '(effacé)', email: null })
}

/** Expects that this release works on the store, and that the doctor finds no problem. */
async function expectServed(shop: Workplace) {
  const key = await shop.newKey()
  const service = await shop.serveHere()
  const body = { client_id: 1, description: 'Le tiroir du bas frotte contre la plinthe' }
  expect((await call(service.url, key, 'POST', '/api/v1/sav', body)).status).toBe(201)
  expect(await service.stop()).toBe(0)
  expect((await shop.sav('doctor')).stdout).not.toMatch(/Problem/)
}

describe.each(await kept('.db.gz'))('a store of release %s, in a file', (release) => {
  it('is complete after a migration, and has the same columns as a new store', async () => {
    const shop = await fileOf(release)
    await shop.json('migrate')
    await expectWhole(shop.json)
    const [old, made] = [await openSqlite(join(shop.dir, 'sav-data/sav.db')), await openSqlite(':memory:')]
    await made.migrate()
    expect((await old.columns()).toSorted()).toEqual((await made.columns()).toSorted())
    for (const storage of [old, made]) await storage.close()
  })

  it('is copied and migrated by a later release that only adds columns, and then works with both releases', async () => {
    const shop = await fileOf(release)
    await shop.json('migrate')
    const ofLater: Json = (args) => laterJson(shop, 'plain', args)
    const pending = await later(shop, 'plain', ['cases', 'list'])
    expect([pending.code, pending.stderr]).toEqual([5, expect.stringMatching(/lacks 9001-notes: run `sav migrate`/)])
    expect(await ofLater(['backup', '--to', 'before.db'])).toMatchObject(counts)
    expect(await ofLater(['migrate', '--dry-run'])).toEqual({ migrations: ['9001-notes'], dry_run: true })
    expect(await copies(shop)).toEqual([])

    const { code, stdout, stderr } = await later(shop, 'plain', ['migrate'])
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Done: 9001-notes\. The store as it was: .*\/sav-before-.*\.db\n$/),
    ])
    expect(stderr).toMatch(/^Copying .*\nMigrating .*\n$/)
    expect((await later(shop, 'plain', ['migrate'])).stdout).toBe('Nothing to do: the schema is up to date.\n')
    await expectWhole(shop.json)
    await expectServed(shop)

    // The later release restores backups of either release, and copies the store.
    expect(await shop.json('backup --to ours.db')).toMatchObject({ cases: 5 })
    expect(await ofLater(['backup', '--to', 'theirs.db'])).toMatchObject({ cases: 5 })
    for (const [file, migrations] of [
      ['before.db', ['9001-notes']],
      ['ours.db', []],
      ['theirs.db', []],
    ] as const)
      expect(await ofLater(['restore', file, '--to', `sqlite:${file}-restored/sav.db`])).toMatchObject({
        migrations,
        broken: [],
      })
    const at = (store: string) => ({ SAV_DATABASE: store, SAV_SECRET_KEY_FILE: 'sav-data/secret.key' })
    await ofLater(['copy', '--from', 'sqlite:sav-data/sav.db', '--to', 'sqlite:copied/sav.db'])
    await expectWhole((args) => shop.json(args, at('sqlite:copied/sav.db')))

    // This release restores the copy that was made before the migration.
    const [made = ''] = await copies(shop)
    expect((await stat(join(shop.dir, 'sav-data', made))).mode & 0o777).toBe(0o600)
    const restored = await shop.json(['restore', `sav-data/${made}`, '--to', 'sqlite:back/sav.db'])
    expect(restored).toMatchObject({ ...counts, migrations: [], broken: [] })
    await expectWhole((args) => shop.json(args, at('sqlite:back/sav.db')))
  })

  it('stays unchanged if a migration of a later release fails in the middle', async () => {
    const shop = await fileOf(release)
    await shop.json('migrate')
    for (const args of [['migrate'], ['serve', '--port', '0']]) {
      const { code, stderr } = await later(shop, 'fails', args)
      expect([code, stderr]).toEqual([1, expect.stringMatching(/no such table: nowhere/)])
    }
    expect(await laterJson(shop, 'fails', ['migrate', '--dry-run'])).toMatchObject({ migrations: ['9001-notes'] })
    await expectWhole(shop.json)
    await expectServed(shop)
  })

  it('that a later release has changed incompatibly is refused by this one, which names the remedy', async () => {
    const shop = await fileOf(release)
    await shop.json('migrate')
    await laterJson(shop, 'breaks', ['migrate'])
    await laterJson(shop, 'breaks', ['backup', '--to', 'theirs.db'])
    const onStore = ['cases list', 'serve --port 0', 'worker', 'migrate', 'init', 'backup --to b']
    for (const command of [...onStore, 'restore theirs.db --to sqlite:restored/sav.db'])
      await shop.fails(command, 1, /newer release of sav \(9001-breaks-notes\): use that release/)
    await expectWhole((args) => laterJson(shop, 'breaks', args))
  })
})

describe.each(await kept('.sql.gz'))('a store of release %s, on PostgreSQL', (release) => {
  it('is complete after a migration, and has the same columns as a new store', async () => {
    const shop = await databaseOf(release)
    await shop.json('migrate')
    await expectWhole(shop.json)
    const [old, made] = [await openPostgres(shop.settings['SAV_DATABASE'] ?? ''), await openSqlite(':memory:')]
    await made.migrate()
    expect((await old.columns()).toSorted()).toEqual((await made.columns()).toSorted())
    for (const storage of [old, made]) await storage.close()
  })

  it('works with both releases after a later one has added a column', async () => {
    const shop = await databaseOf(release)
    await shop.json('migrate')
    expect(await laterJson(shop, 'plain', ['migrate'])).toEqual({ migrations: ['9001-notes'] })
    await expectWhole(shop.json)
    await expectServed(shop)
    // A backup reads row by row, and would miss a column that this release does not know.
    await shop.fails('backup --to ours.db', 1, /newer version of sav, which has facts\.noted_by: copy it with/)
    expect(await laterJson(shop, 'plain', ['backup', '--to', 'theirs.db'])).toMatchObject({ cases: 5 })
  })
})

describe.runIf(existsSync('/usr/bin/prlimit'))('a store that cannot be copied first', () => {
  it('is not migrated', async () => {
    const shop = await readyWorkplace()
    const database = new DatabaseSync(join(shop.dir, 'sav-data/sav.db'))
    database.exec('delete from sav_migration where name = (select max(name) from sav_migration)')
    database.close()
    const before = await shop.json('migrate --dry-run')
    // Limits files of this process to 64 KB, which is too little for the copy, but enough for the store's log.
    const sav = ['--fsize=65536', process.execPath, ...nodeOptions, bin]
    const failed = promisify(execFile)('prlimit', [...sav, 'migrate'], { cwd: shop.dir, env: bare })
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /could not be copied before its schema changes, so nothing was changed: .* Make room in /,
      ),
    })
    expect(await shop.json('migrate --dry-run')).toEqual(before)
    expect(await readdir(join(shop.dir, 'sav-data'))).not.toContainEqual(expect.stringMatching(/before|unfinished/))
  })
})
