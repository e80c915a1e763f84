import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readyWorkplace, workplace } from './workplace.js'

describe('clients import', () => {
  it.each([
    ['prenom,email\nAlice,h@example.com\n', /must name the columns, with nom among them\. It names prenom, email\.$/m],
    ['nom,prenom\n"a"\0\0\0,b\n', /^clients\.csv: it is not a CSV file: it contains bytes that are not text\.$/m],
    ['', /^clients\.csv: it is empty\.$/m],
    ['nom,prenom\n"A,B\n', /Quote/],
  ])('refuses %j as a whole', async (csv, message) => {
    const shop = await workplace()
    await shop.json('init')
    await shop.write('clients.csv', csv)
    const { code, stderr } = await shop.sav('clients import clients.csv')
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  })

  it('finds existing clients by e-mail, or by name and telephone, and obeys --duplicates for them', async () => {
    const shop = await workplace()
    await shop.json('init')
    await shop.json(['clients', 'add', '--nom', 'Lefèvre', '--prenom', 'Zoé', '--telephone', '06 12 34 56 78'])
    await shop.json('clients add --nom Petit --prenom Noé --email noe@example.com')
    await shop.write(
      'clients.csv',
      [
        'nom,prenom,email,telephone,adresse',
        'LEFEVRE,zoé,zoe@example.com,+33 6 12 34 56 78,',
        'Petit-Roux,Noé,NOE@example.com,,3 rue Basse',
        'Lefèvre,Zoé,,06 12 34 56 79,',
        'Nguyễn,Aïcha,a@example.com,,',
        'Nguyễn,Aïcha,a@example.com,04 78 00 00 00,',
        'Roux,Luc,,,1 place Carnot',
      ].join('\n'),
    )
    const file = ['clients', 'import', 'clients.csv']
    await shop.fails(
      [...file, '--duplicates', 'refuse'],
      2,
      /No client was added\.\n.*3 × exists already \(lines 2, 3, 6\)\n$/s,
    )
    const tried = await shop.sav([...file, '--duplicates', 'refuse', '--dry-run', '--errors', 'bad.csv'])
    expect([tried.code, tried.stdout]).toEqual([1, expect.stringContaining('3 would be created')])
    expect((await stat(join(shop.dir, 'bad.csv'))).mode & 0o777).toBe(0o600)
    expect(await shop.json([...file, '--dry-run'])).toMatchObject({ read: 6, created: 3, kept: 3 })
    expect(await shop.json('clients list')).toHaveLength(2)
    expect(await shop.json([...file, '--duplicates', 'merge'])).toMatchObject({ created: 3, updated: 3 })
    // Fields with a value are kept, and empty ones are filled.
    expect(await shop.json('clients show 1')).toMatchObject({ nom: 'Lefèvre', email: 'zoe@example.com' })
    expect(await shop.json('clients show 2')).toMatchObject({
      email: 'noe@example.com',
      adresse: '3 rue Basse',
    })
    expect(await shop.json('clients show 4')).toMatchObject({ telephone: '04 78 00 00 00' })
    // Imports the same file again, as after an interruption.
    expect(await shop.json(file)).toMatchObject({ created: 0, kept: 6 })
    expect(await shop.json('clients list')).toHaveLength(5)
    await shop.json('clients erase 1 --yes')
    expect(await shop.json(file)).toMatchObject({ created: 1, kept: 5 })
  })

  it('adds thousands of clients in batches, also over the network', async () => {
    const shop = await workplace()
    await shop.json('init')
    const csv = `nom,prenom\n${Array.from({ length: 3000 }, (_, n) => `Nom${n},Prénom`).join('\n')}\n`
    await shop.write('clients.csv', csv)
    expect(await shop.json('clients import clients.csv')).toMatchObject({ created: 3000 })
    const { stdout } = await shop.sav('clients list --recherche nom77 --limite 5')
    expect(stdout).toMatch(/Page 1 of 3, 11 in all/)
    const service = { SAV_URL: (await shop.serveHere()).url, SAV_API_KEY: await shop.newKey() }
    await shop.write('more.csv', `${csv}Nguyễn,Aïcha\nRoux,Luc\n`)
    expect(await shop.json('clients import more.csv', service)).toMatchObject({ created: 2, kept: 3000 })
  })
})

