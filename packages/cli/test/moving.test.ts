import { cp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jpeg, png } from './images.js'
import { onLoopback } from './on-loopback.js'
import { readyWorkplace } from './workplace.js'

const examples = join(import.meta.dirname, '../../../examples/moving')

interface Counts {
  readonly read: number
  readonly created: number
  readonly updated: number
  readonly kept: number
  readonly unchanged: number
  readonly refused: number
  readonly reasons: readonly object[]
  readonly columns_left_out: readonly string[]
}
const counts = (created: number, rest: Partial<Counts> = {}): Counts => ({
  ...{ read: created, created, updated: 0, kept: 0, unchanged: 0, refused: 0, reasons: [], columns_left_out: [] },
  ...rest,
})

async function movingShop() {
  const shop = await readyWorkplace()
  await cp(examples, shop.dir, { recursive: true })
  return shop
}

describe('sav import', () => {
  it('imports the Dolibarr example, and changes nothing when run again', async () => {
    const shop = await movingShop()
    const files = ['tickets', 'interventions', 'tiers'].map((name) => `dolibarr/${name}.csv`)
    const tried = await shop.sav(['import', ...files, '--mapping', 'dolibarr', '--dry-run'])
    expect(tried.stdout).toMatch(/tiers.csv: 3 rows of clients: 3 would be created/)
    expect(tried.stdout).toMatch(/ligne1 +12 rue des Lilas – bât. B/)
    expect(await shop.json('cases list')).toEqual([])
    const moved = ['import', ...files, '--mapping', 'dolibarr']
    const leftOut = [
      ['Nom alternatif', 'Client', 'Code client'],
      ['ID de suivi public'],
      ['Nom du tiers', 'Réf. intervention', 'Durée ligne'],
    ].map((columns_left_out) => ({ columns_left_out }))
    expect(await shop.json(moved)).toEqual([3, 2, 2].map((read, file) => counts(read, leftOut[file])))
    expect(await shop.json(moved)).toEqual(
      [3, 2, 2].map((read, file) => counts(0, { read, unchanged: read, ...leftOut[file] })),
    )
    expect(await shop.json('cases show SAV-2024-00001')).toMatchObject({
      reference_origine: 'TK2403-0201',
      description: 'Porte de meuble bas\nElle ne ferme plus – charnière cassée.',
      statut: 'clos',
      priorite: 'haute',
      client: { nom: 'SARL Menuiserie Durand' },
    })
    expect(await shop.json('evidence verify')).toMatchObject({ checked: 1, broken: [] })
    expect(await shop.json('webhooks history')).toEqual([])
  })

  it('refuses a directory, such as an export, and says to name its files', async () => {
    const shop = await readyWorkplace()
    await shop.json(['export', '-o', 'la sortie'])
    expect(await shop.sav(['import', 'la sortie/'])).toMatchObject({
      code: 2,
      stderr: "la sortie/: it is a directory. Name its files: 'la sortie'/*.ndjson\n",
    })
    expect((await shop.sav(['clients', 'import', 'la sortie'])).stderr).toMatch(/: it is a directory\. Name a file/)
  })

  it('recognises the columns of a plain spreadsheet, and names the ignored ones', async () => {
    const shop = await movingShop()
    const moved = await shop.sav('import tableur/dossiers.csv tableur/clients.csv')
    expect(moved.stdout).toMatch(/clients.csv: 2 rows of clients: 2 created.*\nColumns ignored: "Remise"/)
    expect(await shop.json('cases list')).toMatchObject([
      { reference: 'SAV-2025-00001', client: { nom: 'Martin' }, statut: 'ouvert' },
      { reference: 'SAV-2024-00001', client: { nom: 'Durand' }, statut: 'clos', poseur_assigne: { nom: 'Karim' } },
    ])
  })

  it('recognises a case without an id by its number, so that a later export updates it', async () => {
    const shop = await movingShop()
    const files = ['import', 'tableur/clients.csv', 'tableur/dossiers.csv']
    await shop.json(files)
    const before = await readFile(join(shop.dir, 'tableur/dossiers.csv'), 'utf8')
    const closed = before.replace(';ouvert;12/12/2025;;;', ';clos;12/12/2025;13/12/2025;Façade changée.;')
    await shop.write('tableur/dossiers.csv', closed)
    expect(await shop.json(files)).toEqual([
      counts(0, { read: 2, unchanged: 2, columns_left_out: ['Remise'] }),
      counts(0, { read: 2, updated: 1, unchanged: 1 }),
    ])
    expect(await shop.json('cases show SAV-2025-00001')).toMatchObject({ statut: 'clos' })
    await shop.write('tableur/dossiers.csv', `${closed}2025-007;C-001;Un autre.;haute;ouvert;12/12/2025;;;\n`)
    const twice = await shop.sav(files)
    expect(twice.stdout).toMatch(/2 unchanged, 1 refused\.\nRefused:\n +1 × reference_origine .*\(line 4\)\n/)
  })

  it('writes refused rows into a file that can be corrected and imported', async () => {
    const shop = await movingShop()
    const rows =
      'Réf;Nom du tiers;Mél;Tél\n1;Durand;pas une adresse;+33 6 12 34 56 78\n2;Petit;;\n;;;\n3;;a@b.example;\n'
    await writeFile(join(shop.dir, 'clients.csv'), rows, 'latin1')
    const told = ['--map', 'Nom du tiers=nom', '--map', 'Réf=id_externe']
    const args = ['import', 'clients.csv', ...told, '--errors', 'faux.csv', '--json']
    const moved = await shop.sav(args)
    const reasons = [
      { outcome: 'refused', reason: 'email must be an e-mail address', count: 1, lines: [2] },
      { outcome: 'refused', reason: 'nom required', count: 1, lines: [5] },
    ]
    expect([moved.code, JSON.parse(moved.stdout)]).toEqual([1, counts(1, { read: 3, refused: 2, reasons })])
    const refused = await readFile(join(shop.dir, 'faux.csv'), 'utf8')
    expect(refused).toMatch(
      /^\ufeff?Réf;Nom du tiers;Mél;Tél;problem\n1;Durand;pas une adresse;'\+33 6 12 34 56 78;email /,
    )
    expect(refused).toMatch(/\n3;;a@b.example;;nom required\n$/)
    const mended = refused.replace('pas une adresse', 'd@durand.example').replace('\n3;;', '\n3;Martin;')
    await writeFile(join(shop.dir, 'faux.csv'), mended)
    expect(await shop.json(['import', 'faux.csv', ...told])).toEqual(counts(2))
    const found = await shop.json('clients list --recherche d@durand.example')
    expect(found).toMatchObject([{ nom: 'Durand', telephone: '+33 6 12 34 56 78' }])
  })

  it('reports an unclear type of rows, an unknown field, and a missing photo', async () => {
    const shop = await movingShop()
    await shop.write('quoi.csv', 'a,b\n1,2\n')
    await shop.fails('import quoi.csv', 2, /names "a", "b".*--type to clients/)
    await shop.write('tiers.csv', 'Id,Nom\n1,Durand\n')
    await shop.fails('import tiers.csv', 2, /^tiers.csv: its rows may be poseurs\..*--type/)
    await shop.fails('import quoi.csv --map a=nomm', 2, /there is no field nomm.*clients: id_externe/)
    const head = 'client_id,description,date_creation,photos\n'
    await shop.json(['clients', 'add', '--nom', 'Durand SA', '--raison-sociale', 'Durand SA'])
    await shop.write(
      'cases.csv',
      `${head}1,Porte cassée,03/04/2024,là.jpg\n1,Tiroir,04/04/2024,a.jpg|https://b.example/c\n`,
    )
    await shop.write('a.jpg', jpeg)
    await shop.shows('import cases.csv', 1, /1 created.*1 refused\.\nRefused:\n +1 × photos là.jpg.*\(line 2\)\n/)
    expect(await shop.json('cases show 1')).toMatchObject({ photos: [{}, { url: 'https://b.example/c' }] })
  })

  it('keeps photos that are links as links, without requesting them', async () => {
    const shop = await movingShop()
    await shop.json(['clients', 'add', '--nom', 'Durand SA', '--raison-sociale', 'Durand SA'])
    const asked: unknown[] = []
    const server = createServer((request, response) => {
      asked.push(request.url)
      response.end()
    })
    const url = `${await onLoopback(server)}/a.jpg`
    const rows = ['photos', 'photo_avant'].map((field, n) => ({
      ...{ id_externe: `T${n}`, client_id: 1, description: 'Porte cassée', date_creation: '03/04/2024' },
      ...{ statut: 'clos', [field]: url },
    }))
    await shop.write('cases.ndjson', rows.map((row) => JSON.stringify(row)).join('\n'))
    await shop.shows(
      'import cases.ndjson --errors faux.ndjson',
      1,
      /1 created.*1 refused.*\n +1 × photo_avant .*\(line 2\)/s,
    )
    expect(await readFile(join(shop.dir, 'faux.ndjson'), 'utf8')).toMatch(
      /^\{"id_externe":"T1".*"problem":"photo_avant /,
    )
    expect(await shop.json('cases show 1')).toMatchObject({ photos: [{ url }] })
    expect(asked).toEqual([])
  })
})

describe('sav export', () => {
  it('followed by an import gives the same data, except for ids, references and hashes', async () => {
    const shop = await movingShop()
    for (const [name, image] of [
      ['a.jpg', jpeg],
      ['s.png', png],
    ] as const)
      await shop.write(name, image)
    await shop.json('import tableur/clients.csv tableur/dossiers.csv')
    await shop.json(['clients', 'update', '2', '--whatsapp', '--acces', 'Code 14B'])
    await shop.json('poseurs update 1 --colour #2f7d5b')
    const created = ['cases', 'create', '--client-id', '1', '--description', 'Le plan de travail est fendu.']
    const photos = ['--photo', 'a.jpg', '--photo', 'https://b.example/c.jpg']
    const { id } = await shop.json<{ id: number }>([...created, ...photos])
    await shop.json(['cases', 'comment', String(id), '--texte', 'Pièce commandée.'])
    const closing = ['--resolution', 'Plan de travail remplacé.', '--photo-avant', 'a.jpg', '--signature', 's.png']
    await shop.json(['cases', 'close', String(id), ...closing])
    const visit = ['--poseur-id', '1', '--debut', '2037-03-16T09:00:00+01:00', '--duree', '45', '--client-id', '2']
    await shop.json(['planning', 'book', ...visit])
    expect(await shop.json('export -o un')).toMatchObject({
      clients: 3,
      poseurs: 1,
      cases: 3,
      visits: 1,
      files: 2,
    })

    await shop.json('accounts add autre')
    const kinds = ['clients', 'poseurs', 'cases', 'visits']
    const files = kinds.map((kind) => `un/${kind}.ndjson`)
    expect(await shop.json(['--account', 'autre', 'import', ...files])).toEqual([3, 1, 3, 1].map((n) => counts(n)))
    await shop.json('accounts export autre -o deux')
    const left = async (of: string, kind: string) =>
      (await readFile(join(shop.dir, of, `${kind}.ndjson`), 'utf8'))
        .trim()
        .split('\n')
        .map((line) => {
          const { id_externe: _, client_id_externe: __, ...rest } = JSON.parse(line)
          return rest
        })
    for (const kind of kinds) expect(await left('deux', kind)).toEqual(await left('un', kind))
    expect(await shop.json('--account autre evidence verify')).toMatchObject({ checked: 1, broken: [] })
    await shop.fails('export -o un', 2, /un is not empty/)
  })

  it('of one client has only that person’s data', async () => {
    const shop = await movingShop()
    await shop.json('import tableur/clients.csv tableur/dossiers.csv')
    expect(await shop.json('clients export 3 -o martin')).toMatchObject({
      clients: 1,
      cases: 1,
      poseurs: 0,
    })
    expect(await readFile(join(shop.dir, 'martin/cases.ndjson'), 'utf8')).toMatch(/"reference_origine":"2025-007"/)
    expect((await shop.sav('clients export 99 -o personne')).code).toBe(3)
  })
})
