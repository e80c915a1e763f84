import { describe, expect, it } from 'vitest'
import { readyWorkplace, workplace } from './workplace.js'

interface Client {
  readonly id: number
  readonly nom: string
  readonly whatsapp: boolean
}

describe('clients import', () => {
  it.each([
    ['commas', 'nom,prenom,email,whatsapp\nDurand,Hélène,h@example.com,oui\n"Le Goff, dit Jo",Jo,,\n'],
    [
      'semicolons and a byte order mark',
      '\ufeffNom;Prenom;Email;WhatsApp\r\nDurand;Hélène;h@example.com;OUI\r\n"Le Goff, dit Jo";Jo;;non\r\n\r\n',
    ],
  ])('adds the clients of a file with %s', async (_, csv) => {
    const place = await workplace()
    await place.json(['init'])
    await place.write('clients.csv', csv)
    expect(await place.json(['clients', 'import', 'clients.csv', '--dry-run'])).toEqual({
      read: 2,
      imported: 0,
      ids: [],
    })
    expect(await place.json(['clients', 'list'])).toEqual([])
    expect(await place.json(['clients', 'import', 'clients.csv'])).toEqual({ read: 2, imported: 2, ids: [1, 2] })
    expect(await place.json<Client[]>(['clients', 'list'])).toMatchObject([
      { nom: 'Durand', prenom: 'Hélène', email: 'h@example.com', whatsapp: true },
      { nom: 'Le Goff, dit Jo', prenom: 'Jo', email: null, whatsapp: false },
    ])
  })

  it('names every bad line, and adds nobody', async () => {
    const place = await workplace()
    await place.json(['init'])
    await place.write(
      'clients.csv',
      'nom,prenom,email,whatsapp\nDurand,Hélène,,\n,Paul,paul@,\nPetit,Aïcha,,peut-être\nA,B,,,too much\nMoreau,Lucie,,\n',
    )
    const { code, stderr } = await place.sav(['clients', 'import', 'clients.csv'])
    expect([code, stderr]).toEqual([
      2,
      'clients.csv: nobody was added.\n' +
        'line 3: nom must be 1 to 120 characters (found 0)\n' +
        'line 3: email must be an e-mail address\n' +
        'line 4: whatsapp must be oui or non (found peut-être)\n' +
        'line 5: more cells than the first line has columns\n',
    ])
    expect(await place.json(['clients', 'list'])).toEqual([])
  })

  it.each([
    ['nom,email\nDurand,h@example.com\n', /the first line must name the columns/],
    ['nom,prenom,nom\nA,B,C\n', /the first line must name the columns/],
    ['nom,prenom,age\nA,B,3\n', /found "nom", "prenom", "age"/],
    ['', /found nothing/],
    ['nom,prenom\n"A,B\n', /Quote/],
    [Buffer.from('nom,prenom\nDurand,H\xe9l\xe8ne\n', 'latin1'), /is not UTF-8: save it as "CSV UTF-8"/],
  ])('refuses %j as a whole', async (csv, message) => {
    const place = await workplace()
    await place.json(['init'])
    await place.write('clients.csv', csv)
    const { code, stderr } = await place.sav(['clients', 'import', 'clients.csv'])
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  })

  it('takes 10000 clients at once, and not one more', async () => {
    const place = await workplace()
    await place.json(['init'])
    const csv = `nom,prenom\n${Array.from({ length: 10_000 }, (_, n) => `Nom${n},Prénom`).join('\n')}\n`
    await place.write('clients.csv', csv)
    await place.write('more.csv', `${csv}Un,Trop\n`)
    expect((await place.sav(['clients', 'import', 'more.csv'])).stderr).toMatch(/has 10001 clients: split it/)
    expect(await place.json(['clients', 'import', 'clients.csv'])).toMatchObject({ imported: 10_000 })
    const { stdout } = await place.sav(['clients', 'list', '--recherche', 'nom77', '--limite', '5'])
    expect(stdout).toMatch(/Page 1 of 23, 111 in all/)
  })

  it('says which file is missing', async () => {
    const place = await readyWorkplace()
    const { code, stderr } = await place.sav(['clients', 'import', 'none.csv'])
    expect([code, stderr]).toEqual([2, expect.stringMatching(/none\.csv: ENOENT/)])
  })
})

describe('accounts', () => {
  it('say of themselves what is printed, and whether they need a signature', async () => {
    const place = await readyWorkplace()
    await place.json(['accounts', 'add', 'lyon'])
    expect((await place.sav(['accounts', 'add', 'lyon'])).code).toBe(1)
    const update = ['accounts', 'update', 'lyon']
    expect(
      await place.json([
        ...update,
        '--raison-sociale',
        'Cuisines SARL',
        '--siret',
        '12345678901234',
        '--signature-requise',
      ]),
    ).toMatchObject({ raison_sociale: 'Cuisines SARL', siret: '12345678901234', signature_requise: true })
    expect(await place.json([...update, '--raison-sociale', '', '--no-signature-requise'])).toMatchObject({
      raison_sociale: null,
      siret: '12345678901234',
      signature_requise: false,
    })
    expect(await place.json(['accounts', 'list'])).toMatchObject([{ id: 'default' }, { id: 'lyon' }])
    expect((await place.sav([...update, '--email', 'a@example.com'])).stdout).toMatch(/E-mail +a@example\.com/)
  })
})

describe('keys', () => {
  it('are shown once, listed without their secret, and revoked', async () => {
    const place = await readyWorkplace()
    const create = ['keys', 'create', '--name', 'site', '--permissions', 'sav:read,sav:write']
    const made = await place.json<{ id: string; key: string; expires_at: string }>([
      ...create,
      '--expires',
      '30d',
      '--allow-ip',
      '10.0.0.0/8',
      '::1',
    ])
    expect(made).toMatchObject({
      key: expect.stringMatching(/^sav_live_/),
      permissions: ['sav:read', 'sav:write'],
      ips: ['10.0.0.0/8', '::1'],
    })
    const days = (Date.parse(made.expires_at) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(29.99)
    expect(days).toBeLessThanOrEqual(30)
    expect((await place.sav(create)).stdout).toMatch(/^Key +sav_live_\w+\n[\s\S]*shown this once/)

    const listed = await place.sav(['keys', 'list'])
    expect(listed.stdout).toMatch(new RegExp(`${made.id} +site +valid`))
    expect(listed.stdout).not.toContain('sav_live_')
    expect(await place.json(['keys', 'revoke', made.id])).toMatchObject({ revoked_at: expect.any(String) })
    expect((await place.sav(['keys', 'list'])).stdout).toMatch(new RegExp(`${made.id} +site +revoked`))
  })
})

describe('poseurs', () => {
  it('are added and listed', async () => {
    const place = await readyWorkplace()
    expect(await place.json(['poseurs', 'add', '--nom', 'Karim Benali'])).toEqual({
      id: 1,
      nom: 'Karim Benali',
      actif: true,
    })
    expect((await place.sav(['poseurs', 'list'])).stdout).toMatch(/^ID +NOM +STATE\n1 +Karim Benali +active\n$/)
  })
})
