import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { dolibarrShop } from './dolibarr-shop.js'
import { readyWorkplace } from './workplace.js'

it('an erasure in a large store is done before its process ends, and says so', async () => {
  const shop = await readyWorkplace()
  const files = dolibarrShop({ tiers: 1200, tickets: 1200, interventions: 0 })
  for (const name of ['tiers.csv', 'tickets.csv'] as const) await shop.write(name, files[name])
  await shop.json(['accounts', 'add', 'lyon'])
  for (const account of ['default', 'lyon'])
    await shop.json(['import', 'tiers.csv', 'tickets.csv', '--mapping', 'dolibarr', '--account', account])
  const { id } = await shop.json<{ id: number }>(['clients', 'add', '--nom', 'Oubliée', '--prenom', 'Odile'])
  await shop.json(['backup', '--to', 'b.db'])
  const ended = async (...args: readonly string[]) => {
    const { code, stdout } = await shop.start([...args, '--json']).ended()
    return [code, stdout === '' ? null : JSON.parse(stdout)]
  }

  expect(await ended('clients', 'erase', String(id), '--yes')).toEqual([0, expect.anything()])
  await shop.write('erasures.json', JSON.stringify(await shop.json(['clients', 'erasures'])))
  expect(await ended('accounts', 'erase', 'lyon', '--confirm', 'lyon', '--everything')).toEqual([
    0,
    expect.objectContaining({ id: 'lyon' }),
  ])
  expect(await ended('restore', 'b.db', '--to', 'sqlite:r/sav.db', '--erasures', 'erasures.json')).toEqual([
    0,
    expect.objectContaining({ erasures: expect.objectContaining({ erased: 1 }) }),
  ])

  for (const folder of ['sav-data', 'r'])
    for (const name of await readdir(join(shop.dir, folder)))
      expect([name, (await readFile(join(shop.dir, folder, name))).includes('Oubliée')]).toEqual([name, false])
})
