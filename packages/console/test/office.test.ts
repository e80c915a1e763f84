import { describe, expect } from 'vitest'
import { needs } from '../../../test/needs.js'
import { it } from './browser.js'

const hasBrowser = needs('chromium', 'that the office works in a browser')

/** A Tuesday, summer time in Paris. */
const date = '2032-06-08'
const description = 'La porte du four racle, en bas à droite.'

describe.runIf(hasBrowser)('the office in the browser', { timeout: 120_000 }, () => {
  it('begins with what somebody must look at, and finds what a caller says from anywhere', async ({ openShop }) => {
    const { page, open, api, complaints } = await openShop()
    page.setDefaultTimeout(10_000)
    await api('POST', '/api/v1/poseurs', { nom: 'Karim Benali' })
    await api('PUT', '/api/v1/clients/1', {
      telephone: '06 12 34 56 78',
      lieu: { ligne1: '12 quai Tilsitt', code_postal: '69700', ville: 'Givors' },
    })
    await api('POST', '/api/v1/sav', { client_id: 1, description })
    await api('POST', '/api/v1/planning/rdv', {
      ...{ sav_id: 1, poseur_id: 1 },
      debut: `${date}T06:00:00.000Z`,
      duree_minutes: 60,
    })
    const absence = { debut: `${date}T00:00:00.000Z`, fin: `${date}T20:00:00.000Z`, motif: 'Grippe' }
    await api('PUT', '/api/v1/planning/poseurs/1/absences', { absences: [absence] })

    await open('/')
    await page.getByText('Karim Benali est absent : Grippe').waitFor()
    await page.getByRole('link', { name: 'Visite pendant une absence · Hélène Durand' }).click()
    await page.getByRole('dialog').getByText('mardi 8 juin, 08:00 – 09:00').waitFor()
    await page.keyboard.press('Escape')
    await open('/')
    await page.getByRole('button', { name: 'Marquer comme traité' }).click()
    await page.getByText('Rien n’attend : tout est traité.').waitFor()
    expect((await api('GET', '/api/v1/a-traiter')).body.data).toEqual([])

    // From any screen, by keys alone; the focus comes back where it was.
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
    await page.keyboard.press('Control+a')
    await page.keyboard.type('tilsitt')
    await dialog.getByRole('link', { name: 'Nouveau dossier pour Hélène Durand' }).first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /^SAV-\d{4}-00001$/ }).waitFor()

    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Raccourcis clavier' }).getByText('Rechercher partout').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('n')
    await page.getByRole('heading', { level: 1, name: 'Nouveau dossier' }).waitFor()
    await page.locator('[role=combobox]:focus').waitFor()
    expect(complaints).toEqual([])
  })
})
