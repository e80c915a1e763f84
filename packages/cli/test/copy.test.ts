import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { copyStore } from '@sav/storage-kysely/copy'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPostgres, openSqlite } from '../../../test/whole/opening.js'
import { refusedInWords } from '../../command/src/store/copy-refusals.js'
import type { StoreStorage } from '../../command/src/store/database.js'
import { stopClock } from './clock.js'
import { jpeg, png } from './images.js'
import { receiverOf } from './receiver.js'
import { emptyDatabase } from './stores.js'
import { readyWorkplace, type Workplace, workplace } from './workplace.js'

async function closing<T extends StoreStorage>(opening: Promise<T>): Promise<T> {
  const storage = await opening
  onTestFinished(() => storage.close())
  return storage
}

/** A shop with rows in most tables: cases with photos, a closed case, waiting webhooks, two accounts. */
async function filledShop() {
  const shop = await readyWorkplace()
  const photo = await shop.write('a.jpg', jpeg)
  const signature = await shop.write('s.png', png)
  const atelier = await receiverOf(shop)
  await shop.json('accounts add autre')
  await shop.json(['poseurs', 'add', '--nom', 'Karim Benali'])
  const key = await shop.newKey()
  const create = (description: string) =>
    shop.json(['cases', 'create', '--client-id', '1', '--description', description, '--photo', photo])
  for (const n of [1, 2, 3]) await create(`Une porte à régler, la ${n}e de « l’îlot » 🚪`)
  await shop.json('cases update 2 --poseur-id 1 --statut en_cours')
  await shop.json(['cases', 'close', '1', '--resolution', 'Charnière remplacée', '--signature', signature])
  return { shop, key, atelier, create }
}

const sqliteUrl = (shop: Workplace) => `sqlite:${join(shop.dir, 'sav-data/sav.db')}`

