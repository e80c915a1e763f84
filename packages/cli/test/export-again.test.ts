import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { jpeg } from './images.js'
import { readyWorkplace, type Workplace } from './workplace.js'

const count = 200

async function shopWithPhotos() {
  const shop = await readyWorkplace()
  await shop.json('clients add --nom Petit --prenom Zoé')
  const rows = Array.from({ length: count }, async (_, n) => {
    // Different bytes after the end of the image give each photo its own content.
    await shop.write(`${n}.jpg`, Buffer.concat([jpeg, Buffer.from(`photo ${n}`)]))
    const fields = { id_externe: `${n}`, client_id: 1 + (n % 2), date_creation: '2026-01-15', statut: 'ouvert' }
    return JSON.stringify({ ...fields, description: `${n}: la porte du four ne ferme plus`, photos: [`${n}.jpg`] })
  })
  await shop.write('cases.ndjson', (await Promise.all(rows)).join('\n'))
  await shop.json('import cases.ndjson --type cases')
  return shop
}

/** The content of each file in a directory, by its path. */
async function contentsOf(shop: Workplace, directory: string): Promise<Record<string, string>> {
  const names = await readdir(join(shop.dir, directory), { recursive: true })
  const files = names.filter((name) => name !== 'fichiers').toSorted()
  const contents = files.map(async (name) => [name, await readFile(join(shop.dir, directory, name), 'latin1')] as const)
  return Object.fromEntries(await Promise.all(contents))
}

it('an export that was killed is completed when it is run again', async () => {
  const shop = await shopWithPhotos()
  const folder = join(shop.dir, 'out/fichiers')
  const written = () => (existsSync(folder) ? readdir(folder) : Promise.resolve([]))
  let left: string[]
  do {
    await rm(join(shop.dir, 'out'), { recursive: true, force: true })
    const running = shop.start('export -o out')
    // Waits until all files of the first client and some of the second are written.
    while (running.process.exitCode === null && (await written()).length < 0.6 * count) await wait(2)
    await running.kill()
    left = await written()
    // On a busy machine the export may finish before the kill.
  } while (left.length === count)
  const other = await shop.sav('clients export 1 -o out')
  expect([other.code, other.stderr]).toEqual([
    2,
    expect.stringMatching(/^out contains an unfinished export of something else \(.*"account":"default".*\): name/),
  ])
  // One client is erased, which is half of the files. Every other file is cut off, as by a full disk.
  await shop.json('clients erase 1 --yes')
  const whole = left.filter((_, n) => n % 2 === 0)
  for (const name of left) if (!whole.includes(name)) await truncate(join(folder, name), 5)
  const before = await Promise.all(whole.map(async (name) => [name, (await stat(join(folder, name))).mtimeMs] as const))
  const counts = { clients: 1, cases: count / 2, files: count / 2 }
  expect(await shop.json('export -o out')).toMatchObject(counts)
  expect(await shop.json('export -o whole')).toMatchObject(counts)
  expect(await contentsOf(shop, 'out')).toEqual(await contentsOf(shop, 'whole'))
  const kept = before.filter(([name]) => existsSync(join(folder, name)))
  expect(kept.length).toBeGreaterThan(0)
  for (const [name, mtimeMs] of kept) expect((await stat(join(folder, name))).mtimeMs).toBe(mtimeMs)
  await shop.fails('export -o out', 2, /is not empty/)
})

it('an export of evidence that was killed is completed when it is run again', async () => {
  const shop = await readyWorkplace()
  const photos = Array.from({ length: 8 }, (_, n) =>
    shop.write(`${n}.jpg`, Buffer.concat([jpeg, Buffer.alloc(2e6, n)])),
  )
  const create = ['cases', 'create', '--client-id', '1', '--description', 'La porte du four ne ferme plus']
  await shop.json([...create, '--photo', ...(await Promise.all(photos))])
  await shop.json(['cases', 'close', '1', '--resolution', 'Charnière remplacée'])
  const args = ['evidence', 'export', '1', '--sequence', '1', '--dir', 'out']
  const marked = () => existsSync(join(shop.dir, 'out/.unfinished'))
  do {
    await rm(join(shop.dir, 'out'), { recursive: true, force: true })
    const running = shop.start(args)
    while (running.process.exitCode === null && !existsSync(join(shop.dir, 'out/snapshot.json'))) await wait(1)
    await running.kill()
  } while (!marked())
  await shop.json('clients erase 1 --yes')
  await shop.json(args)
  await shop.json([...args.slice(0, -1), 'whole'])
  expect(marked()).toBe(false)
  expect(await contentsOf(shop, 'out')).toEqual(await contentsOf(shop, 'whole'))
  expect(Object.keys(await contentsOf(shop, 'out'))).not.toContain('snapshot.json')
  await shop.fails(args, 2, /^out is not empty/)
})
