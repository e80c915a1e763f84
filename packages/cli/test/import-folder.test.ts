import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { jpeg, png } from './images.js'
import { readyWorkplace } from './workplace.js'

const fileFields = ['photos', 'photo_avant', 'photo_apres', 'signature_client'] as const

const row = { client_id: 1, description: 'La porte du four ne ferme plus', date_creation: '03/04/2024', statut: 'clos' }
const rowsOf = (names: readonly string[]) =>
  names.flatMap((name, n) =>
    fileFields.map((field) => JSON.stringify({ ...row, id_externe: `${field}${n}`, [field]: name })),
  )

async function importShop() {
  const shop = await readyWorkplace()
  const outside = await mkdtemp(join(tmpdir(), 'sav-outside-'))
  onTestFinished(() => rm(outside, { recursive: true }))
  await writeFile(join(outside, 'there.png'), png)
  await mkdir(join(shop.dir, 'export/photos'), { recursive: true })
  return { shop, outside, inside: (name: string) => join(shop.dir, 'export', name) }
}

it('an import reads no file outside its folder, and does not reveal whether one exists', async () => {
  const { shop, outside, inside } = await importShop()
  await shop.write('there.png', png)
  await symlink(outside, inside('folder'))
  const ways: string[] = []
  for (const name of ['there.png', 'missing.png']) {
    await symlink(join(outside, name), inside(`link-${name}`))
    await symlink(`link-${name}`, inside(`second-${name}`))
    ways.push(`../${name}`, `photos/../../${name}`, join(shop.dir, name), join(outside, name))
    ways.push(`folder/${name}`, `link-${name}`, `second-${name}`, `photos/../folder/${name}`)
  }
  await shop.write('export/cases.ndjson', rowsOf(ways).join('\n'))
  const { code, stdout } = await shop.sav('import export/cases.ndjson --json')
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ created: 0, refused: ways.length * fileFields.length },
    reasons: [{ reason: `photos …: there is no such file below the folder of export/cases.ndjson.` }],
  })
  expect(code).toBe(1)
})

it('an import reads files below its folder, also through links inside it, but no directory', async () => {
  const { shop, inside } = await importShop()
  await writeFile(inside('photos/a.png'), png)
  await writeFile(inside('..a.jpg'), jpeg)
  await symlink('photos/a.png', inside('link.png'))
  await symlink(inside(''), join(shop.dir, 'named'))
  await mkdir(inside('b.png'))
  const names = ['photos/a.png', './photos/a.png', 'link.png', inside('photos/a.png'), 'photos/../link.png']
  await shop.write('export/cases.ndjson', rowsOf(names).join('\n'))
  // The folder may also be given as a symbolic link to it.
  for (const [folder, outcome] of [
    ['export', { created: 20 }],
    ['named', { unchanged: 20 }],
  ] as const)
    expect(await shop.json(['import', `${folder}/cases.ndjson`])).toMatchObject({ ...outcome, refused: 0 })
  await shop.write('export/more.ndjson', JSON.stringify({ ...row, id_externe: 'b', photos: ['..a.jpg', 'b.png'] }))
  const { stdout } = await shop.sav('import export/more.ndjson --type cases')
  expect(stdout).toContain('photos b.png: it is not a file')
})
