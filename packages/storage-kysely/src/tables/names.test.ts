import Sqlite from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { Client } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../../../test/postgres.js'
import { newFile } from '../../test/files.js'
import { openPostgres } from '../postgres.js'
import { openSqlite } from '../sqlite.js'
import { migrationNames } from '../storage/migrate.js'
import type { OpenedStorage } from '../storage/opened-storage.js'

const at = '2026-01-15T10:30:00.000Z'

/** What a team has in the database before the store comes: tables with names of ours, and migrations by Kysely. */
async function teamsOwn<DB>(db: Kysely<DB>): Promise<() => Promise<unknown>> {
  const migrator = new Migrator({
    db: db.withoutPlugins(),
    provider: {
      getMigrations: async () => ({
        '2025-03-first-tables': {
          async up(db) {
            await sql`create table clients (email varchar(200) primary key, joined int)`.execute(db)
            await sql`create table events (at varchar(40), what varchar(40))`.execute(db)
            await sql`create index clients_name on clients (joined)`.execute(db)
            await sql`insert into clients values ('zoe@example.fr', 2019), ('karim@example.fr', 2024)`.execute(db)
            await sql`insert into events values ('2025-03-01', 'opened the shop')`.execute(db)
          },
        },
      }),
    },
  })
  const migrated = await migrator.migrateToLatest()
  expect(migrated.error).toBeUndefined()
  return async () => {
    expect(await migrator.migrateToLatest()).toEqual({ results: [] })
    const clients = await sql`select * from clients order by email`.execute(db)
    const events = await sql`select * from events`.execute(db)
    const migrations = await sql`select name from kysely_migration`.execute(db)
    return [clients.rows, events.rows, migrations.rows]
  }
}

/** Through every kind of statement: plain SQL, Kysely's builder, deferred rows, a search. */
async function use(storage: OpenedStorage): Promise<unknown> {
  await sql`insert into ${sql.table('accounts')} (id, created_at) values ('ours', ${at})`.execute(storage.db)
  const unknown = {
    raison_sociale: null,
    email: null,
    telephone: null,
    adresse: null,
    lieu: null,
    whatsapp_depuis: null,
    efface_le: null,
  }
  const id = await storage.transaction(async (tx) => {
    const client_id = await tx.directory.addClient('ours', { nom: 'Lefèvre', prenom: 'Zoé', ...unknown })
    await tx.outbox.add({
      ...{ account_id: 'ours', id: 'evt_1', event: 'sav.created', body: '{}', created_at: at },
      deliveries: [{ id: 'dlv_1', channel: 'webhook', target: 'wh_1' }],
    })
    return tx.cases.insert({
      tete_historique: { numero: 1, hash: '' },
      ...{ account_id: 'ours', annee: 2026, numero: 1, client_id, description: 'La baie coulisse mal', photos: [] },
      ...{ type_probleme: 'autre', priorite: 'normale', date_creation: at },
    })
  })
  await storage.transaction((tx) => tx.directory.updateClient('ours', 1, { nom: 'Évrard' }))
  const { items } = await storage.reads.cases.list('ours', { recherche: 'evrard baie' }, { page: 1, limite: 10 })
  const due = await storage.queue.due('2026-01-15T10:30:01.000Z')
  const joined = await storage.db
    .selectFrom('cases as events')
    .innerJoin('clients', 'clients.id', 'events.client_id')
    .select(['events.id', 'clients.nom'])
    .execute()
  await storage.db.updateTable('clients').set({ telephone: '0102030405' }).where('clients.id', '=', 1).execute()
  return [id, items.map(({ client }) => client.nom), due, joined]
}
const used = [1, ['Évrard'], [{ lane: 'first', target: 'wh_1', channel: 'webhook' }], [{ id: 1, nom: 'Évrard' }]]

