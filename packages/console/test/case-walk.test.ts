import { describe, expect } from 'vitest'
import { needs } from '../../../test/needs.js'
import { png } from '../../cli/test/images.js'
import { it } from './browser.js'

const hasBrowser = needs('chromium', 'a case in the office, from creation to reopening')

/** The only browser test in `npm test`; the others are in the suite of the console. */
describe.runIf(hasBrowser)('cases in the browser', () => {
  it('are created with a new client and a photo, closed, verified and reopened', async ({ openShop }) => {
    const { page, open, api, complaints } = await openShop()
    await open('/dossiers')
    await page.getByRole('link', { name: 'Nouveau dossier' }).first().click()
    await page.getByRole('combobox', { name: 'Client' }).fill('Inès Garcia')
    await page.getByRole('button', { name: 'Créer ce client' }).click()
    await page.getByRole('button', { name: 'Créer le client' }).click()
    await page.getByText('Choisir quelqu’un d’autre').waitFor()
    await page.getByLabel('Description').fill('La porte du four racle depuis la pose, en bas à droite.')
    await page.getByLabel('Priorité').selectOption('haute')
    await page.locator('input[type=file]').setInputFiles({ name: 'four.png', mimeType: 'image/png', buffer: png })
    await page.getByAltText('four.png').waitFor()
    await page.getByRole('button', { name: 'Créer le dossier' }).click()
    await page.getByRole('heading', { name: /^SAV-\d{4}-00001$/ }).waitFor()
    const made = await api('GET', '/api/v1/sav/1')
    expect(made.body.data).toMatchObject({
      client: { nom: 'Garcia', prenom: 'Inès' },
      priorite: 'haute',
      statut: 'ouvert',
      photos: [{ url: expect.stringMatching(/^\/api\/v1\/sav\/1\/fichiers\//) }],
    })

    await page.getByRole('link', { name: 'Clôturer' }).click()
    await page.getByLabel('Ce qui a été fait').fill('Porte réglée, jeu de deux millimètres partout.')
    await page.getByLabel('Réserves du client').fill('Vitre à nettoyer\nJoint à surveiller')
    await page.getByLabel('Nom du signataire').fill('Inès Garcia')
    const sheet = page.locator('canvas')
    await sheet.scrollIntoViewIfNeeded()
    const box = await sheet.boundingBox()
    if (box === null) throw new Error('no sheet to sign on')
    await page.mouse.move(box.x + 40, box.y + 60)
    await page.mouse.down()
    await page.mouse.move(box.x + 120, box.y + 20, { steps: 5 })
    await page.mouse.move(box.x + 200, box.y + 70, { steps: 5 })
    await page.mouse.up()
    await page.getByRole('button', { name: 'Clôturer le dossier' }).click()
    await page.getByRole('button', { name: 'Rouvrir' }).waitFor()
    const closed = await api('GET', '/api/v1/sav/1')
    expect(closed.body.data).toMatchObject({
      statut: 'clos',
      reserves: ['Vitre à nettoyer', 'Joint à surveiller'],
      signataire_nom: 'Inès Garcia',
      signature_client: expect.stringContaining('/fichiers/'),
    })

    await page.getByRole('button', { name: 'Vérifier maintenant' }).click()
    await page.getByText('Tout concorde.').waitFor()

    await page.getByRole('button', { name: 'Rouvrir' }).click()
    await page.getByLabel('Pourquoi le rouvrir ?').fill('Le client rappelle : elle racle encore.')
    await page.getByRole('dialog').getByRole('button', { name: 'Rouvrir' }).click()
    await page.getByRole('link', { name: 'Clôturer' }).waitFor()
    expect((await api('GET', '/api/v1/sav/1')).body.data.statut).toBe('en_cours')
    expect(complaints).toEqual([])
  })
})
