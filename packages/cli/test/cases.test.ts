import { userInfo } from 'node:os'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../../test/whole/opening.js'
import { readSettings } from '../../command/src/settings/settings.js'
import { compose } from '../../command/src/store/compose.js'
import { cliActor } from '../../command/src/store/local-actor.js'
import { openStore } from '../../command/src/store/store.js'
import { stopClock } from './clock.js'
import { jpeg, png } from './images.js'
import { features } from './program.js'
import { readyWorkplace, type Workplace } from './workplace.js'

interface CreatedCase {
  readonly id: number
  readonly reference: string
}

const open = (shop: Workplace, description = 'La porte ne ferme plus', ...more: string[]) =>
  shop.json<CreatedCase>(['cases', 'create', '--client-id', '1', '--description', description, ...more])

describe('a case', () => {
  it('accepts comments and photos; closing it ends its appointment, and then `sav cases todo` is empty', async () => {
    const shop = await readyWorkplace()
    await shop.json(['poseurs', 'add', '--nom', 'Karim Benali'])
    const { id, reference } = await open(shop)
    await shop.write('evier.jpg', jpeg)
    const comment = await shop.json(['cases', 'comment', reference, '--texte', 'La cliente rappelle.'])
    expect(comment).toMatchObject({ texte: 'La cliente rappelle.', acteur: { type: 'cli' } })
    expect(await shop.json(['cases', 'comments', reference])).toEqual([comment])
    const book = (...more: string[]) =>
      shop.json<CreatedCase>(['planning', 'book', '--poseur-id', '1', '--duree', '60', ...more])
    const visit = await book('--sav-id', `${id}`, '--debut', '2036-01-16T09:00')
    const at = ['--rdv-id', `${visit.id}`]
    expect(await shop.json(['cases', 'add-photos', reference, '--photo', 'evier.jpg', ...at])).toMatchObject([
      { id: `${id}-1` },
    ])
    await shop.json(['cases', 'close', reference, '--resolution', 'Joint remplacé.', ...at, '--resultat', 'partiel'])
    expect(await shop.json(['planning', 'show', `${visit.id}`])).toMatchObject({
      ...{ statut: 'realise', resultat: 'partiel', compte_rendu: 'Joint remplacé.' },
    })
    expect(await shop.json('cases todo')).toEqual([])
    expect((await shop.sav('cases done client_absent-9-2')).code).toBe(3)
  })

  it('can be opened, changed, closed, verified by its evidence, and reopened', async () => {
    const shop = await readyWorkplace()
    await shop.json(['poseurs', 'add', '--nom', 'Karim Benali'])
    await shop.write('avant.jpg', jpeg)
    await shop.write('signature.PNG', png)

    const photos = ['--photo', 'avant.jpg', 'https://example.com/a.jpg']
    const { id, reference } = await open(shop, 'La porte ne ferme plus', '--priorite', 'haute', ...photos)
    expect([id, reference]).toEqual([1, expect.stringMatching(/^SAV-\d{4}-00001$/)])

    const update = `cases update ${reference} --statut en_cours --poseur-id 1 --notes-internes rappeler`
    expect(await shop.json(update)).toMatchObject({ statut: 'en_cours', poseur_assigne: { nom: 'Karim Benali' } })
    expect(await shop.json('cases update 1 --no-poseur-id --no-notes-internes')).toMatchObject({
      poseur_assigne: null,
      notes_internes: null,
    })

    const close = ['cases', 'close', reference, '--resolution', 'Charnière remplacée', '--photo-avant', 'avant.jpg']
    const signature = ['--signature', 'signature.PNG', '--signataire-nom', 'H. Durand']
    const signed = [...signature, '--reserve', 'Rayure', '--reserve', 'Jeu']
    const closed = await shop.json<{ hash_sha256: string }>([...close, ...signed])
    expect(closed).toMatchObject({ statut: 'clos', preuve: { sequence: 1 }, pv: { statut: 'non_configure' } })

    await shop.fails(close, 1, `Case ${reference} is already closed.\n`)

    const shown = await shop.json<{ historique: unknown[] }>(['cases', 'show', reference])
    expect(shown).toMatchObject({
      photos: [{ url: expect.stringMatching(/fichiers/) }, { url: 'https://example.com/a.jpg' }],
      signataire_nom: 'H. Durand',
      reserves: ['Rayure', 'Jeu'],
      preuve: [{ sequence: 1, hash_sha256: closed.hash_sha256 }],
    })
    expect(shown.historique[0]).toMatchObject({
      type: 'creation',
      acteur: { type: 'cli', id: null, nom: userInfo().username },
    })

    const page = (await shop.sav('cases show 1')).stdout
    const parts = [reference, 'Hélène Durand', 'Charnière remplacée', '2. Jeu', closed.hash_sha256]
    for (const part of [...parts, 'cloture statut: en_cours → clos']) expect(page).toContain(part)

    expect(await shop.json('evidence verify')).toEqual({ checked: 1, broken: [] })
    expect(await shop.json(['evidence', 'verify', reference])).toEqual({ checked: 1, broken: [] })
    expect(await shop.json(['cases', 'reopen', '1', '--motif', 'La porte grince encore'])).toMatchObject({
      statut: 'en_cours',
    })
  })

  it('is found by every filter of the list, which shows the newest case first', async () => {
    stopClock()
    const shop = await readyWorkplace()
    for (const priorite of ['basse', 'haute', 'haute'])
      await open(shop, `Façade rayée ${priorite}`, '--priorite', priorite)
    await shop.json('cases update 1 --statut en_cours')
    const ids = async (...filter: string[]) =>
      (await shop.json<CreatedCase[]>(['cases', 'list', ...filter])).map(({ id }) => id)
    const today = new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Paris' })
    expect(await ids()).toEqual([3, 2, 1])
    expect(await ids('--statut', 'ouvert', '--priorite', 'haute')).toEqual([3, 2])
    expect(await ids('--statut', 'non_clos')).toEqual([3, 2, 1])
    expect(await ids('--limite', '1', '--page', '2')).toEqual([2])
    expect(await ids('--recherche', 'facade BASSE')).toEqual([1])
    expect(await ids('--client-id', '1', '--depuis', '2020-01-01', '--modifie-depuis', '2020-01-01')).toEqual([3, 2, 1])
    expect(await ids('--client-id', '2')).toEqual([])
    expect(await ids('--poseur-id', '1')).toEqual([])
    const living = ['--nom', 'Nguyen', '--prenom', 'Paul', '--ville', 'Givors']
    await shop.json(['clients', 'add', ...living])
    await shop.json(['cases', 'create', '--client-id', '2', '--description', 'La plinthe se décolle.'])
    expect(await ids('--tri', 'ville')).toEqual([4, 3, 2, 1])
    expect(await ids('--sort', '-ville', '--statut', 'ouvert')).toEqual([3, 2, 4])
    expect((await shop.sav('cases list --tri taille')).code).toBe(2)

    const { stdout } = await shop.sav('cases list --limite 2')
    expect(stdout).toMatch(/^ID +REFERENCE +STATUS[^\n]*\n4 +SAV-/)
    expect(stdout).toContain(today)
    expect(stdout).toContain('Page 1 of 2, 4 in all')
    expect((await shop.sav('cases list --client-id 3')).stdout).toBe('No case found.\n')
  })
})

