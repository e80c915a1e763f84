import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { dolibarrShop } from './dolibarr-shop.js'
import { readyWorkplace } from './workplace.js'

const counts = { tiers: 1500, tickets: 900, interventions: 300 }
const args = ['import', 'tiers.csv', 'tickets.csv', 'interventions.csv', '--mapping', 'dolibarr']

it('an import that was killed is completed when it is run again', async () => {
  const shop = await readyWorkplace()
  for (const [name, content] of Object.entries(dolibarrShop(counts))) await shop.write(name, content)
  const running = shop.start(args)
  const store = new DatabaseSync(join(shop.dir, 'sav-data/sav.db'), { readOnly: true })
  const brought = () => Number(store.prepare('select count(*) as n from imported_rows').get()?.['n'])
  while (brought() < 1700) await wait(2)
  await running.kill()
  const left = brought()
  store.close()
  expect(left).toBeLessThan(2700)
  const ran = await shop.json<{ read: number; created: number; unchanged: number; refused: number }[]>(args)
  expect(ran.map(({ read }) => read)).toEqual([1500, 900, 300])
  expect(ran.map(({ created, unchanged }) => created + unchanged)).toEqual([1500, 900, 300])
  expect(ran.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(left)
  expect(await shop.json('evidence verify')).toMatchObject({ broken: [] })
  const again = await shop.json<{ unchanged: number }[]>(args)
  expect(again.map(({ unchanged }) => unchanged)).toEqual([1500, 900, 300])
})
