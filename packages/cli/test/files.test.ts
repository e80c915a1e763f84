import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { jpeg } from './images.js'
import { readyWorkplace } from './workplace.js'

it('files lie in the directory that SAV_FILES names, and go with the client whose they are', async () => {
  const shop = await readyWorkplace({ SAV_FILES: 'photos' })
  await shop.write('porte.jpg', jpeg)
  const create = ['cases', 'create', '--client-id', '1', '--description', 'La porte ne ferme plus']
  await shop.json([...create, '--photo', 'porte.jpg'])
  const files = () =>
    readdirSync(join(shop.dir, 'photos'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files()).toHaveLength(1)
  await shop.json(['cases', 'close', '1', '--resolution', 'Charnière remplacée', '--photo-avant', 'porte.jpg'])
  expect(await shop.json(['evidence', 'verify'])).toEqual({ checked: 1, uncovered: 0, broken: [] })

  await shop.json(['clients', 'erase', '1', '--yes'])
  // It was written a moment ago, so it waits: for the next purge that finds it old.
  for (const { parentPath, name } of files()) utimesSync(join(parentPath, name), 0, 0)
  expect(await shop.json(['purge', '--yes'])).toMatchObject({ files: 1 })
  expect(files()).toEqual([])
  expect(await shop.json(['evidence', 'verify'])).toEqual({ checked: 2, uncovered: 0, broken: [] })
})
