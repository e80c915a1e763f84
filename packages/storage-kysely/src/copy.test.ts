import { describe, expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../../test/postgres.js'
import { openPostgres, openSqlite } from '../../../test/whole/opening.js'
import { account, client, insertCase } from '../../storage-contract/src/samples/samples.js'
import { patient } from '../test/databases.js'
import { newFile, openMigrated } from '../test/files.js'
import { CopyRefusedError, copyStore, isUnfinishedCopy, type Store } from './copy.js'

async function prefixed(): Promise<Store> {
  const storage = await openMigrated(newFile(), { prefix: 'shop_' })
  onTestFinished(() => storage.close())
  await storage.transaction(async (tx) => {
    await tx.accounts.add(account('ours', { raison_sociale: 'Menuiserie Lefèvre' }))
    for (const nom of ['Martin', "N'Diaye", 'Лефевр']) {
      const client_id = await tx.directory.addClient('ours', client({ nom, prenom: 'Zoé' }))
      const owner = { account_id: 'ours', client_id, poseur_id: 0 }
      await insertCase(tx, owner, { description: `Le volet de ${nom} ne descend plus` })
    }
    await tx.facts.set('secret_key_id', 'k1')
  })
  return { kind: 'sqlite', name: 'the shop', storage }
}

async function inSchema(): Promise<Store> {
  const database = await freshDatabase()
  const storage = await openPostgres(database.url, { ...patient, schema: 'Service après-vente' })
  onTestFinished(async () => {
    await storage.close()
    await database[Symbol.asyncDispose]()
  })
  return { kind: 'postgres', name: 'the server', storage }
}

const found = async ({ storage }: Store, recherche: string) =>
  (await storage.reads.cases.list('ours', { recherche }, { page: 1, limite: 10 })).items.map(
    ({ reference }) => reference,
  )

describe('a store with a prefix', () => {
  it('is copied into a schema and back, and its numbering continues there', async () => {
    const [from, to] = [await prefixed(), await inSchema()]
    const { copied, tables } = await copyStore(from, to)
    expect(tables).toMatchObject({ accounts: 1, clients: 3, cases: 3, facts: 1 })
    expect(copied).toBeGreaterThan(7)
    expect(await found(to, 'volet ndiaye')).toEqual(await found(from, 'volet ndiaye'))
    expect(await found(to, 'лефевр')).toEqual(['SAV-2026-00003'])
    expect(await isUnfinishedCopy(to.storage)).toBe(false)
    const add = ({ storage }: Store) =>
      storage.transaction((tx) => tx.directory.addClient('ours', client({ nom: 'Petit', prenom: 'Aïcha' })))
    expect(await add(to)).toBe(4)
    const storage = await openSqlite(newFile())
    onTestFinished(() => storage.close())
    const back: Store = { kind: 'sqlite', name: 'the new shop', storage }
    expect((await copyStore(to, back)).tables).toMatchObject({ clients: 4, cases: 3 })
    expect(await add(back)).toBe(5)
    const refused = copyStore(from, back)
    await expect(refused).rejects.toBeInstanceOf(CopyRefusedError)
    await expect(refused).rejects.toMatchObject({
      refusal: { reason: 'not_empty', store: 'the new shop', table: 'accounts' },
    })
  })
})
