import { existsSync } from 'node:fs'
import { appendFile, copyFile, mkdir, open, readdir, readFile, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { connectedTo, nameOf } from '../../../test/postgres.js'
import { png } from './images.js'
import { migratedStore } from './stores.js'
import { readyWorkplace, type Workplace } from './workplace.js'

/** A shop with two people, a closed case and its signature, and a backup of it in `b.db`. */
async function backedUpShop(settings: Readonly<Record<string, string>> = {}) {
  const shop = await readyWorkplace(settings)
  await shop.json(['users', 'add', '--nom', 'Claire Petit', '--email', 'claire@atelier.example', '--role', 'gestion'])
  await shop.json(['users', 'add', '--nom', 'Karim Benali', '--email', 'karim@atelier.example', '--role', 'lecture'])
  const signature = await shop.write('s.png', png)
  await shop.newCase()
  await shop.json(['cases', 'close', '1', '--resolution', 'Charnière remplacée', '--signature', signature])
  const { sealed_by } = await shop.json<{ sealed_by: string }>('backup --to b.db')
  return { shop, sealed_by }
}

async function changed(shop: Workplace, name: string, statement: string): Promise<string> {
  await copyFile(join(shop.dir, 'b.db'), join(shop.dir, name))
  const database = new DatabaseSync(join(shop.dir, name))
  database.exec(statement)
  database.close()
  return name
}

async function copied(shop: Workplace, name: string, change: (file: string) => Promise<void>): Promise<string> {
  await copyFile(join(shop.dir, 'b.db'), join(shop.dir, name))
  await change(join(shop.dir, name))
  return name
}

/** Expects a restore to be refused without leaving a file, and the doctor to agree. Resolves to the message. */
async function refusal(shop: Workplace, file: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, stderr } = await shop.sav(['restore', file, '--to', 'sqlite:r/sav.db'], env)
  expect(code).toBe(1)
  expect(await readdir(join(shop.dir, 'r'))).toEqual([])
  const doctor = await shop.sav(['doctor', '--backup', file], { ...env, NO_COLOR: '1' })
  expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(`Problem: ${stderr.trim()}`)])
  return stderr
}

const raised = `update users set role = 'administration' where role = 'lecture'`
const trigger = `create trigger raise_all after insert on audit begin ${raised}; end`

