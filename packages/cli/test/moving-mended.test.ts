import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readyWorkplace } from './workplace.js'

/** The words of the command at the end of the output, split by a shell. */
function shownCommand(stdout: string): string[] {
  const command = /\n {2}sav (.*)\n*$/.exec(stdout)?.[1] ?? ''
  return execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
    .trim()
    .split('\n')
}

describe('refused rows', () => {
  it('are counted by reason, and written to the file of --errors in the order of the imported lines', async () => {
    const shop = await readyWorkplace()
    const rows = ['id_externe;client_id_externe;description;date_creation']
    for (let n = 1; n <= 450; n += 1)
      rows.push(n % 150 === 0 ? `${n};T1;Porte;01/01/2024;trop` : `${n};T${n % 2};Porte;01/01/2024`)
    await shop.write('dossiers.csv', rows.join('\n'))
    const { stdout } = await shop.sav('import dossiers.csv --errors faux.csv')
    expect(stdout).toContain(
      [
        'Refused:',
        '  447 × client_id_externe … exists neither in the import nor here (lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 …)',
        '    3 × it has more cells than the first line has columns (lines 151, 301, 451)',
        '',
      ].join('\n'),
    )
    const lines = (await readFile(join(shop.dir, 'faux.csv'), 'utf8')).trim().split('\n').slice(1)
    expect(lines.map((line) => Number(line.split(';')[0]))).toEqual(Array.from({ length: 450 }, (_, n) => n + 1))
    const { reasons } = await shop.sav('import dossiers.csv --json').then(({ stdout: json }) => JSON.parse(json))
    expect(reasons[1]).toEqual({
      ...{ outcome: 'refused', reason: 'it has more cells than the first line has columns' },
      ...{ count: 3, lines: [151, 301, 451] },
    })
  })

  it('are imported, once corrected, by the command that is shown', async () => {
    const shop = await readyWorkplace()
    await shop.json('accounts add lyon')
    await shop.write(
      'tiers.csv',
      'Id;Nom;Mobile 2;Email\n1;Durand;06 12 34 56 78;pas\n2;Petit;07 12 34 56 78;p@x.example\n',
    )
    await shop.write('interventions.csv', 'Id tiers;Id ligne;Date ligne;Technicien\n2;77;05/04/2024;Karim\n')
    const told = ['--mapping', 'dolibarr', '--map', 'Mobile 2=telephone', '--map', 'Technicien=poseur']
    const args = ['--account', 'lyon', 'import', 'tiers.csv', 'interventions.csv', ...told, '--errors', "l'écart.csv"]
    const moved = await shop.sav(args)
    const errors = "l'écart-clients.csv"
    const shown = shownCommand(`${moved.stdout.split('\n\n')[0]}\n`)
    expect(shown).toEqual([
      ...['--account', 'lyon', 'import', errors, '--type', 'clients', '--mapping', 'dolibarr'],
      ...['--map', 'Mobile 2=telephone', '--errors', errors],
    ])
    const mend = async (from: string, to: string) =>
      shop.write(errors, (await readFile(join(shop.dir, errors), 'utf8')).replace(from, to))
    await mend('pas', 'encore pas')
    expect((await shop.sav(shown)).code).toBe(1)
    await mend('encore pas', 'd@durand.example')
    expect(await shop.json(shown)).toMatchObject({ read: 1, created: 1 })
    const found = await shop.json('--account lyon clients list --recherche d@durand.example')
    expect(found).toMatchObject([{ nom: 'Durand', telephone: '06 12 34 56 78' }])
  })

  it('may overwrite the imported file, if that file was itself written for refused rows', async () => {
    const shop = await readyWorkplace()
    const rows = Array.from({ length: 3000 }, (_, n) => `${n};Durand ${n} ${'rue '.repeat(20)};${n % 2 ? 'pas' : ''}`)
    await shop.write('faux.csv', ['id_externe;nom;email;problem', ...rows.map((row) => `${row};email`)].join('\n'))
    const moved = await shop.sav('import faux.csv --errors faux.csv --json')
    expect(JSON.parse(moved.stdout)).toMatchObject({ read: 3000, created: 1500, refused: 1500 })
    expect((await readFile(join(shop.dir, 'faux.csv'), 'utf8')).trim().split('\n')).toHaveLength(1501)
    expect(await readdir(shop.dir)).not.toContain('faux.csv.part')
  })

  it('are shown with a command that names the same store', async () => {
    const shop = await readyWorkplace()
    await shop.json(['--database', 'sqlite:autre dossier/sav.db', 'init'])
    await shop.write('clients.csv', 'nom;email\nDurand;pas\n')
    const store = ['--database', 'sqlite:autre dossier/sav.db']
    const { stdout } = await shop.sav([...store, 'import', 'clients.csv', '--errors', 'faux.csv'])
    expect(shownCommand(stdout).slice(0, 3)).toEqual([...store, 'import'])
  })

  it('are also written with --dry-run', async () => {
    const shop = await readyWorkplace()
    await shop.write('clients.csv', 'nom;email\nDurand;pas\nPetit;p@x.example\n')
    const tried = await shop.sav('import clients.csv --dry-run --errors faux.csv')
    expect(tried.stdout).toMatch(
      /1 would be created.*\nRefused:.*\nThe rows that would be refused are in faux.csv\.\n$/s,
    )
    expect(await readFile(join(shop.dir, 'faux.csv'), 'utf8')).toMatch(/\nDurand;pas;email must/)
    expect(await shop.json('clients list')).toMatchObject([{ nom: 'Durand', prenom: 'Hélène' }])
  })
})

