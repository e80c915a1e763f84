import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { dolibarrShop } from './dolibarr-shop.js'
import { readyWorkplace } from './workplace.js'

const erase = ['accounts', 'erase', 'lyon', '--confirm', 'lyon', '--everything']

it('if the erasure of an account is killed, running it again completes it', async () => {
  const shop = await readyWorkplace()
  await shop.json('accounts add lyon')
  const files = dolibarrShop({ tiers: 2000, tickets: 2000, interventions: 0 })
  for (const name of ['tiers.csv', 'tickets.csv'] as const) await shop.write(name, files[name])
  await shop.json('import tiers.csv tickets.csv --mapping dolibarr --account lyon')
  const anchors = ['evidence', 'anchor', '--to', 'anchors.jsonl']
  const [anchor] = await shop.json<{ account: string; sequence: number; hash_entree: string }[]>(anchors)
  const store = new DatabaseSync(join(shop.dir, 'sav-data/sav.db'), { readOnly: true })
  const count = (table: string) =>
    Number(store.prepare(`select count(*) as n from ${table} where account_id = 'lyon'`).get()?.['n'])
  const all = count('case_history')

  const running = shop.start(erase)
  while (count('case_history') === all) await wait(1)
  await running.kill()
  expect(count('clients')).toBe(2000)
  expect(await shop.json('accounts list --erased')).toMatchObject([{ id: 'lyon', date: null }])

  const { account: id, ...end } = anchor ?? { account: '' }
  expect(await shop.json(erase)).toMatchObject({ id, ...end, date: expect.any(String) })
  const tables = store
    .prepare(`select m.name from pragma_table_list as m join pragma_table_info(m.name) as c on c.name = 'account_id'
      where m.schema = 'main' and m.type = 'table'`)
    .all()
    .map(({ name }) => String(name))
  expect(tables).toContain('imported_rows')
  expect(tables.filter((table) => count(table) > 0)).toEqual([])
  store.close()
  expect(await shop.json('evidence verify')).toMatchObject({ broken: [] })
  await shop.shows('evidence verify --anchor anchors.jsonl', 0, /lyon was erased on .* entry \d+ \(/)
})