it('evidence verify exits with 1 when a byte was changed, and says where', async () => {
  const shop = await readyWorkplace()
  for (const _ of [1, 2]) await open(shop)
  for (const id of ['1', '2']) await shop.json(['cases', 'close', id, '--resolution', 'Charnière remplacée'])
  const { db, close } = await storeOf(shop)
  await db.updateTable('cases').set({ resolution: 'Rien du tout' }).where('id', '=', 2).execute()
  await close()

  const { code, stdout } = await shop.sav('evidence verify --json')
  expect([code, JSON.parse(stdout)]).toEqual([
    1,
    {
      checked: 2,
      broken: [{ sequence: 2, reference: expect.stringMatching(/00002$/), problem: expect.any(String) }],
    },
  ])
  expect((await shop.sav('evidence verify 1')).code).toBe(0)
  await shop.shows('evidence verify', 1, /2 {6}SAV-.*resolution[\s\S]*2 entries checked, 1 broken/)
})

async function storeOf(shop: Workplace) {
  const storage = await openSqlite(`${shop.dir}/sav-data/sav.db`)
  return { db: storage.db, close: () => storage.close() }
}

async function openMany(shop: Workplace, count: number): Promise<void> {
  const settings = readSettings({ env: {}, cwd: shop.dir, features })
  const store = await openStore(settings, () => {})
  const { cases } = await compose(settings, store)
  const create = () => cases.create(cliActor('default'), { client_id: 1, description: 'One of very many' })
  await Promise.all(Array.from({ length: count }, create))
  await store.storage.close()
}