it('--errors may name the imported file only if it is a file of refused rows, and not with --dry-run', async () => {
  const shop = await readyWorkplace()
  await shop.write('clients.csv', 'nom;email\nDurand;pas\n')
  const into = (errors: string, ...args: string[]) => shop.sav(['import', 'clients.csv', ...args, '--errors', errors])
  const itself = { code: 2, stderr: '--errors ./clients.csv: that file is the one to be imported. Name another one.\n' }
  expect(await into('./clients.csv')).toMatchObject(itself)
  await shop.write('clients.csv', 'nom;email;problem\nDurand;pas;email\n')
  expect(await into('./clients.csv', '--dry-run')).toMatchObject(itself)
  expect(await into('./clients.csv')).toMatchObject({ code: 1 })
})

describe('a misspelt name', () => {
  it('in --map is refused, with the nearest heading or all headings', async () => {
    const shop = await readyWorkplace()
    await shop.write('a.csv', 'Nom du tiers;Email\nDurand;d@x.example\n')
    await shop.write('b.csv', 'nom;Portable perso\nKarim;06\n')
    const map = async (pair: string, ...files: string[]) => (await shop.sav(['import', ...files, '--map', pair])).stderr
    expect(await map('Nom du teirs=nom', 'a.csv', 'b.csv')).toBe(
      '--map "Nom du teirs=nom": no file has a column "Nom du teirs". Did you mean "Nom du tiers"?\n',
    )
    expect(await map('Société=nom', 'a.csv')).toMatch(/"Société"\. The columns are "Nom du tiers", "Email"\.\n$/)
    expect(await map('NOM DU TIERS=nom', 'a.csv')).toBe('')
  })

  it('in --map is not refused for NDJSON, where a later line may have that name', async () => {
    const shop = await readyWorkplace()
    await shop.write('clients.ndjson', '{"nom":"Durand","prenom":"Zoé"}\n')
    expect(await shop.json('import clients.ndjson --map Mobile=telephone')).toMatchObject({ created: 1 })
  })

  it('in --mapping is reported as a missing file, with the built-in mapping that may be meant', async () => {
    const shop = await readyWorkplace()
    await shop.write('a.csv', 'nom;email\nDurand;d@x.example\n')
    const mapping = async (name: string) => (await shop.sav(['import', 'a.csv', '--mapping', name])).stderr
    const only = 'there is no such file. The only built-in mapping is dolibarr'
    expect(await mapping('Dolibar')).toBe(`--mapping Dolibar: ${only}: did you mean that?\n`)
    expect(await mapping('colonnes.json')).toBe(`--mapping colonnes.json: ${only}.\n`)
  })
})

describe('an export of Dolibarr', () => {
  const files = {
    'tiers.csv': 'Id,Nom,Type du tiers,Email\n12,Alice Durand,Particulier,\n13,SARL L&#039;atelier,TPE,\n',
    'tickets.csv':
      'ID technique,Tiers,Sujet,Message,Date création\n201,12,Porte,"<p>Elle ne ferme plus<br>l&rsquo;&eacute;t&eacute;</p>",03/04/2024\n',
    'interventions.csv':
      'Id tiers,Id ligne,Date ligne intervention\n12,77,05/04/2024\n12,78,2024-04-06 00:00:00\n12,79,06/04/2024 09:30\n',
  }

  it('becomes persons and visits; HTML becomes plain text, and a visit without a time starts at 08:00', async () => {
    const shop = await readyWorkplace()
    for (const [name, content] of Object.entries(files)) await shop.write(name, content)
    await shop.shows(
      ['import', ...Object.keys(files), '--mapping', 'dolibarr'],
      0,
      /\n2 visits without a time of day: set to begin at 08:00\.\n/,
    )
    expect(await shop.json('clients list')).toMatchObject([
      { nom: 'Durand', prenom: 'Alice', raison_sociale: null },
      { prenom: 'Hélène' },
      { nom: "SARL L'atelier", prenom: '', raison_sociale: "SARL L'atelier" },
    ])
    expect(await shop.json('cases show 1')).toMatchObject({ description: 'Porte\nElle ne ferme plus\nl’été' })
    await shop.json('export -o sortie')
    const visits = (await readFile(join(shop.dir, 'sortie/visits.ndjson'), 'utf8')).trim().split('\n')
    expect(visits.map((line) => JSON.parse(line).debut)).toEqual([
      '2024-04-05T06:00:00.000Z',
      '2024-04-06T06:00:00.000Z',
      '2024-04-06T07:30:00.000Z',
    ])
    const again = await shop.sav(['import', ...Object.keys(files), '--mapping', 'dolibarr'])
    expect(again.stdout).not.toMatch(/without a time/)
  })

  it('is not converted without its mapping', async () => {
    const shop = await readyWorkplace()
    await shop.write('dossiers.csv', 'client_id,description,date_creation\n1,<p>&eacute;t&eacute;</p>,03/04/2024\n')
    await shop.json(['clients', 'add', '--nom', 'Durand SA', '--raison-sociale', 'Durand SA'])
    await shop.json('import dossiers.csv')
    expect(await shop.json('cases show 1')).toMatchObject({ description: '<p>&eacute;t&eacute;</p>' })
  })
})

it('an export of ours is refused by its own account; elsewhere, its ids match no ids of other systems', async () => {
  const shop = await readyWorkplace()
  await shop.json('export -o sortie')
  await shop.json('accounts add autre')
  await shop.write('clients.csv', 'id_externe;nom;email\n1;Petit;p@x.example\n')
  await shop.json('--account autre import clients.csv')
  expect(await shop.json('--account autre import sortie/clients.ndjson')).toMatchObject({ created: 1 })
  expect(await shop.json('--account autre clients list')).toMatchObject([{ nom: 'Durand' }, { nom: 'Petit' }])
  await shop.shows('import sortie/clients.ndjson', 1, /1 × id_externe comes from an export of this account/)
})
