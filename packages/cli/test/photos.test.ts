import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jpeg, png } from './images.js'
import { readyWorkplace } from './workplace.js'

const webp = Buffer.from('524946461a000000574542505650384c0d0000002f000000', 'hex')
const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')

async function shopWithClient() {
  const shop = await readyWorkplace()
  const { id } = await shop.json<{ id: number }>('clients add --nom Petit --prenom Zoé --email zoe@petit.example')
  return { ...shop, create: ['cases', 'create', '--client-id', `${id}`, '--description', 'Façade gonflée.', '--photo'] }
}

describe('a photo', () => {
  it('has the type of its content, whatever its name', async () => {
    const shop = await shopWithClient()
    const files = { 'capture.jpg': png, 'photo.png': jpeg, 'photo.jfif': jpeg, 'IMG_0001.JPG': heic, sansnom: webp }
    for (const [name, content] of Object.entries(files)) {
      await shop.write(name, content)
      expect([name, (await shop.sav([...shop.create, name])).code]).toEqual([name, 0])
    }
  })

  it('is refused if its content is not an image, whatever its name', async () => {
    const shop = await shopWithClient()
    await shop.write('devis.jpg', '%PDF-1.7\n')
    await shop.fails(
      [...shop.create, 'devis.jpg'],
      2,
      '--photo devis.jpg: its content is not a JPEG, PNG, WebP or HEIC image.\n',
    )
  })

  it.each(['NFC', 'NFD'])('is found by its name in any Unicode normalisation form, on a disk with %s', async (form) => {
    const shop = await shopWithClient()
    await mkdir(join(shop.dir, 'photos'))
    await writeFile(join(shop.dir, 'photos', 'évier.jpg'.normalize(form)), jpeg)
    const named = 'photos/évier.jpg'
    const cells = [named.normalize('NFC'), named.normalize('NFD'), 'photos\\évier.jpg', '.\\photos\\évier.jpg']
    const rows = cells.map((cell, n) => `S${n};zoe@petit.example;Façade gonflée;2024-03-01;${cell}`)
    await shop.write('sav.csv', ['id;client_email;description;date;photos', ...rows].join('\n'))
    const { code, stdout } = await shop.sav('import sav.csv --type cases --dry-run')
    expect([code, stdout]).toEqual([0, expect.stringContaining('4 would be created')])
    expect((await shop.sav([...shop.create, named.normalize(form === 'NFC' ? 'NFD' : 'NFC')])).code).toBe(0)
  })
})
