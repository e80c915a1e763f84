import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { removalsDue } from './file-removals.js'
import { jpeg } from './images.js'
import { readyWorkplace } from './workplace.js'

it('files are in the directory of SAV_FILES, and are deleted with their client', async () => {
  const shop = await readyWorkplace({ SAV_FILES: 'photos' })
  await shop.write('porte.jpg', jpeg)
  const create = ['cases', 'create', '--client-id', '1', '--description', 'La porte ne ferme plus']
  await shop.json([...create, '--photo', 'porte.jpg'])
  const files = () =>
    readdirSync(join(shop.dir, 'photos'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files()).toHaveLength(1)
  await shop.json(['cases', 'close', '1', '--resolution', 'Charnière remplacée', '--photo-avant', 'porte.jpg'])
  expect(await shop.json('evidence verify')).toEqual({ checked: 1, broken: [] })
  await shop.shows('evidence verify', 1, /is missing: its content is not in the database/, { SAV_FILES: '' })

  await shop.json('clients erase 1 --yes')
  // The file is not removed yet: it waits for ten minutes after its client was erased.
  expect(await shop.json('purge --yes')).toMatchObject({ files: 0, files_found: 0 })
  await removalsDue(shop)
  expect(await shop.json('purge --yes')).toMatchObject({ files: 1 })
  expect(files()).toEqual([])
  expect(await shop.json('evidence verify')).toEqual({ checked: 2, broken: [] })
})

it('a missing directory of SAV_FILES is not created, since its volume may be unmounted', async () => {
  const shop = await readyWorkplace({ SAV_FILES: 'volume/photos' })
  await shop.write('porte.jpg', jpeg)
  const create = (n: number) =>
    shop.sav(`cases create --client-id 1 --description 'La porte ${n} ne ferme plus' --photo porte.jpg`)
  expect((await create(1)).code).toBe(0)
  const [volume, away] = [join(shop.dir, 'volume/photos'), join(shop.dir, 'away')]
  renameSync(volume, away)
  const refused = await create(2)
  expect([refused.code, refused.stderr]).toEqual([
    5,
    expect.stringContaining('photos, is not there: is its volume mounted?'),
  ])
  const doctor = await shop.sav('doctor --json')
  expect([doctor.code, JSON.parse(doctor.stdout)]).toMatchObject([
    1,
    { problems: [expect.stringMatching(/the place of the files, is missing: is its volume mounted\?$/)] },
  ])
  const { url } = await shop.serveHere()
  const photo = `/api/v1/sav/1/fichiers/${hash('sha256', jpeg)}`
  const asked = await fetch(`${url}${photo}`, { headers: { authorization: `Bearer ${await shop.newKey()}` } })
  expect([asked.status, asked.headers.get('retry-after')]).toEqual([503, '60'])
  expect((await fetch(`${url}/readyz`)).status).toBe(503)
  expect(existsSync(volume)).toBe(false)

  renameSync(away, volume)
  expect((await create(2)).code).toBe(0)
  expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ success: true })
})

it('an interrupted move of files deletes nothing, prevents any other move, and can be completed', async () => {
  const shop = await readyWorkplace({ SAV_FILES: 'one' })
  const photos = Array.from({ length: 10 }, (_, n) => Buffer.concat([jpeg, Buffer.from(`photo ${n}`)]))
  for (const [n, photo] of photos.entries()) await shop.write(`${n}.jpg`, photo)
  const flags = photos.flatMap((_, n) => ['--photo', `${n}.jpg`])
  await shop.json(['cases', 'create', '--client-id', '1', '--description', 'La porte ne ferme plus', ...flags])
  const last =
    photos
      .map((photo) => hash('sha256', photo))
      .sort()
      .at(-1) ?? ''
  const obstacle = join(shop.dir, 'two/default', last.slice(0, 2))
  mkdirSync(join(shop.dir, 'two/default'), { recursive: true })
  writeFileSync(obstacle, 'in the way')
  const move = (to: string) => shop.sav(['files', 'move', '--from', 'one', '--to', to, '--json'])
  const filesIn = (place: string) =>
    readdirSync(join(shop.dir, place), { recursive: true }).filter((name) => /[0-9a-f]{64}$/.test(`${name}`)).length

  expect((await move('two')).code).toBe(5)
  expect([filesIn('one'), filesIn('two')]).toEqual([10, 9])
  const other = await move('three')
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('complete it first')])
  rmSync(obstacle)
  const { code, stdout } = await move('two')
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { files: 2, faulty: [] }])
  expect([filesIn('one'), filesIn('two')]).toEqual([0, 10])
})