describe('the seal of a backup', () => {
  it('allows a restore of the backup, even after the file was renamed', async () => {
    const { shop, sealed_by } = await backedUpShop()
    expect(sealed_by).toMatch(/^[0-9a-f]{16}$/)
    const text = await readFile(join(shop.dir, 'b.db'), 'latin1')
    expect(text).toMatch(new RegExp(`\\nsav-backup-v1 ${sealed_by} [0-9a-f]{64}\\n$`))
    await copied(shop, 'c.db', async () => {})
    expect(await shop.json('restore c.db --to sqlite:r/sav.db')).toMatchObject({ sealed: true, entries: 1 })
    expect(await shop.json('doctor --backup b.db c.db')).toMatchObject({
      ok: true,
      backups: '2 of 2 files with an intact seal',
    })
  })

  it('is broken by any change to the file', async () => {
    const { shop } = await backedUpShop()
    const { size } = await stat(join(shop.dir, 'b.db'))
    for (const statement of [
      raised,
      trigger,
      'create table a (b)',
      'delete from evidence_stamps; delete from api_keys; delete from case_history',
    ])
      expect(await refusal(shop, await changed(shop, 'c.db', statement))).toMatch(
        /does not match its seal|lost its seal/,
      )
    const flipped = async (at: number) =>
      copied(shop, 'c.db', async (path) => {
        const file = await open(path, 'r+')
        const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at)
        await file.write(Buffer.from([(buffer[0] ?? 0) ^ 1]), 0, 1, at)
        await file.close()
      })
    // Alters an unused byte of the file, and the last byte before the seal. Then alters the key's id, and the seal's
    // last digit.
    for (const at of [72, size - 98]) expect(await refusal(shop, await flipped(at))).toMatch(/does not match its seal/)
    for (const at of [size - 70, size - 2]) expect(await refusal(shop, await flipped(at))).toMatch(/seal/)
    const cut = await copied(shop, 'c.db', (file) => truncate(file, size - 1))
    expect(await refusal(shop, cut)).toMatch(/lost its seal/)
    const longer = await copied(shop, 'c.db', (file) => appendFile(file, ' '))
    expect(await refusal(shop, longer)).toMatch(/lost its seal/)
  })

  it('that is gone is reported as removed, or as never made since the secret key was missing', async () => {
    const { shop, sealed_by } = await backedUpShop()
    await changed(shop, 'unused.db', `vacuum into '${join(shop.dir, 'c.db')}'`)
    expect(await refusal(shop, 'c.db')).toMatch(new RegExp(`lost its seal, which the secret key ${sealed_by} made`))
    const old = new DatabaseSync(join(shop.dir, 'c.db'))
    old.exec(`update facts set value = json_remove(value, '$.sealed_by') where name = 'backup'`)
    old.close()
    expect(await refusal(shop, 'c.db')).toMatch(/has no seal: the secret key was missing when it was made/)
  })

  it('is accepted while the key file still has its key; once the key is missing, its id is named', async () => {
    const { shop, sealed_by } = await backedUpShop()
    const old = await readFile(join(shop.dir, 'sav-data/secret.key'))
    await shop.json('secret-key rotate --yes')
    await shop.json('restore b.db --to sqlite:once/sav.db')
    await shop.json('secret-key rotate --yes')
    const said = new RegExp(`sealed with the secret key ${sealed_by}, and .*secret\\.key holds another one`)
    expect(await refusal(shop, 'b.db')).toMatch(said)
    await shop.write('old.key', old)
    await shop.json('restore b.db --to sqlite:twice/sav.db', { SAV_SECRET_KEY_FILE: 'old.key' })
    expect(await refusal(shop, 'b.db', { SAV_SECRET_KEY_FILE: 'none.key' })).toMatch(/none\.key is missing/)
  })

  it('stays valid after commands have refused to use the backup as a store', async () => {
    const { shop } = await backedUpShop()
    const before = await readFile(join(shop.dir, 'b.db'))
    const copies = ['copy --from sqlite:b.db --to sqlite:c.db', 'copy --from sqlite:sav-data/sav.db --to sqlite:b.db']
    for (const command of ['cases list', 'serve', 'init', ...copies]) {
      const env = copies.includes(command) ? {} : { SAV_DATABASE: 'sqlite:b.db' }
      await shop.fails(command, 1, /b\.db is a backup, not a store: `sav restore /, env, { stopAtOnce: true })
    }
    const env = { SAV_DATABASE: 'sqlite:b.db', SAV_SECRET_KEY_FILE: 'sav-data/secret.key' }
    expect(await shop.json('doctor', env)).toMatchObject({ ok: true, backups: '1 of 1 file with an intact seal' })
    expect(before.equals(await readFile(join(shop.dir, 'b.db')))).toBe(true)
    await changed(shop, 'c.db', raised)
    await shop.shows('doctor', 1, /c\.db does not match its seal/, { ...env, SAV_DATABASE: 'sqlite:c.db' })
  })
})

describe('sav restore --unsealed', () => {
  const schemaOf = (path: string) => {
    const database = new DatabaseSync(path, { readOnly: true })
    const found = database.prepare('select type, name, tbl_name, sql from sqlite_schema order by type, name').all()
    database.close()
    return found
  }

  it('restores only the rows of tables, and says so', async () => {
    const { shop } = await backedUpShop()
    const evil = `${trigger}; ${raised}; create view v as select * from users; create table mine (a);
      create index mine_too on users (nom); alter table users add column more text;
      create trigger on_cases before insert on case_history begin delete from users; end`
    await changed(shop, 'c.db', evil)
    await shop.shows(
      'restore c.db --to sqlite:r/sav.db --unsealed',
      0,
      /^Only the rows were restored, and no seal protects them/m,
    )
    expect(schemaOf(join(shop.dir, 'r/sav.db'))).toEqual(schemaOf(join(shop.dir, 'sav-data/sav.db')))
    expect((await stat(join(shop.dir, 'r/sav.db'))).mode & 0o777).toBe(0o600)
    const env = { SAV_DATABASE: 'sqlite:r/sav.db', SAV_SECRET_KEY_FILE: 'sav-data/secret.key' }
    expect(await shop.json('users list', env)).toMatchObject([{ role: 'gestion' }, { role: 'administration' }])
    expect(await shop.json('cases list --recherche four', env)).toHaveLength(1)
    expect(await shop.json('evidence verify --files all', env)).toMatchObject({ checked: 1, broken: [] })
    expect(await shop.json('doctor', env)).toMatchObject({ ok: true })
    const create = ['cases', 'create', '--client-id', '1', '--description', 'La première après le retour']
    expect(await shop.json(create, env)).toMatchObject({ id: 2, reference: expect.stringMatching(/-00002$/) })
  })

  it('refuses rows that do not fit a store, and leaves no files behind', async () => {
    const { shop } = await backedUpShop()
    const said = async (statement: string) => {
      await changed(shop, 'c.db', statement)
      const { code, stderr } = await shop.sav('restore c.db --to sqlite:r/sav.db --unsealed')
      expect([code, await readdir(join(shop.dir, 'r'))]).toEqual([1, []])
      return stderr
    }
    const asView = 'alter table clients rename to others; create view clients as select * from others'
    expect(await said(`pragma foreign_keys = off; ${asView}`)).toMatch(
      /c\.db cannot be restored: it has no table clients\./,
    )
    expect(await said('alter table users drop column role')).toMatch(/users has no column role/)
    const computed = `alter table users add column role text as ('administration')`
    expect(await said(`alter table users drop column role; ${computed}`)).toMatch(/users has no column role/)
    expect(await said(`update cases set description = zeroblob(${(16 << 20) + 1})`)).toMatch(
      /a row of cases holds a value of more than 16 MiB/,
    )
    expect(await said('pragma foreign_keys = off; delete from clients')).toMatch(/refers to a missing row/)
    expect(await said(`insert into facts values ('copy_under_way', '{}')`)).toMatch(/a copy .* that was not finished/)
    expect(await said(`insert into sav_migration values ('9999-later', '2036')`)).toMatch(/from a newer release/)
    await shop.fails('restore sav-data/sav.db --to sqlite:r/sav.db --unsealed', 2, /is not a backup made by sav/)
  })
})

describe('a restore that is killed or disturbed', () => {
  /** Starts a restore, and kills it as soon as `isUnderWay` resolves to true. */
  async function kill(
    shop: Workplace,
    to: string,
    env: Record<string, string>,
    isUnderWay: () => Promise<boolean>,
  ): Promise<void> {
    const restore = shop.start(['restore', 'b.db', '--to', to], env)
    await expect.poll(isUnderWay, { interval: 1 }).toBe(true)
    await restore.kill('SIGKILL')
  }

  it('leaves only files that the next restore into the same directory removes', async () => {
    const { shop } = await backedUpShop()
    const place = join(shop.dir, 'r')
    await mkdir(place)
    const names = async () => readdir(place)
    for (const part of [/\.unfinished$/, /\.unfinished-wal$/])
      await kill(shop, 'sqlite:r/sav.db', {}, async () => (await names()).some((name) => part.test(name)))
    expect(existsSync(join(place, 'sav.db'))).toBe(false)
    expect((await names()).filter((name) => name.endsWith('.unfinished'))).toHaveLength(1)
    await shop.json('restore b.db --to sqlite:r/sav.db')
    expect(await names()).toEqual(['sav.db'])
  })

  it('does not overwrite a store that was made meanwhile, and refuses the journal of another store', async () => {
    const { shop } = await backedUpShop()
    const place = join(shop.dir, 'r')
    await mkdir(place)
    const restore = shop.start('restore b.db --to sqlite:r/sav.db')
    await expect.poll(() => readdir(place), { interval: 1 }).not.toEqual([])
    await shop.write('r/sav.db', 'the store of a service that has started')
    const { code, stderr } = await restore.ended()
    expect([code, stderr]).toEqual([1, expect.stringMatching(/sav\.db exists already: a restore never overwrites/)])
    expect(await readFile(join(place, 'sav.db'), 'utf8')).toBe('the store of a service that has started')
    expect(await readdir(place)).toEqual(['sav.db'])
    await mkdir(join(shop.dir, 'left'))
    await shop.write('left/sav.db-journal', 'of a store that was moved away')
    await shop.fails('restore b.db --to sqlite:left/sav.db', 1, /sav\.db-journal exists already/)
  })

  it('into PostgreSQL is cleaned up by the next restore: no rows and no temporary files of it remain', async () => {
    const { shop } = await backedUpShop()
    await mkdir(join(shop.dir, 'tmp'))
    const env = { TMPDIR: join(shop.dir, 'tmp') }
    const to = await migratedStore()
    const left = () => readdir(join(shop.dir, 'tmp'))
    const target = new Client({ connectionString: to })
    await target.connect()
    const clients = async () => (await target.query('select id from clients')).rows
    try {
      // Keeps a restore from completing before it is killed: the locked users are copied after the clients.
      await target.query('begin; lock table users in share mode')
      await kill(shop, to, env, async () => (await left()).some((name) => name.endsWith('.unfinished')))
      expect(await left()).not.toEqual([])
      await kill(shop, to, env, async () => (await clients()).length > 0)
      await target.query('commit')
      await expect.poll(() => connectedTo(target, nameOf(to))).toEqual([])
      // A different backup from that of the killed restores: its rows differ.
      await shop.json('clients add --nom Nguyễn --prenom Aïcha')
      await shop.json('backup --to c.db')
      const ran = shop.start(['restore', 'c.db', '--to', to, '--json'], env)
      const { code, stderr } = await ran.ended()
      expect([code, stderr]).toEqual([0, expect.stringMatching(/are back\. .* If you have no such list/)])
      expect(await left()).toEqual([])
      expect(await clients()).toHaveLength(2)
    } finally {
      await target.end()
    }
  })
})