describe('sav copy', () => {
  it('copies a store from SQLite to PostgreSQL and back, without repeating a delivery', async () => {
    const { shop, atelier, create } = await filledShop()
    const worker = await shop.workHere()
    await atelier.received(6)
    await worker.stop()
    await create('Une porte dont personne ne sait encore')
    const shown = async (env: Record<string, string>) =>
      Promise.all(
        [
          ...['cases show 1', 'cases list', 'cases list --recherche îlot', 'webhooks history', 'webhooks list'],
          ...['keys list', 'accounts list', 'evidence verify'],
        ].map((command) => shop.json(command, env)),
      )
    const before = await shown({})
    expect(before[2]).toHaveLength(3)
    const url = await emptyDatabase()
    const copied = await shop.json<{ rows: number; copied: number }>(['copy', '--from', sqliteUrl(shop), '--to', url])
    expect(copied).toMatchObject({ evidence: { checked: 1, broken: [] }, tables: { cases: 4, deliveries: 7 } })
    const there = { SAV_DATABASE: url }
    expect(await shown(there)).toEqual(before)

    const service = await shop.serveHere(there)
    // Only the delivery that was still waiting is added.
    expect(await atelier.received(7)).toHaveLength(7)
    expect(
      await shop.json("cases create --client-id 1 --description 'La première après le déménagement'", there),
    ).toMatchObject({ id: 5, reference: expect.stringMatching(/-00005$/) })
    await atelier.received(8)
    await shop.json('clients add --nom Petit --prenom Aïcha', there)
    expect(await service.stop()).toBe(0)

    // Moves the clock on, because a store that a service used a moment ago cannot be copied.
    stopClock(Date.now() + 6000)
    const after = await shown(there)
    await shop.json(['copy', '--from', url, '--to', 'sqlite:back/sav.db'])
    const back = { SAV_DATABASE: 'sqlite:back/sav.db', SAV_SECRET_KEY_FILE: 'sav-data/secret.key' }
    expect(await shown(back)).toEqual(after)
    expect(await shop.json('poseurs add --nom Lucie', back)).toMatchObject({ id: 2 })
    expect(atelier.events()).toHaveLength(8)
  })

  it('copies the store of a schema to another server, beside existing stores', async () => {
    const [here, there] = [await emptyDatabase(), await emptyDatabase()]
    const shop = await workplace()
    const run = (...args: string[]) => shop.json<{ readonly description: string }[]>(args)
    const [ours, theirs] = [
      ['--database', here, '--schema', 'petit'],
      ['--database', there, '--schema', 'martin'],
    ] as const
    for (const [place, what] of [
      [ours, 'Le four de M. Petit'],
      [theirs, 'L’évier de Mme Martin'],
    ] as const) {
      await run('init', ...place)
      await run('clients', 'add', '--nom', 'Durand', '--prenom', 'Hélène', ...place)
      await run('cases', 'create', '--client-id', '1', '--description', what, ...place)
    }
    await run('copy', '--from', here, '--from-schema', 'petit', '--to', there, '--to-schema', 'petit')
    const cases = (...place: string[]) => run('cases', 'list', ...place)
    expect(await cases('--database', there, '--schema', 'petit')).toEqual(await cases(...ours))
    expect(await cases(...theirs)).toMatchObject([{ description: 'L’évier de Mme Martin' }])
    await shop.fails(
      `copy --from sqlite:a.db --from-schema petit --to ${there}`,
      2,
      /--from-schema: .*a\.db has no schemas/,
    )
  })

  it('can be continued after an interruption; until then, no command accepts the target as a store', async () => {
    const { shop } = await filledShop()
    const url = await emptyDatabase()
    const from = { kind: 'sqlite', name: join(shop.dir, 'sav-data/sav.db') } as const
    const source = await closing(openSqlite(from.name))
    const target = await closing(openPostgres(url))
    const address = new URL(url)
    const name = `postgres://***@${address.host}${address.pathname}`
    const dying = (table: string) => (what: string) => {
      if (what === table) throw new Error('killed')
    }
    for (const table of ['accounts', 'cases', 'deliveries', 'events, compared']) {
      const run = copyStore({ ...from, storage: source }, { kind: 'postgres', name, storage: target }, dying(table))
      await expect(run).rejects.toThrow('killed')
    }
    for (const command of ['cases list', 'serve --port 0', 'init', 'doctor']) {
      const { code, stdout, stderr } = await shop.sav(command, { SAV_DATABASE: url })
      expect([command, code]).toEqual([command, 1])
      expect(stdout + stderr).toMatch(/holds an unfinished copy: run the same `sav copy` or `sav restore` again/)
    }
    await shop.fails(['copy', '--from', url, '--to', 'sqlite:other.db'], 1, /holds an unfinished copy/)
    expect(await shop.json(['copy', '--from', sqliteUrl(shop), '--to', url])).toMatchObject({ copied: 0 })
    expect(await shop.json('evidence verify', { SAV_DATABASE: url })).toEqual({ checked: 1, broken: [] })
  })

  it('refuses a target that is not empty, and a source that does not exist or is on an older schema', async () => {
    const shop = await readyWorkplace()
    const refusal = async (from: string, to: string, exit = 5) => {
      const { code, stderr } = await shop.sav(['copy', '--from', from, '--to', to])
      expect(code).toBe(exit)
      return stderr
    }
    const made = await workplace()
    await made.json('init')
    expect(await refusal(sqliteUrl(shop), sqliteUrl(made), 1)).toMatch(/is not empty \(accounts has rows\)/)
    expect(await refusal('sqlite:nowhere.db', await emptyDatabase())).toMatch(/There is no store at .*nowhere\.db/)
    expect(await refusal(await emptyDatabase(), 'sqlite:new.db')).toMatch(/There is no store at postgres:/)
    const schema = await closing(openSqlite(join(shop.dir, 'schema.db')))
    await schema.migrate()
    expect(await refusal('sqlite:schema.db', 'sqlite:new.db')).toMatch(/There is no store at .*schema\.db/)
    expect(existsSync(join(shop.dir, 'new.db'))).toBe(false)
    expect((await shop.sav(['copy', '--from', sqliteUrl(shop), '--to', sqliteUrl(shop)])).code).toBe(2)
    expect((await shop.sav('copy --from mysql://u:hunter2@h/d --to sqlite:b.db')).stderr).not.toMatch('hunter2')
  })

  it('refuses a source that a service is using, and leaves no target behind', async () => {
    const shop = await readyWorkplace()
    await shop.serveHere()
    await shop.fails(
      ['copy', '--from', sqliteUrl(shop), '--to', 'sqlite:new.db'],
      1,
      /is using .*sav\.db, or was a moment ago: stop it/,
    )
    expect(existsSync(join(shop.dir, 'new.db'))).toBe(false)
  })

  it('fails if something writes to the source during the copy', async () => {
    const { shop } = await filledShop()
    const source = await closing(openSqlite(join(shop.dir, 'sav-data/sav.db')))
    const target = await closing(openPostgres(await emptyDatabase()))
    const meddling = (what: string) => {
      if (what === 'cases') source.db.updateTable('cases').set({ priorite: 'basse' }).where('id', '=', 2).execute()
    }
    const run = refusedInWords(
      copyStore(
        { kind: 'sqlite', name: 'a', storage: source },
        { kind: 'postgres', name: 'b', storage: target },
        meddling,
      ),
    )
    await expect(run).rejects.toThrow(/^cases differs: 3 rows in a, 3 in b\. Something wrote to one of the stores/)
  })
})
