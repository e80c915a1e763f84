import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readyWorkplace } from './workplace.js'

const glpi = join(import.meta.dirname, '../../../examples/moving/glpi')

const categories = [
  ...['--map', 'type_probleme: SAV > Quincaillerie=quincaillerie'],
  ...['--map', 'type_probleme: sav > plan de travail=plan_travail'],
  ...['--map', 'type_probleme: SAV > Réglage=reglage'],
]

async function glpiShop() {
  const shop = await readyWorkplace()
  await cp(glpi, shop.dir, { recursive: true })
  await shop.json('import clients.csv')
  return shop
}

/** The cases of a shop, oldest first. */
async function imported(shop: Awaited<ReturnType<typeof glpiShop>>) {
  const listed = await shop.json<{ id: number; date_creation: string }[]>('cases list')
  const cases: { statut: string }[] = []
  for (const { id } of listed.toSorted((a, b) => a.date_creation.localeCompare(b.date_creation)))
    cases.push(await shop.json(['cases', 'show', String(id)]))
  return cases
}

describe('an export of', () => {
  it('GLPI is understood in GLPI’s own terms, and --map translates its categories', async () => {
    const shop = await glpiShop()
    expect(await shop.json(['import', 'tickets.csv', ...categories])).toMatchObject({
      ...{ created: 5, refused: 0 },
      columns_left_out: ['Dernière modification'],
    })
    expect(await imported(shop)).toMatchObject([
      { statut: 'en_cours', priorite: 'urgente', type_probleme: 'quincaillerie', poseur_assigne: { nom: 'Karim' } },
      { statut: 'en_cours', priorite: 'normale', type_probleme: 'plan_travail', client: { nom: 'Nguyen' } },
      { statut: 'clos', priorite: 'basse', type_probleme: 'reglage', date_cloture: '2024-05-20T08:12:00.000Z' },
      { statut: 'clos', priorite: 'urgente', description: 'Tiroir bloqué', date_creation: '2024-05-13T10:30:00.000Z' },
      { statut: 'en_cours', priorite: 'basse' },
    ])
    // The spaces within ids are ignored, so importing an export without them changes nothing.
    await shop.write('tickets.csv', (await readFile(join(glpi, 'tickets.csv'), 'utf8')).replaceAll('"1 0', '"10'))
    expect(await shop.json(['import', 'tickets.csv', ...categories])).toMatchObject({ unchanged: 5 })
  })

  it.each([
    [
      'Dolibarr',
      [
        'Réf.;Sujet;Sévérité;État;Date création;Email',
        "TK2405-0001;Charnière cassée;Critique/Bloquant;En attente d'information;14/05/2024 10:12;marie@dupont.example",
        'TK2405-0002;Tiroir;Faible;Fermé;2024-05-15 10:12:00;marie@dupont.example',
      ],
      ['--map', 'Sévérité=priorite'],
    ],
    [
      'Zammad',
      [
        '#,Title,State,Priority,Created at,Closed at,Customer Email',
        '67001,Charnière cassée,pending reminder,3 high,2024-05-14T08:12:00.000Z,,marie@dupont.example',
        '67002,Tiroir,closed,1 low,2024-05-15 08:12:00 UTC,2024-05-16 08:12:00 UTC,marie@dupont.example',
      ],
      [],
    ],
    [
      'Odoo',
      [
        'ID,Subject,Priority,Stage,Created on,Email',
        '1024,Charnière cassée,Urgent,In Progress,2024-05-14 10:12:00,marie@dupont.example',
        '1025,Tiroir,Low priority,Solved,2024-05-15 10:12:00,marie@dupont.example',
      ],
      [],
    ],
    [
      'ERPNext',
      [
        'ID,Subject,Raised By (Email),Status,Priority,Opening Date,Resolution Details',
        'ISS-2024-00001,Charnière cassée,marie@dupont.example,Replied,Urgent,2024-05-14,',
        'ISS-2024-00002,Tiroir,marie@dupont.example,Resolved,Low,15-05-2024,Glissière changée',
      ],
      [],
    ],
  ])('%s is read with its own words', async (_, lines, map) => {
    const shop = await glpiShop()
    await shop.write('tickets.csv', lines.join('\n'))
    expect(await shop.json(['import', 'tickets.csv', ...map])).toMatchObject({ created: 2, columns_left_out: [] })
    expect(await imported(shop)).toMatchObject([
      { description: 'Charnière cassée', statut: 'en_cours', client: { nom: 'Dupont' } },
      { description: 'Tiroir', statut: 'clos', priorite: 'basse' },
    ])
  })
})

describe('a mapping', () => {
  it('translates values and leaves out columns, both on the command line and in a file', async () => {
    const shop = await glpiShop()
    const words = ['--map', 'statut: En cours (Planifié)=ouvert', '--map', 'Catégorie=']
    const tried = await shop.sav(['import', 'tickets.csv', ...words])
    expect(tried).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/ignored: "Dernière modification", "Catégorie"/),
    })
    const other = await glpiShop()
    const mapping = { cases: { columns: { Catégorie: null }, values: { statut: { 'en cours (planifie)': 'ouvert' } } } }
    await other.write('glpi.json', JSON.stringify(mapping))
    expect(await other.json('import tickets.csv --mapping glpi.json')).toMatchObject({
      ...{ created: 5 },
      columns_left_out: ['Dernière modification', 'Catégorie'],
    })
    for (const each of [shop, other])
      expect((await imported(each)).map(({ statut }) => statut)).toEqual([
        'en_cours',
        'ouvert',
        'clos',
        'clos',
        'en_cours',
      ])
  })

  it('is repeated in the command that imports the refused rows', async () => {
    const shop = await glpiShop()
    const map = [...categories.slice(0, 2), '--map', 'Attribué à - Technicien=']
    const { stdout } = await shop.sav(['import', 'tickets.csv', ...map, '--errors', 'e.csv'])
    expect(stdout).toContain(
      "sav import e.csv --type cases --map 'type_probleme: SAV > Quincaillerie=quincaillerie' --map 'Attribué à - Technicien=' --errors e.csv",
    )
  })

  it.each([
    [['--map', '=nom'], /write it as "Column=field", "Column=" or "field: Their value=ours"/],
    [['--map', 'statut: À faire=fini'], /statut must be one of ouvert, en_cours, clos, not fini/],
    [['--map', 'Catégories='], /no file has a column "Catégories"\. Did you mean "Catégorie"\?/],
    [
      ['--mapping', 'bad.json'],
      /cases have no field etat; priorite must be one of basse, normale, haute, urgente, not top\. /,
    ],
  ])('given as %j is refused', async (options, message) => {
    const shop = await glpiShop()
    await shop.write('bad.json', '{"cases":{"columns":{"x":"etat"},"values":{"priorite":{"P1":"top"}}}}')
    expect(await shop.sav(['import', 'tickets.csv', ...options])).toMatchObject({
      ...{ code: 2, stderr: expect.stringMatching(message) },
    })
  })

  it('reports the columns that it leaves out, also for NDJSON', async () => {
    const shop = await glpiShop()
    const rows = Array.from({ length: 101 }, (_, n) =>
      JSON.stringify({ nom: `N${n}`, ...(n === 100 && { remise: 5 }) }),
    )
    await shop.write('clients.ndjson', `${rows.join('\n')}\n`)
    expect(await shop.json('import clients.ndjson --type clients')).toMatchObject({
      columns_left_out: ['remise'],
    })
  })
})
