import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { measured } from './measured.js'
import { readyWorkplace } from './workplace.js'

const mebibyte = 1 << 20

describe('sav clients import', () => {
  it('reads lines of at most 1 MB', async () => {
    const shop = await readyWorkplace()
    const said = async (bytes: number) => {
      const beginning = 'Roux,Luc,'
      await shop.write('c.csv', `nom,prenom,adresse\nPetit,Zoé,\n${beginning}${'x'.repeat(bytes - beginning.length)}\n`)
      const { code, stderr } = await shop.sav('clients import c.csv')
      return [code, stderr]
    }
    expect(await said(mebibyte)).toEqual([
      2,
      expect.stringMatching(/^No client was added\..*1 × adresse must be .*\(line 3\)/s),
    ])
    expect(await said(mebibyte + 1)).toEqual([2, 'c.csv: line 3 is longer than 1 MB.\n'])
    // All lines are one record, since the quote is never closed.
    await shop.write('c.csv', `nom,prenom\n"Roux,Luc\n${'Petit,Zoé\n'.repeat(200_000)}`)
    await shop.fails('clients import c.csv', 2, /^c\.csv: Max Record Size/)
    expect(await shop.json('clients list')).toHaveLength(1)
  })

  it('skips lines of empty cells, however many there are', async () => {
    const shop = await readyWorkplace()
    await shop.write('empty.csv', `nom,prenom\n${',\n'.repeat(500_000)}Petit,Zoé\n , \n`)
    expect(await shop.json('clients import empty.csv')).toMatchObject({ read: 1, created: 1, refused: 0 })
  })

  it('reads an accented letter that is split between two chunks', async () => {
    const shop = await readyWorkplace()
    const rows = Array.from({ length: 300 }, (_, n) => `${'é'.repeat(116)}${n},Zoé`).join('\n')
    // The two files are shifted by an odd number of bytes, so in one of them a chunk ends within a letter.
    for (const head of ['nom,prenom\n', 'nom,prenom\nA,B\n\n']) {
      await shop.write('c.csv', `${head}${rows}`)
      await shop.json('clients import c.csv')
    }
    expect(await shop.json('clients list --recherche zoe --limite 1')).toHaveLength(1)
    expect((await shop.sav('clients list')).stdout).toContain('302 in all')
    expect((await shop.sav(['clients', 'list', '--recherche', 'é'.repeat(116)])).stdout).toContain('300 in all')
  })

  it('uses at most 150 MB of memory for endless input', async () => {
    const shop = await readyWorkplace()
    await shop.write('one.csv', 'nom,prenom\nPetit,Zoé\n')
    const { megabytes: least } = await measured(shop, ['clients', 'import', 'one.csv', '--dry-run'])
    expect(least).toBeGreaterThan(30)
    const zeros = [
      await measured(shop, ['clients', 'import', '/dev/zero']),
      await measured(shop, ['clients', 'import', '-'], '/dev/zero'),
    ]
    for (const [index, { code, said, megabytes }] of zeros.entries()) {
      const name = index === 0 ? '/dev/zero' : 'Standard input'
      expect([code, said]).toEqual([2, `${name}: line 1 is longer than 1 MB.\n`])
      expect(megabytes).toBeLessThan(least + 150)
    }
    expect(await readdir(join(shop.dir, 'tmp'))).toEqual([])
  })
})
