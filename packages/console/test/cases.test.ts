import { readFile } from 'node:fs/promises'
import { PNG } from 'pngjs'
import { describe, expect } from 'vitest'
import { needs } from '../../../test/needs.js'
import { it } from './browser.js'

const hasBrowser = needs('chromium', 'the screens for cases')

describe.runIf(hasBrowser)('cases in the browser', () => {
  it('show a close on site, its time, the text read before signing, and closes that arrived later', async ({
    openShop,
  }) => {
    const { page, open, api, book, complaints } = await openShop()
    await api('POST', '/api/v1/poseurs', { nom: 'Karim Benali' })
    await api('POST', '/api/v1/sav', { client_id: 1, description: 'La porte du four racle, en bas à droite.' })
    await book('2032-06-08T06:00:00.000Z', { sav_id: 1 })
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
    const [first, second] = [ago(3), ago(2)]
    const told = { resultat: 'resolu', compte_rendu: 'Charnière réglée.' }
    const vu = 'Dossier : La porte du four racle, en bas à droite.'
    const closed = await api('POST', '/api/v1/planning/1/intervention', {
      ...{ survenu_a: first, ...told },
      cloture: { resolution: 'Charnière réglée, porte contrôlée.', vu },
    })
    const again = await api('POST', '/api/v1/planning/1/intervention', {
      ...{ survenu_a: second, ...told },
      cloture: { resolution: 'Joint posé aussi.', reserves: ['Vitre rayée.'], signataire_nom: 'Hélène Durand', vu },
    })
    expect([closed.body.data.constat, again.body.data.constat.codes]).toEqual([null, ['rdv_termine', 'dossier_clos']])

    await open('/dossiers/1')
    const card = (title: string) =>
      page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) })
    const close = card('Résolution')
    await close.getByText('Close sur place').waitFor()
    await close.locator(`time[datetime="${first}"]`).waitFor()
    const later = card('Clôtures arrivées après coup')
    for (const text of ['Joint posé aussi.', 'Vitre rayée.', 'Signé par Hélène Durand'])
      await later.getByText(text, { exact: true }).waitFor()
    await later.locator(`time[datetime="${second}"]`).waitFor()
    expect(await page.getByText('a envoyé une clôture du terrain').count()).toBe(1)
    const visits = card('Visites précédentes')
    await expect.poll(() => visits.locator(`time[datetime="${first}"]`).count()).toBe(1)
    const [shown] = await Promise.all([page.waitForEvent('popup'), close.getByText('Voir le texte').click()])
    await shown.getByText(vu).waitFor()
    expect(complaints).toEqual([])
  })

  it('show conflicting notes of two editors, and let the second one choose', async ({ openShop }) => {
    const { page, open, api, complaints } = await openShop()
    await api('POST', '/api/v1/sav', { client_id: 1, description: 'Le tiroir du bas ne coulisse plus.' })
    await open('/dossiers/1')
    await page.getByText('Épingler une note interne').click()
    const notes = page.getByLabel('Notes internes')
    await notes.fill('Commander une glissière.')
    await api('PUT', '/api/v1/sav/1', { notes_internes: 'Rappeler avant midi.', priorite: 'urgente' })
    await page.getByRole('button', { name: 'Enregistrer les notes' }).click()
    // Neither a second save nor closing the dialog decides which of the two notes is kept.
    const dialog = page.getByRole('dialog', { name: 'Quelqu’un d’autre a modifié ce dossier' })
    await dialog.getByText('Rappeler avant midi.').waitFor()
    await dialog.getByText('Commander une glissière.').waitFor()
    const stored = async () => (await api('GET', '/api/v1/sav/1')).body.data.notes_internes
    expect(await stored()).toBe('Rappeler avant midi.')
    await dialog.getByRole('button', { name: 'Fermer' }).click()
    expect(await notes.inputValue()).toBe('Commander une glissière.')
    await page.getByText('Urgente').first().waitFor()
    await page.getByRole('button', { name: 'Enregistrer les notes' }).click()
    await dialog.getByText('Rappeler avant midi.').waitFor()
    expect(await stored()).toBe('Rappeler avant midi.')

    await dialog.getByRole('button', { name: 'Garder les deux' }).click()
    const both = 'Rappeler avant midi.\n\nCommander une glissière.'
    await expect.poll(stored).toBe(both)
    await expect.poll(() => notes.inputValue()).toBe(both)
    // The history has the previous text.
    const before = page.locator('.timeline li', { hasText: 'La note était' })
    await before.getByText('Rappeler avant midi.').waitFor()

    // A change of another field is no conflict.
    await notes.fill('Glissière commandée.')
    await api('PUT', '/api/v1/sav/1', { priorite: 'haute' })
    await page.getByRole('button', { name: 'Enregistrer les notes' }).click()
    await expect.poll(stored).toBe('Glissière commandée.')

    await notes.fill('Je m’en charge.')
    await api('PUT', '/api/v1/sav/1', { notes_internes: 'Client rappelé.' })
    await page.getByRole('button', { name: 'Enregistrer les notes' }).click()
    await dialog.getByRole('button', { name: 'Garder la note enregistrée' }).click()
    await expect.poll(() => notes.inputValue()).toBe('Client rappelé.')
    expect(await stored()).toBe('Client rappelé.')

    await notes.fill('Terminé.')
    await api('PUT', '/api/v1/sav/1', { notes_internes: 'Client absent.' })
    await page.getByRole('button', { name: 'Enregistrer les notes' }).click()
    await dialog.getByRole('button', { name: 'La remplacer par mon texte' }).click()
    await expect.poll(stored).toBe('Terminé.')
    await before.getByText('Client absent.').waitFor()
    expect(complaints).toEqual([])
  })

  it('enlarge photos to fill the screen, even if a close has only one', async ({ openShop }) => {
    const { page, open, api, complaints } = await openShop({ width: 1440 })
    const png = `data:image/png;base64,${PNG.sync.write(new PNG({ width: 1200, height: 900 })).toString('base64')}`
    await api('POST', '/api/v1/sav', { client_id: 1, description: 'La porte du four racle.', photos: [png] })
    await api('POST', '/api/v1/sav/1/cloturer', { resolution: 'Porte réglée et graissée.', photo_apres: png })
    await open('/dossiers/1')
    for (const name of ['Après', 'Photo 1']) {
      await page.locator('.photo', { has: page.getByRole('img', { name, exact: true }) }).click()
      const large = page.getByRole('dialog', { name }).getByRole('img', { name })
      await expect.poll(async () => ((await large.boundingBox())?.height ?? 0) > 500).toBe(true)
      await page.keyboard.press('Escape')
    }
    expect(complaints).toEqual([])
  })

  it('are changed by one choice, which can be undone', async ({ openShop }) => {
    const { page, open, api } = await openShop()
    await api('POST', '/api/v1/poseurs', { nom: 'Karim Benali' })
    await api('POST', '/api/v1/sav', { client_id: 1, description: 'La plinthe du côté fenêtre manque.' })
    await open('/dossiers/1')
    await page.getByLabel('Poseur').selectOption({ label: 'Karim Benali' })
    const undo = page.getByRole('status').getByRole('button', { name: 'Annuler' })
    await undo.waitFor()
    expect((await api('GET', '/api/v1/sav/1')).body.data.poseur_assigne).toMatchObject({ nom: 'Karim Benali' })
    await undo.click()
    await page.getByText('C’est annulé.').waitFor()
    expect((await api('GET', '/api/v1/sav/1')).body.data.poseur_assigne).toBeNull()
    // A second choice, made before the answer to the first one, does not conflict with it.
    const chosen = Promise.withResolvers<void>()
    await page.route('**/api/v1/sav/1', async (route) => {
      await chosen.promise
      await route.continue()
    })
    const sending = page.waitForRequest((request) => request.method() === 'PUT')
    await page.getByLabel('Priorité').selectOption('haute')
    await sending
    await page.getByLabel('Statut').selectOption('en_cours')
    chosen.resolve()
    const both = { priorite: 'haute', statut: 'en_cours' }
    await expect.poll(async () => (await api('GET', '/api/v1/sav/1')).body.data).toMatchObject(both)
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('keep a choice whose call got no answer, until it is sent again or undone', async ({ openShop }) => {
    const { page, open, api } = await openShop()
    await api('POST', '/api/v1/sav', { client_id: 1, description: 'La plinthe du côté fenêtre manque.' })
    const stored = async () => (await api('GET', '/api/v1/sav/1')).body.data
    await open('/dossiers/1')
    const away = page.getByRole('alert').filter({ hasText: 'ce que vous avez saisi est conservé' })
    const priority = page.getByLabel('Priorité')
    await page.route('**/api/v1/sav/1', (route) => route.abort())
    await priority.selectOption('haute')
    await away.waitFor()
    expect(await priority.inputValue()).toBe('haute')
    // When the page reads the case again, it shows the other user's change, and the unsent choice stays.
    await page.unroute('**/api/v1/sav/1')
    await page.route('**/api/v1/sav/1', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    )
    await api('PUT', '/api/v1/sav/1', { type_probleme: 'facade' })
    await expect.poll(() => page.getByLabel('Type').inputValue()).toBe('facade')
    expect(await priority.inputValue()).toBe('haute')

    // Changing the value back removes the message.
    await priority.selectOption('normale')
    await away.waitFor({ state: 'detached' })
    expect(await stored()).toMatchObject({ priorite: 'normale' })

    // A choice can be sent again.
    await page.getByLabel('Statut').selectOption('en_cours')
    await away.waitFor()
    await page.unroute('**/api/v1/sav/1')
    await away.getByRole('button', { name: 'Réessayer' }).click()
    await away.waitFor({ state: 'detached' })
    await expect.poll(stored).toMatchObject({ statut: 'en_cours', priorite: 'normale' })
    expect(await page.getByLabel('Statut').inputValue()).toBe('en_cours')
    // From then on, the field shows changes by others.
    await api('PUT', '/api/v1/sav/1', { statut: 'ouvert' })
    await expect.poll(() => page.getByLabel('Statut').inputValue()).toBe('ouvert')
  })

  it('without an installer are counted on the home page, however old they are', async ({ openShop }) => {
    const { page, open, api } = await openShop()
    const { body } = await api('POST', '/api/v1/poseurs', { nom: 'Karim Benali' })
    const add = async (description: string, of: { poseur_id?: number } = {}) =>
      expect((await api('POST', '/api/v1/sav', { client_id: 1, description, ...of })).status).toBe(201)
    for (const door of ['du four', 'du frigo', 'du cellier', 'vitrée', 'du garage', 'du bas', 'du haut'])
      await add(`La porte ${door} racle depuis la pose.`)
    const assigned = () => add('Le tiroir à couverts frotte en bas à gauche.', { poseur_id: body.data.id })
    for (let batch = 0; batch < 20; batch += 1) await Promise.all(Array.from({ length: 10 }, assigned))

    await open('/')
    const card = page.locator('.card', { has: page.getByRole('heading', { name: 'À attribuer' }) })
    await card.getByText('La porte du haut racle').waitFor()
    expect(await card.locator('li').count()).toBe(6)
    await card.getByRole('link', { name: /\b7\b/ }).click()
    await page.getByText('La porte du four racle').first().waitFor()
    expect(new URL(page.url()).searchParams.get('poseur_id')).toBe('aucun')
    expect(await page.getByText('Le tiroir à couverts').count()).toBe(0)
  })

  it('keep typed text over a reload, and show errors at their fields', async ({ openShop }) => {
    const { page, open } = await openShop()
    await open('/dossiers/nouveau')
    await page.getByLabel('Description').fill('Court mais gardé')
    await page.reload()
    expect(await page.getByLabel('Description').inputValue()).toBe('Court mais gardé')
    await page.getByRole('button', { name: 'Créer le dossier' }).click()
    await page.getByText('Choisissez un client, ou créez-le.').waitFor()
  })

  it('can be found while typing, by filters in the address, and with keys', async ({ openShop }) => {
    const { page, open, api } = await openShop()
    for (const description of ['La hotte ne s’allume plus.', 'Charnière cassée, porte dégondée.'])
      await api('POST', '/api/v1/sav', { client_id: 1, description, priorite: 'haute' })
    await open('/dossiers')
    await page.keyboard.press('/')
    await page.keyboard.type('hotte')
    // If the user types slowly, results appear before the end of the text.
    await page.waitForURL(/\?recherche=hotte$/)
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    await page.getByRole('searchbox').fill('')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2)
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /00001$/ }).waitFor()
    await page.goBack()
    // A click anywhere in a row acts as one on its link, with the same modifier keys.
    await page.getByText('La hotte ne s’allume plus.').click()
    await page.getByRole('heading', { name: /00001$/ }).waitFor()
    await page.goBack()
    const beside = page.context().waitForEvent('page')
    await page.getByText('La hotte ne s’allume plus.').click({ modifiers: ['ControlOrMeta'] })
    await (await beside).getByRole('heading', { name: /00001$/ }).waitFor()
    const middle = page.context().waitForEvent('page')
    await page.getByText('Charnière cassée, porte dégondée.').click({ button: 'middle' })
    await (await middle).getByRole('heading', { name: /00002$/ }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/app/dossiers')
    await page.getByRole('link', { name: 'Clos', exact: true }).click()
    await page.getByText('Aucun dossier ne correspond').waitFor()
    // Going back restores the previous search, also in the field.
    await page.keyboard.press('/')
    await page.keyboard.type('hotte')
    await page.waitForURL(/&recherche=hotte$/)
    await page.goBack()
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2)
    expect(new URL(page.url()).search).toBe('')
  })

  it('are listed in lines of equal height, and several can be selected by keyboard and assigned together', async ({
    openShop,
  }) => {
    const { page, open, api } = await openShop()
    await api('PUT', '/api/v1/clients/1', { lieu: { ligne1: '1 rue Basse', ville: 'Saint-Cyr-au-Mont-d’Or' } })
    await api('POST', '/api/v1/poseurs', { nom: 'Jean-Christophe Bouvet de la Rochefoucauld' })
    const description = 'Le tiroir du bas frotte quand on le ferme, il faut le pousser du genou. '.repeat(4)
    for (const poseur_id of [null, 1, null]) await api('POST', '/api/v1/sav', { client_id: 1, description, poseur_id })
    await open('/dossiers')
    const rows = page.locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(3)
    for (const width of [1024, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      for (const row of await rows.all()) expect((await row.boundingBox())?.height).toBe(40)
    }
    await page.getByRole('heading', { level: 1 }).focus()
    for (const key of ['j', 'x', 'j', 'j', 'x']) await page.keyboard.press(key)
    const chosen = page.getByRole('group', { name: '2 dossiers choisis' })
    await chosen.getByLabel('Attribuer à…').selectOption('1')
    await chosen.waitFor({ state: 'detached' })
    const assigned = async () =>
      (await api('GET', '/api/v1/sav')).body.data.map(
        (each: { poseur_assigne: unknown }) => each.poseur_assigne !== null,
      )
    await expect.poll(assigned).toEqual([true, true, true])
    await page.getByRole('button', { name: 'Annuler' }).click()
    await expect.poll(assigned).toEqual([false, true, false])
  })

  it('can be sorted by column heads, exported as filtered, and saved as views of the user', async ({ openShop }) => {
    const { page, open, api, signIn, complaints } = await openShop()
    const place = { lieu: { code_postal: '69700', ville: 'Givors' }, telephone: '06 12 34 56 78' }
    await api('PUT', '/api/v1/clients/1', place)
    for (const priorite of ['basse', 'urgente', 'normale'])
      await api('POST', '/api/v1/sav', { client_id: 1, description: 'La hotte ne s’allume plus.', priorite })
    const { body } = await api('POST', '/api/v1/clients', { nom: 'Nguyen', prenom: 'Paul' })
    await api('POST', '/api/v1/sav', { client_id: body.data.id, description: 'Le tiroir du bas ne coulisse plus.' })
    const shown = () => page.locator('tbody td:first-child a').allTextContents()
    const references = (...ends: readonly string[]) => ends.map((end) => expect.stringMatching(`${end}$`))
    await open('/dossiers')
    await page.getByText('Colonnes', { exact: true }).click()
    await page.getByLabel('Téléphone').check()
    await page
      .locator('tbody tr', { hasText: /06 ?12/ })
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Âge' }).getByRole('link').click()
    await expect.poll(shown).toEqual(references('1', '2', '3', '4'))
    await page.getByRole('columnheader', { name: 'Priorité' }).getByRole('link').click()
    await page.locator('th[aria-sort=descending]', { hasText: 'Priorité' }).waitFor()
    // The column head shows the new order before the rows arrive.
    await expect.poll(async () => (await shown())[0]).toMatch(/2$/)
    await page.getByText('Filtres', { exact: true }).click()
    await page.getByLabel('Ville ou rue').fill('Givors')
    await page.getByLabel('Ville ou rue').blur()
    await expect.poll(shown).toEqual(references('2', '3', '1'))
    await page.keyboard.press('Escape')

    await page.getByText('Exporter', { exact: true }).click()
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV', exact: true }).click(),
    ])
    expect(csv.suggestedFilename()).toBe('dossiers.csv')
    const [, ...rows] = (await readFile(await csv.path(), 'utf8')).trim().split('\n')
    expect(rows).toEqual(references('2', '3', '1').map(() => expect.stringContaining('Givors')))
    expect(rows[0]).toContain('urgente')
    const [xlsx] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Excel (XLSX)' }).click(),
    ])
    expect((await readFile(await xlsx.path())).subarray(0, 2).toString()).toBe('PK')

    const own = async () =>
      JSON.parse(String(await page.evaluate(`fetch('/api/v1/session/vues').then((answer) => answer.text())`))).data
    await page.getByText('Vues', { exact: true }).click()
    for (const name of ['À retirer', 'Givors, urgents d’abord']) {
      await page.getByLabel('Nom de la vue').fill(name)
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name }).waitFor()
    }
    const adresse = '/dossiers?ville=Givors&tri=-priorite'
    expect(await own()).toEqual([
      { nom: 'À retirer', adresse },
      { nom: 'Givors, urgents d’abord', adresse },
    ])
    // Another browser shows the same views.
    await page.context().clearCookies()
    await page.evaluate('localStorage.clear()')
    await signIn()
    await open('/dossiers')
    await page.getByText('Vues', { exact: true }).click()
    await page.getByRole('link', { name: 'Givors, urgents d’abord' }).click()
    await expect.poll(shown).toEqual(references('2', '3', '1'))
    await page.getByRole('button', { name: 'Retirer la vue À retirer' }).click()
    await expect.poll(async () => (await own()).length).toBe(1)

    // A 51st view is refused with a message. A view with an existing name replaces the old one.
    const vues = Array.from({ length: 50 }, (_, n) => ({ nom: `Vue ${n}`, adresse: '/dossiers' }))
    await page.evaluate(`fetch('/api/v1/session/vues', {
      method: 'PUT',
      headers: {
        'Content-Type': 'application/json',
        'X-Sav-Console': '1',
        'X-Request-Timestamp': String(Math.floor(Date.now() / 1000)),
      },
      body: ${JSON.stringify(JSON.stringify({ vues }))},
    })`)
    await page.reload()
    await page.getByText('Vues', { exact: true }).click()
    await page.getByRole('link', { name: 'Vue 49' }).waitFor()
    await page.getByLabel('Nom de la vue').fill('De trop')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByText('50 vues au plus : retirez-en une').count()).toBe(2)
    await page.getByLabel('Nom de la vue').fill('Vue 3')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Vue 3', exact: true }).waitFor()
    await expect.poll(async () => (await own()).at(-1)?.nom).toBe('Vue 3')
    expect((await own()).length).toBe(50)
    expect(complaints).toEqual([])
  })
})
