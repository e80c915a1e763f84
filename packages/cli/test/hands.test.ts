import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { inputs } from '@sav/core/adapter'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { jpeg, png } from './images.js'
import { createProgram } from './program.js'
import { readyWorkplace } from './workplace.js'

it('a list ends with page, total and how to continue; with --json, terminals get this on standard error', async () => {
  const shop = await readyWorkplace()
  for (const nom of ['Petit', 'Nguyễn']) await shop.json(['clients', 'add', '--nom', nom, '--prenom', 'Aïcha'])
  const footers = [
    ['clients list', 'Page 1 of 1, 3 in all.'],
    ['clients list --limite 2', 'Page 1 of 2, 3 in all. Next: --page 2; more at once: --limite; everything: --all.'],
    ['clients list --limite 2 --page 2', 'Page 2 of 2, 3 in all.'],
    ['clients list --limite 2 --page 9', 'Page 9 of 2, 3 in all.'],
    ['poseurs list', 'Page 1 of 1, 0 in all.'],
    ['cases list', 'Page 1 of 1, 0 in all.'],
    ['webhooks history', '0 shown, no older ones.'],
    ['audit list --key key_none', '0 shown, no older ones.'],
    ['audit list', '3 shown, no older ones.'],
  ] as const
  for (const [command, footer] of footers) {
    const asText = await shop.sav(command)
    // For an empty list, a sentence is printed instead of the count.
    const last = footer.includes(' 0 in all') || footer.startsWith('0 ') ? /^No \w+ found\.\n$/ : `\n\n${footer}\n`
    expect([command, asText.stdout, asText.stderr]).toEqual([command, expect.stringMatching(last), ''])
    const asJson = await shop.sav(`${command} --json`, {}, { attended: true })
    expect([command, asJson.stderr, JSON.parse(asJson.stdout)]).toEqual([command, `${footer}\n`, expect.any(Array)])
  }
  for (const n of [1, 2]) {
    const add = ['webhooks', 'add', `https://example.com/${n}`, '--all-events']
    const { id } = await shop.json<{ id: string }>(add)
    await shop.json(['webhooks', 'test', id])
  }
  await shop.shows('webhooks history --limit 1', 0, /\n\n1 shown; older ones: --limit, or --all\.\n$/)
})

it('sav clients and sav poseurs show one record, and change only the given fields', async () => {
  const shop = await readyWorkplace()
  const before = await shop.json<object>('clients show 1')
  const changed = await shop.json('clients update 1 --email h@example.com --whatsapp')
  expect(changed).toEqual({ ...before, email: 'h@example.com', whatsapp: true })
  await shop.shows('clients show 1', 0, /^E-mail +h@example\.com$/m)
  expect(await shop.json(['clients', 'update', '1', '--email', '', '--no-whatsapp'])).toEqual(before)
  await shop.json('poseurs add --nom Karim')
  expect(await shop.json(['poseurs', 'update', '1', '--nom', 'Karim Benali', '--no-actif'])).toMatchObject({
    nom: 'Karim Benali',
    actif: false,
  })
  expect(await shop.json('poseurs update 1 --actif')).toMatchObject({ nom: 'Karim Benali', actif: true })
  for (const [command, code] of [
    ['clients show 9', 3],
    ['clients update 9 --nom X', 3],
    ['clients update 1', 2],
    ['poseurs update 1', 2],
    ['poseurs update 9 --actif', 3],
    ['clients update 1 --email nope', 2],
  ] as const)
    expect([command, (await shop.sav(command)).code]).toEqual([command, code])
})

describe('every field', () => {
  it.each([
    ['clients update', inputs.updateClient()],
    ['poseurs update', inputs.updatePoseur()],
    ['accounts update', inputs.account()],
  ] as const)('of %s has an option', (words, input) => {
    let command = createProgram({ stdout: process.stdout } as never, async () => {}) as Command | undefined
    for (const word of words.split(' ')) command = command?.commands.find((each) => each.name() === word)
    const flags = new Set(command?.options.map((option) => option.attributeName()))
    const flagOf = (field: string) => ({ lieu: 'ville', lieu_retour: 'retour_ville' })[field] ?? field
    expect(Object.keys(input.shape).filter((field) => !flags.has(flagOf(field)))).toEqual([])
  })

  it('with several values can be set and emptied', async () => {
    const shop = await readyWorkplace()
    const texts = ['Charnière remplacée.', 'Porte réglée.']
    const account = ['accounts', 'update', '--textes-terrain']
    expect(await shop.json([...account, ...texts])).toMatchObject({ textes_terrain: texts })
    expect(await shop.json([...account, ''])).toMatchObject({ textes_terrain: [] })
  })
})

