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

/** Of a picture of 100×100 pixels, as far as anybody looks at it here. */
const head = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080064006401011100', 'hex')

/** 60 MB of photos, each of 5 MiB, in closed cases, and 24 MB of events, each of 16 KB. */
async function fill(shop: Workplace): Promise<void> {
  for (let id = 1; id <= 3; id += 1) {
    const photos: string[] = []
    for (let n = 0; n < 4; n += 1) {
      const content = Buffer.concat([head, randomBytes(5 * mebibyte - head.length)])
      photos.push('--photo', await shop.write(`${id}-${n}.jpg`, content))
    }
    await shop.json(['cases', 'create', '--client-id', '1', '--description', `La façade ${id} est rayée`, ...photos])
    await shop.json(['cases', 'close', String(id), '--resolution', 'Façade remplacée'])
  }
  const db = new DatabaseSync(join(shop.dir, 'sav-data/sav.db'))
  db.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 1500)
    insert into events (account_id, id, event, body, created_at)
    select 'default', 'evt_' || i, 'sav.created', i || ' é ' || printf('%.*c', 16000, 'x'), '2026-01-15T10:30:00.000Z' from n`)
  db.close()
}

const store = (shop: Workplace, name: string) => `sqlite:${join(shop.dir, name)}`

describe.runIf(isFull)('memory', () => {
  it('is bounded for sav backup, restore and copy, whatever the store holds', async () => {
    const shop = await readyWorkplace()
    const own = store(shop, 'sav-data/sav.db')
    /** Of each command, in MB, in the order in which they are run. */
    const peaks = async (round: string) => {
      const there = await emptyDatabase()
      const commands = {
        backup: ['backup', '--to', `${round}.db`],
        restore: ['restore', `${round}.db`, '--to', store(shop, `${round}-restored.db`)],
        'copy to a file': ['copy', '--from', own, '--to', store(shop, `${round}-copied.db`)],
        'copy to a server': ['copy', '--from', own, '--to', there],
        'copy from a server': ['copy', '--from', there, '--to', store(shop, `${round}-back.db`)],
      }
      const found: Record<string, number> = {}
      for (const [name, args] of Object.entries(commands)) {
        const { code, said, megabytes } = await measured(shop, args)
        expect([name, code, said]).toEqual([name, 0, ''])
        found[name] = megabytes
      }
      return found
    }
    const least = await peaks('empty')
    await fill(shop)
    const most = await peaks('full')
    for (const [name, megabytes] of Object.entries(most))
      expect(megabytes - (least[name] ?? 0), `${name}: ${megabytes} MB`).toBeLessThan(50)
  })

  it('is bounded for sav clients import, whatever the file holds', async () => {
    const shop = await readyWorkplace()
    await shop.write('one.csv', 'nom,prenom\nPetit,Zoé\n')
    const { megabytes: least } = await measured(shop, ['clients', 'import', 'one.csv', '--dry-run'])
    const long = Array.from({ length: 50_000 }, (_, n) => `Nom${n},Prénom,p${n}@example.com,${'rue '.repeat(100)}`)
    await shop.write('long.csv', `nom,prenom,email,adresse\n${long.join('\n')}\n`)
    const found = await measured(shop, ['clients', 'import', '-', '--dry-run'], join(shop.dir, 'long.csv'))
    expect([found.code, found.stdout]).toEqual([0, '50000 clients would be added.\n'])
    expect(found.megabytes).toBeLessThan(least + 150)
    expect(await readdir(join(shop.dir, 'tmp'))).toEqual([])
  })
})