describe('cases export', () => {
  it('writes every case once, over several pages, as CSV and as JSON lines', async () => {
    const shop = await readyWorkplace()
    await open(shop, '=HYPERLINK("http://evil"), "quoted"\nand broken')
    await open(shop, 'Second case, closed')
    await shop.json(['cases', 'close', '2', '--resolution', 'Charnière remplacée', '--reserve', 'a', '--reserve', 'b'])
    const total = 405
    await openMany(shop, total - 2)

    const { code, stdout } = await shop.sav('cases export')
    expect(code).toBe(0)
    const rows = parse<Record<string, string>>(stdout, { columns: true })
    expect(new Set(rows.map(({ id }) => id)).size).toBe(total)
    expect(rows).toHaveLength(total)
    // The apostrophe keeps a spreadsheet from running the text as a formula.
    expect(rows.find(({ id }) => id === '1')).toMatchObject({
      description: '\'=HYPERLINK("http://evil"), "quoted"\nand broken',
      client_nom: 'Durand',
      date_cloture: '',
    })
    expect(rows.find(({ id }) => id === '2')).toMatchObject({
      statut: 'clos',
      reserves: 'a\nb',
      hash_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })

    await shop.shows('cases export --excel', 0, /^\ufeffid;reference;statut;/)
    const lines = (await shop.sav('cases export --format ndjson')).stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(total)
    expect(lines.map((line) => JSON.parse(line)).find(({ id }) => id === 1)).toMatchObject({
      description: '=HYPERLINK("http://evil"), "quoted"\nand broken',
      historique: [{ type: 'creation' }],
    })
  })

  it('writes one array with --json, even without cases', async () => {
    const shop = await readyWorkplace()
    expect(await shop.json('cases export')).toEqual([])
    for (let n = 0; n < 2; n += 1) await open(shop)
    expect(await shop.json('cases export')).toMatchObject([{ id: 2 }, { id: 1 }])
  })

  it('writes text unchanged to a file, but without control characters to a terminal', async () => {
    const shop = await readyWorkplace()
    const typed = 'Charnière\u001b[2J\u009b31m\u202e à régler\nsous l’évier'
    await open(shop, typed)
    expect((await shop.sav('cases export')).stdout).toContain(typed)
    const { stdout } = await shop.sav('cases export', {}, { columns: 80 })
    expect(stdout).toContain('Charnière\ufffd[2J\ufffd31m\ufffd à régler\nsous l’évier')
  })

  it('ends without an error when its reader stops reading', async () => {
    const shop = await readyWorkplace()
    for (let n = 0; n < 3; n += 1) await open(shop)
    const child = shop.start('cases export')
    child.process.stdout?.destroy()
    expect(await child.ended()).toMatchObject({ code: 0, stderr: '' })
  })
})