it('sav cases files and report write the files of a case, and overwrite nothing', async () => {
  const shop = await readyWorkplace()
  const [photo, signature] = [await shop.write('a.jpg', jpeg), await shop.write('s.png', png)]
  const { reference } = await shop.json<{ reference: string }>([
    ...['cases', 'create', '--client-id', '1', '--description', 'Tiroir à régler, côté évier'],
    ...['--photo', photo, 'https://photos.example/b.jpg'],
  ])
  const waiting = await shop.sav(['cases', 'report', reference, '-o', 'pv.pdf'])
  expect(waiting.code).toBe(3)
  const close = ['cases', 'close', reference, '--resolution', 'Tiroir réglé', '--photo-apres', photo]
  await shop.json([...close, '--signature', signature])
  const { files } = await shop.json<{ files: string[] }>(['cases', 'files', reference, '-o', 'out/files'])
  expect(files).toEqual([`${reference}-photo-1.jpg`, `${reference}-apres.jpg`, `${reference}-signature.png`])
  expect((await readdir(join(shop.dir, 'out/files'))).sort()).toEqual([...files].sort())
  expect(await readFile(join(shop.dir, 'out/files', `${reference}-photo-1.jpg`))).toEqual(Buffer.from(jpeg))
  expect((await stat(join(shop.dir, 'out/files', `${reference}-photo-1.jpg`))).mode & 0o777).toBe(0o600)
  // As after an interruption: existing files are kept, and the missing one is written.
  await rm(join(shop.dir, 'out/files', `${reference}-apres.jpg`))
  const again = () => shop.sav(['cases', 'files', reference, '-o', 'out/files'])
  expect((await again()).code).toBe(0)
  expect((await readdir(join(shop.dir, 'out/files'))).sort()).toEqual([...files].sort())
  await shop.write(`out/files/${reference}-apres.jpg`, 'of somebody else')
  expect(await again()).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/apres\.jpg exists already with other/),
  })

  expect((await shop.sav('cases report 1 -o pv.pdf')).stderr).toMatch(/not drawn yet/)
  await shop.serveHere()
  await expect.poll(async () => (await shop.sav('cases report 1 -o pv.pdf')).code).toBe(0)
  expect((await readFile(join(shop.dir, 'pv.pdf'))).subarray(0, 5).toString()).toBe('%PDF-')
})

describe('--all', () => {
  it('prints a whole list that is longer than any page, on the store and over the network', async () => {
    const shop = await readyWorkplace()
    const names = Array.from({ length: 450 }, (_, n) => `Nom ${String(n).padStart(3, '0')}`)
    await shop.write('clients.csv', ['nom,prenom', ...names.map((nom) => `${nom},Zoé`)].join('\n'))
    await shop.json('clients import clients.csv')
    const all = ['clients', 'list', '--all']
    const told = await shop.sav([...all, '--json'])
    expect(JSON.parse(told.stdout).map(({ nom }: { nom: string }) => nom)).toEqual(['Durand', ...names])
    expect(told.stderr).toBe('')
    const text = await shop.sav(all)
    for (const nom of names) expect(text.stdout).toContain(nom)
    expect(text.stderr).toBe('451 in all.\n')
    // A pipe gets the heading only once: every other line is a row.
    expect(
      text.stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/ +/)[0]),
    ).toEqual(['ID', ...names.map((_, n) => `${n + 1}`), '451'])
    const there = { SAV_URL: (await shop.serveHere()).url, SAV_API_KEY: await shop.newKey() }
    expect(await shop.sav([...all, '--json'], there)).toEqual(told)
    expect((await shop.sav([...all, '--json'], {}, { attended: true })).stderr).toBe('451 in all.\n')
  })

  it('prints an empty array if there is no row, and cannot be combined with a page or a limit', async () => {
    const shop = await readyWorkplace()
    for (const list of ['cases list', 'poseurs list', 'webhooks history', 'audit list --key key_none'])
      await shop.shows(`${list} --all --json`, 0, '[]\n')
    for (const list of ['cases list --page 2', 'clients list --limite 3', 'webhooks history --limit 3'])
      expect((await shop.sav(`${list} --all`)).code).toBe(2)
  })

  it('prints the whole audit', async () => {
    const shop = await readyWorkplace()
    for (let n = 0; n < 3; n += 1) await shop.json(['poseurs', 'add', '--nom', `P${n}`])
    const calls = await shop.json<{ request_id: string }[]>('audit list --all')
    expect(calls).toEqual(await shop.json('audit list --limit 1000'))
    expect(calls.length).toBeGreaterThan(3)
  })
})