describe('beside a team’s own tables clients, events and kysely_migration', () => {
  it('a store with a prefix works, and touches none of them, on SQLite', async () => {
    const file = newFile()
    const storage = await openSqlite(file, { prefix: 'sav_' })
    onTestFinished(() => storage.close())
    const theirs = await teamsOwn(storage.db.withoutPlugins())
    const before = await theirs()
    expect(await storage.hasTables()).toBe(false)
    expect(await storage.migrate()).toEqual(migrationNames())
    expect(await storage.pendingMigrations()).toEqual([])
    expect(await storage.hasTables()).toBe(true)
    expect(await use(storage)).toEqual(used)
    expect(await theirs()).toEqual(before)
    const other = new Sqlite(file, { readonly: true })
    const made = other
      .prepare<[], string>(`select name from sqlite_master where name not like 'sqlite_%'`)
      .pluck()
      .all()
    other.close()
    const teams = ['clients', 'clients_name', 'events', 'kysely_migration', 'kysely_migration_lock']
    expect(made.filter((name) => !name.startsWith('sav_')).toSorted()).toEqual(teams)
  })

  it('a store in a schema works, and touches none of them, on PostgreSQL', async () => {
    await using database = await freshDatabase()
    const storage = await openPostgres(database.url, { schema: 'sav' })
    const theirs = await teamsOwn(storage.db.withoutPlugins())
    const before = await theirs()
    expect(await storage.hasTables()).toBe(false)
    expect(await storage.migrate()).toEqual(migrationNames())
    expect(await storage.pendingMigrations()).toEqual([])
    expect(await use(storage)).toEqual(used)
    expect(await theirs()).toEqual(before)
    await storage.close()
    const client = new Client({ connectionString: database.url })
    await client.connect()
    const { rows } =
      await client.query(`select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = 'public' and relkind in ('r', 'S') order by 1`)
    await client.end()
    expect(rows.map(({ name }) => name)).toEqual(['clients', 'events', 'kysely_migration', 'kysely_migration_lock'])
  })
})

it('a prefix that makes one name of the store out of another is no trouble', async () => {
  const storage = await openSqlite(newFile(), { prefix: 'case_' })
  onTestFinished(() => storage.close())
  await storage.migrate()
  expect(await use(storage)).toEqual(used)
  const file = { sha256: 'ab'.repeat(32), media_type: 'image/jpeg', content: Buffer.from('a photo') }
  await storage.transaction((tx) => tx.files.put('ours', 1, file))
  expect(await storage.reads.files.find('ours', 1, file.sha256)).toMatchObject({ media_type: 'image/jpeg' })
})

describe('two stores of one PostgreSQL database, in schemas of their own', () => {
  it('do not wake each other, and wait for no lock of the other', async () => {
    await using database = await freshDatabase()
    const stores = await Promise.all(['ours', 'theirs'].map((schema) => openPostgres(database.url, { schema })))
    const [ours, theirs] = stores
    if (ours === undefined || theirs === undefined) throw new Error('Two stores were to be opened.')
    await Promise.all(stores.map((store) => store.migrate()))
    const same = await openPostgres(database.url, { schema: 'ours' })
    const woken = { same: 0, theirs: 0 }
    const unwatch = [same.queue.watch(() => (woken.same += 1)), theirs.queue.watch(() => (woken.theirs += 1))]
    // Each is woken once when it begins to listen.
    await expect.poll(() => woken).toEqual({ same: 1, theirs: 1 })
    const { promise, resolve } = Promise.withResolvers<void>()
    const held = ours.transaction(async (tx) => {
      await tx.facts.set('held', 'by ours')
      await promise
      await tx.outbox.add({
        ...{ account_id: 'ours', id: 'evt_1', event: 'sav.created', body: '{}', created_at: at },
        deliveries: [{ id: 'dlv_1', channel: 'webhook', target: 'wh_1' }],
      })
    })
    await theirs.transaction((tx) => tx.facts.set('held', 'by theirs'))
    resolve()
    await held
    await expect.poll(() => woken.same).toBe(2)
    expect(woken.theirs).toBe(1)
    for (const stop of unwatch) stop()
    expect([await ours.reads.facts.get('held'), await theirs.reads.facts.get('held')]).toEqual(['by ours', 'by theirs'])
    await Promise.all([...stores, same].map((store) => store.close()))
  })
})
