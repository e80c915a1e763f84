import { describe, expect, it } from 'vitest'
import { readyWorkplace } from './workplace.js'

const table = (delimiter: string, end: string) =>
  [
    ['Nom', 'Prénom', 'Téléphone', 'E-mail', 'Ville'],
    ['Lévêque', 'Hélène', '06 12 34 56 78', 'helene@x.example', 'Bourg-en-Bresse'],
    ['Crémieux', 'Noël', '07 00 11 22 33', 'noel@x.example', 'Pont-de-Chéruy'],
  ]
    .map((row) => row.join(delimiter) + end)
    .join('')

/** The bytes of letters in other encodings than Latin-1, as Python's codecs write them. */
const accents: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  cp850: { é: 0x82, è: 0x8a, ê: 0x88, ë: 0x89 },
  macintosh: { é: 0x8e, è: 0x8f, ê: 0x90, ë: 0x91 },
}
const bytesIn = (encoding: string, text: string) =>
  Buffer.from(
    text.replaceAll(/[^\0-\x7f]/g, (letter) => String.fromCharCode(accents[encoding]?.[letter] ?? 0)),
    'latin1',
  )

const swapped = (text: string) => Buffer.from(`\u{FEFF}${text}`, 'utf16le').swap16()

/** A sheet as Excel saves it, by the name of the format. */
const saved: Readonly<Record<string, Uint8Array>> = {
  'CSV UTF-8': Buffer.from(`\u{FEFF}${table(';', '\r\n')}`),
  CSV: Buffer.from(table(';', '\r\n'), 'latin1'),
  'CSV (MS-DOS)': bytesIn('cp850', table(';', '\r\n')),
  'CSV (Macintosh)': bytesIn('macintosh', table(';', '\r\n')),
  'CSV (Macintosh), of a Macintosh': bytesIn('macintosh', table(';', '\r')),
  'Unicode text': Buffer.from(`\u{FEFF}${table('\t', '\r\n')}`, 'utf16le'),
  'Unicode text, big end first': swapped(table('\t', '\r\n')),
  'CSV with its separator': Buffer.from(`sep=|\r\n${table('|', '\r\n')}`, 'latin1'),
  'Unicode text with its separator': Buffer.from(`\u{FEFF}sep=\t\r\n${table('\t', '\r\n')}`, 'utf16le'),
}

const kept = [
  { nom: 'Crémieux', prenom: 'Noël', telephone: '07 00 11 22 33', lieu: { ville: 'Pont-de-Chéruy' } },
  { nom: 'Durand' },
  { nom: 'Lévêque', prenom: 'Hélène', telephone: '06 12 34 56 78', lieu: { ville: 'Bourg-en-Bresse' } },
]

describe('a sheet of Excel', () => {
  it.each(Object.entries(saved))(
    'saved as %s is read as it was typed, from a file and from standard input',
    async (_, input) => {
      const shop = await readyWorkplace()
      await shop.write('clients.csv', input)
      expect(await shop.json('import clients.csv')).toMatchObject({ created: 2, refused: 0, columns_left_out: [] })
      expect(await shop.json('clients list')).toMatchObject(kept)
      const again = await shop.sav('clients import - --json', {}, { input })
      expect([again.stderr, JSON.parse(again.stdout)]).toMatchObject(['', { created: 0, kept: 2 }])
    },
  )

  it.each([
    ['a workbook', Buffer.from('PK\x03\x04\x14\0\x06\0'), /^f\.csv: it is a workbook.*Save As > “CSV UTF-8/],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /^f\.csv: it is a workbook of Excel \(\.xls\)/],
    ['a page', Buffer.from('<html><table><tr><td>Nom'), /^f\.csv: it is HTML or XML/],
    ['a database', Buffer.from('SQLite format 3\0\x10\0'), /^f\.csv: it is not a CSV file: it contains bytes/],
    ['UTF-16 that breaks off', Buffer.from('fffe4e006f00d8', 'hex'), /^f\.csv: it begins as UTF-16/],
    [
      'a line in another encoding',
      Buffer.concat([Buffer.from('nom,prenom\nLévêque,Zoé\n'), Buffer.from('Lé,Z\n', 'latin1')]),
      /^f\.csv: line 3 is neither UTF-8 nor French/,
    ],
    [
      'a word of two readings',
      Buffer.from('nom,prenom\nDÔME,A\n', 'latin1'),
      /^f\.csv: line 2 may be windows-1252 \("DÔME"\) or cp850 \("DÈME"\)\. Set --encoding/,
    ],
  ])('%s is refused with an explanation before anything is stored', async (_, bytes, message) => {
    const shop = await readyWorkplace()
    await shop.write('f.csv', bytes)
    for (const command of [['import'], ['clients', 'import']])
      expect(await shop.sav([...command, 'f.csv'])).toMatchObject({ code: 2, stderr: expect.stringMatching(message) })
    expect(await shop.json('clients list')).toMatchObject([{ nom: 'Durand' }])
  })

  it('with the line ends of old Macintosh files is split into lines, however long it is', async () => {
    const shop = await readyWorkplace()
    const rows = Array.from({ length: 3000 }, (_, n) => `Lévêque${n};Zoé;${'12 rue '.repeat(60)}\r`)
    await shop.write('clients.csv', bytesIn('macintosh', `nom;prénom;adresse\r${rows.join('')}`))
    const tried = ['clients.csv', '--dry-run', '--json']
    expect(await shop.json(['import', ...tried])).toMatchObject({ created: 3000 })
    expect(await shop.json(['clients', 'import', ...tried])).toMatchObject({ read: 3000, refused: 0 })
  })

  it('is read with --encoding if its letters are ambiguous', async () => {
    const shop = await readyWorkplace()
    await shop.write('f.csv', Buffer.from('nom,prenom\nDÔME,A\n', 'latin1'))
    await shop.json('import f.csv --type clients --encoding windows-1252')
    await shop.json('clients import f.csv --encoding cp850')
    const names = (await shop.json<{ nom: string }[]>('clients list')).map(({ nom }) => nom)
    expect(names.toSorted()).toEqual(['Durand', 'DÈME', 'DÔME'])
  })

  it('gives clean e-mail addresses and telephone numbers, however they were typed or changed by Excel', async () => {
    const shop = await readyWorkplace()
    const cells = [
      ['Nom', 'Prénom', 'E-mail', 'Téléphone'],
      ['Un', 'A', '"\u{A0}a@x.example "', '612345678'],
      ['Deux', 'B', 'b@x.example / b2@x.example', '"6,12345678E+08"'],
      ['Trois', 'C', 'Claire <claire@société.fr>', '33612345678'],
      ['Quatre', 'D', '', '"6,12346E+08"'],
    ]
    await shop.write('clients.csv', cells.map((row) => row.join(';')).join('\n'))
    const { stdout } = await shop.sav('clients import --errors bad.csv clients.csv')
    expect(stdout).toMatch(/email has several addresses: b@x\.example is kept, .*\(found b2@x\.example\)/)
    expect(stdout).toMatch(/telephone .*\(found 6,12346E\+08\)/)
    expect(await shop.json('clients list')).toMatchObject([
      { email: 'b@x.example', telephone: '0612345678' },
      { nom: 'Durand' },
      { nom: 'Quatre', email: null },
      { email: 'claire@xn--socit-esab.fr', telephone: '+33612345678' },
      { email: 'a@x.example', telephone: '0612345678' },
    ])
  })
})
