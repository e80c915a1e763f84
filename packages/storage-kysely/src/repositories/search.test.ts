import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../../../test/whole/opening.js'
import { insertCase } from '../../../storage-contract/src/samples/samples.js'
import { newDatabase, patient } from '../../test/databases.js'
import { newFile, openMigrated } from '../../test/files.js'
import type { PostgresStorage } from '../postgres.js'
import type { SqliteStorage } from '../sqlite.js'

const at = '2026-01-15T10:30:00.000Z'
/** More than SQLite indexes in one step, and more than a search sorts. */
const count = 9000

type OpenStorage = SqliteStorage | PostgresStorage

/** `count` cases each of `ours` and `theirs`, alternately: the id of the n-th of `ours` is 2n − 1. */
async function fill({ db }: OpenStorage): Promise<void> {
  await sql`insert into accounts (id, created_at) values ('ours', ${at}), ('theirs', ${at})`.execute(db)
  await sql`insert into clients (account_id, nom, prenom, recherche_nom, recherche_email)
    values ('ours', 'Lefèvre', 'Zoé', 'lefevre zoe', ''), ('theirs', 'Petit', 'Ève', 'petit eve', '')`.execute(db)
  await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(2 * count)})
    insert into cases (account_id, annee, numero, client_id, statut, priorite, type_probleme, description, photos,
      date_creation, date_modification, version, historique_numero, historique_hash, recherche, recherche_client)
    select case when i % 2 = 1 then 'ours' else 'theirs' end, 2026, i, 2 - i % 2, 'ouvert', 'normale', 'autre', 'x', '[]',
      ${at}, ${at}, 1, 1, '', 'sav 2026 facade rayee n' || i, case when i % 2 = 1 then 'lefevre zoe' else 'petit eve' end
    from n`.execute(db)
}

const stores: [string, () => Promise<OpenStorage>][] = [
  ['SQLite', () => openMigrated(newFile())],
  ['PostgreSQL', async () => openPostgres(await newDatabase(), patient)],
]

for (const [name, open] of stores)
  describe(`a search in many cases on ${name}`, () => {
    let storage: OpenStorage
    beforeAll(async () => {
      storage = await open()
      await fill(storage)
    })
    afterAll(() => storage.close())

    it('finds cases in the order of the list, and no cases of another account', async () => {
      const found = async (recherche: string, page = 1) => {
        const { items, total } = await storage.reads.cases.list('ours', { recherche }, { page, limite: 3 })
        return { total, ids: items.map(({ id }) => id) }
      }
      expect(await found('n1 facade')).toMatchObject({ total: 1 + 5 + 50 + 500 + 4000 })
      expect(await found('n17999')).toEqual({ total: 1, ids: [17999] })
      expect(await found('n901')).toEqual({ total: 6, ids: [9019, 9017, 9015] })
      expect(await found('n901', 2)).toEqual({ total: 6, ids: [9013, 9011, 901] })
      expect(await found('n18000')).toEqual({ total: 0, ids: [] })
      expect(await found('facade ray')).toEqual({ total: count, ids: [17999, 17997, 17995] })
      expect(await found('facade ray', count / 3)).toEqual({ total: count, ids: [5, 3, 1] })
      expect(await found('lef n3')).toMatchObject({ total: 1 + 5 + 50 + 500 })
      expect(await found('petit')).toEqual({ total: 0, ids: [] })
      const both = { recherche: 'n9', statut: 'ouvert' as const, client_id: 1 }
      expect((await storage.reads.cases.list('ours', both, { page: 1, limite: 1 })).total).toBe(1 + 5 + 50 + 500)
    })

    it('finds clients among many', async () => {
      await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})
        insert into clients (account_id, nom, prenom, recherche_nom, recherche_email)
        select 'ours', 'Client', 'N', 'client n' || i, 'n' || i || ' example fr' from n`.execute(storage.db)
      const found = async (recherche: string) => {
        const { items, total } = await storage.reads.directory.listClients('ours', { recherche, page: 1, limite: 2 })
        return [total, items.length]
      }
      expect(await found('client')).toEqual([count, 2])
      expect(await found('n8999 exa')).toEqual([1, 1])
      expect(await found('zoe')).toEqual([1, 1])
      expect(await found('petit')).toEqual([0, 0])
    })

    it('finds a renamed client’s cases by the new name only, and erased cases by no erased word', async () => {
      const total = async (recherche: string) =>
        (await storage.reads.cases.list('ours', { recherche }, { page: 1, limite: 1 })).total
      await storage.transaction(async (tx) => {
        await tx.directory.updateClient('ours', 1, { nom: 'Évrard' })
        for (const id of [1, 17999]) await tx.cases.erase('ours', id, '[effacé]')
      })
      expect(await total('lefevre')).toBe(0)
      expect(await total('evrard zoe')).toBe(count)
      expect(await total('facade')).toBe(count - 2)
      expect(await total('n17999')).toBe(0)
      expect(await total('sav 2026 00001 evrard')).toBe(1)
    })

    it('finds words of any length and script', async () => {
      const long = 'ж'.repeat(2000)
      const add = (description: string) =>
        storage.transaction((tx) =>
          insertCase(tx, { account_id: 'ours', client_id: 1, poseur_id: 0 }, { annee: 2027, description }),
        )
      const total = async (recherche: string) =>
        (await storage.reads.cases.list('ours', { recherche }, { page: 1, limite: 1 })).total
      await add(long)
      await add('壊れた扉 und Türgriff')
      expect(await total('ж'.repeat(200))).toBe(1)
      expect(await total('壊')).toBe(1)
      expect(await total('turg')).toBe(1)
    })
  })