it('keys are shown once, listed without their secret, and revoked', async () => {
  const shop = await readyWorkplace()
  const create = ['keys', 'create', '--name', 'site', '--permissions', 'sav:read,sav:write']
  const bounds = ['--expires', '30d', '--allow-ip', '10.0.0.0/8', '::1']
  const made = await shop.json<{ id: string; key: string; expires_at: string }>([...create, ...bounds])
  expect(made).toMatchObject({
    key: expect.stringMatching(/^sav_live_/),
    permissions: ['sav:read', 'sav:write'],
    ips: ['10.0.0.0/8', '::1'],
  })
  const days = (Date.parse(made.expires_at) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(29.99)
  expect(days).toBeLessThanOrEqual(30)
  await shop.shows(create, 0, /^Key +sav_live_\w+\n[\s\S]*shown only once/)

  const listed = await shop.sav('keys list')
  expect(listed.stdout).toMatch(new RegExp(`${made.id} +site +valid`))
  expect(listed.stdout).not.toContain('sav_live_')
  await shop.fails(['keys', 'revoke', made.id], 2, /\(site\) for good\?.* Confirm with --yes/)
  expect((await shop.sav('keys revoke key_none --yes')).code).toBe(3)
  expect(await shop.json(['keys', 'revoke', made.id, '--yes'])).toMatchObject({ revoked_at: expect.any(String) })
  expect((await shop.sav('keys list')).stdout).toMatch(new RegExp(`${made.id} +site +revoked`))
})

const lieu = ['--ligne1', '12 quai Tilsitt', '--code-postal', '69002', '--ville', 'Lyon', '--acces', 'Code 14B']
const kept = {
  ligne1: '12 quai Tilsitt',
  code_postal: '69002',
  ville: 'Lyon',
  lat: null,
  lon: null,
  acces: 'Code 14B',
}

it('the place of a client, a poseur or an account is stored, replaced and removed', async () => {
  const shop = await readyWorkplace()
  const client = ['clients', 'add', '--nom', 'Petit', '--prenom', 'Aïcha']
  expect(await shop.json([...client, ...lieu])).toMatchObject({ lieu: kept })
  const poseur = ['poseurs', 'add', '--nom', 'Lucie Moreau', '--couleur', '#2f7d5b', '--email', 'lucie@example.com']
  expect(await shop.json([...poseur, '--lat', '45.7578', '--lon', '4.8320'])).toMatchObject({
    couleur: '#2f7d5b',
    email: 'lucie@example.com',
    lieu: { ligne1: null, lat: 45.7578, lon: 4.832 },
  })
  const places = 'poseurs update 1 --ville Givors --retour-ville Lyon --retour-code-postal 69003'
  const retour = { ville: 'Lyon', code_postal: '69003', acces: null }
  expect(await shop.json(places)).toMatchObject({
    couleur: '#2f7d5b',
    lieu: { ville: 'Givors' },
    lieu_retour: retour,
  })
  const elsewhere = ['poseurs', 'add', '--nom', 'Karim Benali', '--retour-lat', '45.7578', '--retour-lon', '4.8320']
  expect(await shop.json(elsewhere)).toMatchObject({ lieu: null, lieu_retour: { lat: 45.7578, lon: 4.832 } })
  const back = await shop.json(['poseurs', 'update', '1', '--retour-ville', ''])
  expect(back).toMatchObject({ lieu: { ville: 'Givors' }, lieu_retour: null })
  const update = ['accounts', 'update', 'default']
  const overseas = [...update, ...lieu, '--zone-feries', 'RE', '--fuseau', 'Indian/Reunion']
  expect(await shop.json(overseas)).toMatchObject({ lieu: kept, zone_feries: 'RE', fuseau: 'Indian/Reunion' })
  await shop.shows([...update, '--ville', 'Givors'], 0, /Place +Givors\n/)
  const senders = ['--nom-expediteur', 'Le SAV', '--repondre-a', 'sav@martin.example']
  expect(await shop.json([...update, ...senders, '--url-publique', 'https://sav.martin.example/'])).toMatchObject({
    ...{ nom_expediteur: 'Le SAV', repondre_a: 'sav@martin.example', url_publique: 'https://sav.martin.example' },
  })
  const emptied = await shop.json([...update, '--ville', '', '--fuseau', ''])
  expect(emptied).toMatchObject({ lieu: null, fuseau: null, zone_feries: 'RE' })
  expect((await shop.sav([...update, '--zone-feries', 'XX'])).stderr).toMatch(
    /--zone-feries XX: it must be one of FR, FR-57/,
  )
})
