import { readFile } from 'node:fs/promises'
import { describe, expect, onTestFinished } from 'vitest'
import { needs } from '../../../test/needs.js'
import { png } from '../../cli/test/images.js'
import { it } from './browser.js'

const hasBrowser = needs('chromium', 'the office’s daily work')

/** A Tuesday in the summer time of Paris. */
const date = '2032-06-08'
const description = 'La porte du four racle, en bas à droite.'

describe.runIf(hasBrowser)('the office in the browser', () => {
  it('begins with what needs attention, and searches for a caller’s words from any screen', async ({ openShop }) => {
    const { page, open, api, book, complaints } = await openShop()
    await api('POST', '/api/v1/poseurs', { nom: 'Karim Benali' })
    await api('PUT', '/api/v1/clients/1', {
      telephone: '06 12 34 56 78',
      lieu: { ligne1: '12 quai Tilsitt', code_postal: '69700', ville: 'Givors' },
    })
    await api('POST', '/api/v1/sav', { client_id: 1, description })
    await book(`${date}T06:00:00.000Z`, { sav_id: 1 })
    const absence = { debut: `${date}T00:00:00.000Z`, fin: `${date}T20:00:00.000Z`, motif: 'Grippe' }
    await api('PUT', '/api/v1/planning/poseurs/1/absences', { absences: [absence] })

    await open('/')
    await page.getByText('Karim Benali · Grippe').waitFor()
    await page.getByRole('link', { name: 'Visite pendant une absence · Hélène Durand' }).click()
    await page.getByRole('dialog').getByText('mardi 8 juin, 08:00 – 09:00').waitFor()
    await page.keyboard.press('Escape')
    await open('/')
    await page.getByRole('button', { name: 'Marquer comme traité' }).click()
    await page.getByText('Rien n’attend : tout est traité.').waitFor()
    expect((await api('GET', '/api/v1/a-traiter')).body.data).toEqual([])
    const receiver = { url: 'https://receiver.invalid/hook', description: 'Caisse', events: ['sav.created'] }
    const { body } = await api('POST', '/api/v1/webhooks', receiver)
    await api('POST', `/api/v1/webhooks/${body.data.id}/desactiver`)
    await open('/')
    await page.getByText(/Caisse.* est en pause\./).waitFor()

    // The search opens on any screen by keys alone, and returns the focus when it closes.
    const nav = page.getByRole('link', { name: 'Catalogue' })
    await nav.click()
    await page.getByRole('heading', { level: 1, name: 'Catalogue' }).waitFor()
    await nav.focus()
    await page.keyboard.press('Control+k')
    const dialog = page.getByRole('dialog', { name: 'Tout rechercher' })
    await dialog.waitFor()
    await page.keyboard.type('fours givors 06.12.34')
    await dialog.getByRole('link', { name: 'Planifier une visite : SAV' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await page.locator(':focus').textContent()).toBe('Catalogue')
    await page.keyboard.press('/')
    await dialog.waitFor()
    await page.keyboard.type('rien de tel')
    await dialog.getByText('Rien ne correspond.').waitFor()
    await dialog.getByRole('link', { name: 'Nouveau dossier pour rien de tel' }).waitFor()
    const place = await dialog.boundingBox()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('tilsitt')
    await dialog.getByRole('link', { name: 'Nouveau dossier pour Hélène Durand' }).first().waitFor()
    // The results are clients, then cases with their descriptions, then visits. The dialog does not move.
    expect(await dialog.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      'Clients',
      'Dossiers',
      'Planning',
    ])
    await dialog.getByRole('link', { name: description }).waitFor()
    expect(await dialog.boundingBox()).toEqual(place)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /^SAV-\d{4}-00001$/ }).waitFor()

    // A key pressed before the late `close` event of the browser opens the search again, and that event does not close
    // it.
    await page.keyboard.press('Control+k')
    await dialog.waitFor()
    await page.evaluate(`document.querySelector('dialog[open]').close()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true }))`)
    await dialog.waitFor()
    await page.keyboard.type('tilsitt')
    await dialog.getByRole('link', { name: 'Nouveau dossier pour Hélène Durand' }).first().waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    // For an unknown caller, the search offers to create a client.
    await page.keyboard.press('Control+k')
    await dialog.locator('input:focus').waitFor()
    await page.keyboard.type('Zoé Néant')
    await dialog.getByRole('link', { name: 'Créer le client Zoé Néant' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Nouveau client' }).waitFor()
    expect(await page.getByLabel('Nom', { exact: true }).inputValue()).toBe('Néant')
    await page.getByRole('heading', { level: 1 }).focus()

    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Raccourcis clavier' }).getByText('Rechercher partout').waitFor()
    await page.keyboard.press('Escape')
    await open('/')
    await page.keyboard.press('n')
    await page.getByRole('heading', { level: 1, name: 'Nouveau dossier' }).waitFor()
    await page.locator('[role=combobox]:focus').waitFor()
    // When a client is chosen, the focus moves to the next field.
    await page.keyboard.type('dur')
    await page.getByRole('option', { name: 'Hélène Durand' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('textarea[name=description]:focus').waitFor()
    expect(complaints).toEqual([])
  })

  it('shows today’s visits first, with past visits that were never ended', async ({ openShop }) => {
    const { page, open, api, book, complaints } = await openShop()
    await api('POST', '/api/v1/poseurs', { nom: 'Karim Benali' })
    await api('PUT', '/api/v1/clients/1', {
      lieu: { ligne1: '12 quai Tilsitt', code_postal: '69700', ville: 'Givors' },
    })
    for (const ago of [86_400_000, 0]) await book(new Date(Date.now() - ago).toISOString(), { duree_minutes: 30 })
    await open('/')
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'Visites du jour' }) })
    await card
      .getByRole('listitem')
      .filter({ hasText: /Hélène Durand Givors.*Karim Benali.*Planifié/ })
      .waitFor()
    expect(await page.getByRole('heading', { level: 2 }).first().textContent()).toBe('Visites du jour')
    await card.getByText('1 visite passée n’est pas terminée').click()
    await card.locator('.late-visits a').click()
    await page.getByRole('dialog').getByText('Planifié').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('1 non terminée', { exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  it('shows a case with its visit and the way there, and ends case and visit at once', async ({ openShop }) => {
    const { page, open, api, book, complaints } = await openShop()
    await api('POST', '/api/v1/poseurs', { nom: 'Karim Benali' })
    await api('PUT', '/api/v1/clients/1', {
      telephone: '06 12 34 56 78',
      lieu: { ligne1: '12 quai Tilsitt', code_postal: '69002', ville: 'Lyon', acces: 'Code 14B, 3e étage' },
    })
    await api('POST', '/api/v1/sav', { client_id: 1, description })
    await book(`${date}T06:00:00.000Z`, { sav_id: 1 })
    await open('/dossiers/1')
    await page.getByRole('link', { name: 'mardi 8 juin, 08:00' }).waitFor()
    // The visit's place is above the comments, at every width.
    for (const width of [390, 1024, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const topOf = async (name: string) => (await page.getByRole('heading', { name }).boundingBox())?.y
      expect(await topOf('Sur place')).toBeLessThan((await topOf('Commentaires')) ?? 0)
    }
    await page.locator('a[href="tel:0612345678"]').waitFor()
    await page.locator('a[href^="https://www.openstreetmap.org/search?query=12%20quai%20Tilsitt"]').waitFor()
    await page.getByText('Code 14B, 3e étage').waitFor()

    for (let n = 1; n <= 11; n += 1) await api('POST', '/api/v1/sav/1/commentaires', { texte: `Appel n° ${n}.` })
    await page.getByLabel('Nouveau commentaire').fill('Rappeler après 18 h.')
    await page.keyboard.press('Control+Enter')
    const comments = page.locator('.comments li')
    await comments.first().getByText('Rappeler après 18 h.').waitFor()
    await expect.poll(() => comments.count()).toBe(10)
    await page.getByRole('button', { name: 'Afficher les suivants' }).click()
    await comments.getByText('Appel n° 1.', { exact: true }).waitFor()
    await page.locator('input[type=file]').setInputFiles({ name: 'four.png', mimeType: 'image/png', buffer: png })
    await page.getByRole('button', { name: 'Photo 1' }).waitFor()
    // The printed page has the address and the photo, but no controls.
    await page.emulateMedia({ media: 'print' })
    await page.getByText('12 quai Tilsitt').waitFor()
    await page.getByAltText('Photo 1').waitFor()
    const pressed = page.locator('main :is(button:not(.photo), .button, input, textarea)')
    expect(await pressed.filter({ visible: true }).count()).toBe(0)
    await page.emulateMedia({ media: 'screen' })

    await page.getByRole('link', { name: 'Planifier une visite' }).click()
    await page.getByText('Déjà planifié : mardi 8 juin, 08:00, Karim Benali.').click()
    const visit = page.getByRole('dialog')
    await visit.getByText('Code 14B, 3e étage').waitFor()
    await visit.getByText('Rappeler après 18 h.').waitFor()
    const stored = async (id = 1) => (await api('GET', `/api/v1/planning/${id}`)).body.data
    await visit.getByRole('button', { name: '+30 min' }).click()
    await expect.poll(async () => (await stored()).retard_minutes).toBe(30)
    await visit.getByRole('button', { name: 'Plage annoncée au client…' }).click()
    await visit.getByLabel('De', { exact: true }).fill('08:00')
    await visit.getByLabel('À', { exact: true }).fill('10:00')
    await page.keyboard.press('Enter')
    await visit.getByText('08:00 – 10:00').waitFor()
    expect((await stored()).fenetre_client).toEqual({ debut: `${date}T06:00:00.000Z`, fin: `${date}T08:00:00.000Z` })
    // Marking the client as absent needs a confirmation, and can be undone.
    await visit.getByRole('button', { name: 'Client absent' }).click()
    expect((await stored()).statut).toBe('planifie')
    await visit.getByRole('button', { name: 'Client absent' }).click()
    await visit.getByRole('button', { name: 'Le client était là' }).waitFor()
    await page.reload()
    await visit.getByRole('button', { name: 'Le client était là' }).click()
    await visit.getByRole('button', { name: 'Client absent' }).waitFor()
    expect((await stored()).statut).toBe('planifie')

    // If there are several visits, the close proposes the one that has begun.
    await book(`${date}T10:00:00.000Z`, { sav_id: 1 })
    await api('PATCH', '/api/v1/planning/2', { statut: 'en_cours' })
    await open('/dossiers/1/cloture')
    await page.locator('textarea[name=resolution]:focus, select[name=rdv_id]:focus').waitFor()
    expect(await page.getByLabel('Visite que la clôture termine').inputValue()).toBe('2')
    await page.getByLabel('Ce qui a été fait').fill('Porte réglée, jeu de deux millimètres partout.')
    await page.getByLabel('Pièces utilisées').fill('2 Charnière 110° [CH-110]')
    await page.getByRole('button', { name: 'Clôturer le dossier' }).click()
    await page.getByRole('button', { name: 'Rouvrir' }).waitFor()
    expect(await page.evaluate('scrollY')).toBe(0)
    expect(await stored(2)).toMatchObject({
      statut: 'realise',
      pieces: [{ designation: 'Charnière 110°', quantite: 2, reference: 'CH-110' }],
    })
    await page.getByText('2 × Charnière 110°').waitFor()
    expect(complaints).toEqual([])
  })

  it('needs few clicks for a day’s work, and shows the results in another browser at once', async ({
    openShop,
    browser,
  }) => {
    // No mail server listens on this port, so letters stay pending.
    const mail = { SAV_SMTP_URL: 'smtp://127.0.0.1:9', SAV_MAIL_FROM: 'sav@atelier.example' }
    const settings = { ...mail, SAV_RDV_LETTER_DELAY: '0s' }
    const { page, open, api, invite, workplace, complaints } = await openShop({ settings })
    await api('PUT', '/api/v1/compte', { confirmation_rdv: true })
    await api('POST', '/api/v1/poseurs', { nom: 'Karim Benali', lieu: { code_postal: '69003', ville: 'Lyon' } })
    const paul = ['users', 'add', '--nom', 'Paul Nguyen', '--email', 'paul@atelier.example', '--role', 'gestion']
    const { id } = await workplace.json<{ id: string }>(paul)
    const beside = await browser.newContext({ locale: 'fr-FR' })
    onTestFinished(() => beside.close())
    const colleague = await beside.newPage()
    await colleague.goto(await invite(id))
    await colleague.getByRole('heading', { name: 'Bonjour Paul' }).waitFor()
    await colleague.getByRole('link', { name: 'Dossiers', exact: true }).click()
    await colleague.getByText('Pas encore de dossier').waitFor()
    await page.addInitScript(
      `addEventListener('pointerdown', () => { window.presses = (window.presses ?? 0) + 1 }, true)`,
    )
    /** Reads and resets the number of clicks. */
    const presses = () => page.evaluate('[window.presses ?? 0, window.presses = 0][0]')

    // Creates a new customer with a case and two photos.
    await open('/')
    await page.keyboard.press('n')
    await page.locator('[role=combobox]:focus').waitFor()
    await page.keyboard.type('Inès Garcia')
    await page.getByRole('button', { name: 'Créer ce client' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail').fill('ines@garcia.example')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByLabel('Description').fill('La porte du four racle, en bas à droite.')
    const choosing = page.waitForEvent('filechooser')
    await page.getByText('Ajouter des photos').click()
    const photo = (name: string) => ({ name, mimeType: 'image/png', buffer: png })
    await (await choosing).setFiles([photo('four.png'), photo('porte.png')])
    await page.getByAltText('porte.png').waitFor()
    await page.getByRole('button', { name: 'Créer le dossier' }).click()
    await page.getByRole('heading', { level: 1, name: /00001$/ }).waitFor()
    expect(await presses()).toBeLessThanOrEqual(4)
    await colleague.getByRole('link', { name: /00001$/ }).click()
    await expect.poll(() => colleague.locator('button.photo').count()).toBe(2)

    // Books a visit for the case, and announces it to the customer.
    await page.getByRole('link', { name: 'Planifier une visite' }).click()
    await page.locator('.slot').first().click()
    await page.getByText('Le rendez-vous est pris avec Karim Benali.').waitFor()
    expect(await presses()).toBeLessThanOrEqual(3)
    const letters = async () =>
      (await api('GET', '/api/v1/webhooks/livraisons?event=rdv.confirmation')).body.data.length
    await expect.poll(letters).toBe(1)
    const next = colleague.locator('dd', { hasText: 'Karim Benali' })
    await next.getByText('Planifié').waitFor()
    await next.getByRole('link').click()
    await colleague.getByRole('button', { name: 'Confirmer' }).click()
    await page.getByRole('dialog').getByText('Confirmé', { exact: true }).waitFor()

    // Finds a case by the words of a caller.
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await dialog.locator('input:focus').waitFor()
    await page.keyboard.type('garcia four racle')
    // Enter is pressed before the results arrive. When they do, the case opens.
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /00001$/ }).waitFor()
    expect(await presses()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('shows a period in charts and numbers that link to their cases', async ({ openShop }) => {
    const { page, open, api, book, complaints } = await openShop()
    await api('POST', '/api/v1/poseurs', { nom: 'Karim Benali' })
    for (const type_probleme of ['facade', 'reglage', 'reglage'])
      await api('POST', '/api/v1/sav', { client_id: 1, description, type_probleme })
    await book(new Date().toISOString(), { sav_id: 2, duree_minutes: 90 })
    const pieces = [{ designation: 'Charnière 110°', quantite: 2, reference: 'CH-110' }]
    await api('PATCH', '/api/v1/planning/1', { statut: 'realise', pieces })
    await api('POST', '/api/v1/sav/2/cloturer', { resolution: 'Porte réglée et graissée.' })
    await api('POST', '/api/v1/sav/2/rouvrir', { motif: 'La porte frotte de nouveau.' })
    await api('POST', '/api/v1/sav/3/cloturer', { resolution: 'Façade remplacée par une neuve.' })

    await open('/statistiques')
    await page.getByRole('img', { name: 'Par mois' }).waitFor()
    const byType = page.getByRole('table', { name: 'Par type de problème' })
    const cellsOf = async (name: string) =>
      (await byType.getByRole('row', { name }).getByRole('cell').allTextContents()).slice(1)
    expect(await cellsOf('Réglage')).toEqual(['2', '1', '1', '0'])
    expect(await cellsOf('Façade')).toEqual(['1', '0', '0', '0'])
    const rowOf = (table: string, name: string) => page.getByRole('table', { name: table }).getByRole('row', { name })
    await rowOf('Pièces les plus utilisées', 'CH-110').getByText('2', { exact: true }).waitFor()
    // Each number links to that many cases.
    const poseur = rowOf('Par poseur', 'Karim Benali').getByRole('link')
    const reglage = byType.getByRole('row', { name: 'Réglage' }).getByRole('link')
    for (const [link, references] of [
      [poseur.nth(1), ['00002']],
      [reglage.nth(0), ['00003', '00002']],
      [reglage.nth(1), ['00003']],
      [reglage.nth(2), ['00002']],
      [page.getByRole('link', { name: 'créés depuis moins de 7 jours' }), ['00002', '00001']],
    ] as const) {
      await link.click()
      await page.getByRole('heading', { level: 1, name: 'Dossiers' }).waitFor()
      const found = page.locator('td:first-child a')
      await expect.poll(async () => (await found.allTextContents()).map((text) => text.slice(-5))).toEqual(references)
      await page.goBack()
      await byType.waitFor()
    }
    // Empty rows are hidden.
    expect(await byType.getByRole('row', { name: 'Quincaillerie' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Le mois dernier' }).click()
    await page.getByText('Rien dans cette période.').first().waitFor()
    await page.getByRole('link', { name: 'Cette année' }).click()
    await byType.waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Exporter (CSV)' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^statistiques-.*\.csv$/)
    expect(await readFile(await file.path(), 'utf8')).toContain('Par type de problème;Réglage;Clos;1\r\n')
    expect(complaints).toEqual([])
  })
})
