import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { measured } from './measured.js'
import { emptyDatabase } from './stores.js'
import { readyWorkplace, type Workplace } from './workplace.js'

const mebibyte = 1 << 20
const isFull = process.env['SAV_TEST_CHAOS'] === '1'

/** The header of a JPEG of 100×100 pixels. */
const head = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080064006401011100', 'hex')

/** 80 MB of photos, each of 5 MiB, in closed cases, and 24 MB of events, each of 2 KB. */
async function fill(shop: Workplace): Promise<void> {
  for (let id = 1; id <= 4; id += 1) {
    const photos: string[] = []
    for (let n = 0; n < 4; n += 1) {
      const content = Buffer.concat([head, randomBytes(5 * mebibyte - head.length)])
      photos.push('--photo', await shop.write(`${id}-${n}.jpg`, content))
    }
    await shop.json(['cases', 'create', '--client-id', '1', '--description', `La façade ${id} est rayée`, ...photos])
    await shop.json(['cases', 'close', String(id), '--resolution', 'Façade remplacée'])
  }
  const db = new DatabaseSync(join(shop.dir, 'sav-data/sav.db'))
  db.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 12000)
    insert into events (account_id, id, event, body, created_at)
    select 'default', 'evt_' || i, 'sav.created', i || ' é ' || printf('%.*c', 2000, 'x'), '2026-01-15T10:30:00.000Z' from n`)
  db.close()
}

const store = (shop: Workplace, name: string) => `sqlite:${join(shop.dir, name)}`

describe.runIf(isFull)('memory', () => {
  it('is bounded for sav backup, restore and copy, however large the store is', async () => {
    const shop = await readyWorkplace()
    await fill(shop)
    const [own, there] = [store(shop, 'sav-data/sav.db'), await emptyDatabase()]
    const commands = [
      ['backup', '--to', 'backup.db'],
      ['restore', 'backup.db', '--to', store(shop, 'restored.db')],
      ['copy', '--from', own, '--to', store(shop, 'copied.db')],
      ['copy', '--from', own, '--to', there],
      ['copy', '--from', there, '--to', store(shop, 'back.db')],
    ]
    for (const args of commands) {
      const { code, said, megabytes } = await measured(shop, args)
      expect([args, code, said]).toEqual([args, 0, ''])
      expect(megabytes, args.join(' ')).toBeLessThan(250)
    }
  })

  it('is bounded for sav clients import, however large the file is', async () => {
    const shop = await readyWorkplace()
    await shop.write('one.csv', 'nom,prenom\nPetit,Zoé\n')
    const { megabytes: least } = await measured(shop, ['clients', 'import', 'one.csv', '--dry-run'])
    const long = Array.from({ length: 50_000 }, (_, n) => `Nom${n},Prénom,p${n}@example.com,${'rue '.repeat(100)}`)
    await shop.write('long.csv', `nom,prenom,email,adresse\n${long.join('\n')}\n`)
    const found = await measured(shop, ['clients', 'import', '-', '--dry-run'], join(shop.dir, 'long.csv'))
    expect([found.code, found.stdout]).toEqual([0, expect.stringContaining('50000 would be created')])
    expect(found.megabytes).toBeLessThan(least + 150)
    expect(await readdir(join(shop.dir, 'tmp'))).toEqual([])
  })
})
