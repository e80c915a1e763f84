import { describe, expect } from 'vitest'
import { needs } from '../../../test/needs.js'
import { receiver } from '../../cli/test/receiver.js'
import { it } from './browser.js'

const hasBrowser = needs('chromium', 'the management of webhooks, keys and users')

describe.runIf(hasBrowser)('settings in the browser', () => {
  it('make a webhook, show its secret once, test it, follow its deliveries, pause and delete it', async ({
    openShop,
  }) => {
    const { page, open, api, complaints } = await openShop()
    const atelier = await receiver()
    await open('/reglages/api/webhooks')
    await page.getByRole('link', { name: 'Nouveau webhook' }).first().click()
    await page.getByLabel('Adresse').fill(atelier.url)
    await page.getByRole('button', { name: 'Créer le webhook' }).click()
    await page.locator('fieldset .field-error').waitFor()
    await page.getByRole('button', { name: 'Tout cocher' }).click()
    await page.getByRole('button', { name: 'Créer le webhook' }).click()
    await page.getByText('Il n’est montré qu’une fois.').waitFor()
    const secret = (await page.locator('code').filter({ hasText: 'whsec_' }).first().textContent()) ?? ''
    atelier.trust(secret)
    await page.getByRole('button', { name: 'Python' }).click()
    await page.getByText('standardwebhooks').first().waitFor()
    await page.getByRole('button', { name: 'J’ai copié le secret' }).click()

    await page.getByRole('button', { name: 'Envoyer un essai' }).click()
    await page.getByRole('dialog').getByText('Remis').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Fermer' }).click()
    expect(await page.content()).not.toContain(secret)

    await page.getByRole('button', { name: 'Mettre en pause' }).click()
    await page.getByText('En pause').first().waitFor()
    await api('POST', '/api/v1/sav', { client_id: 1, description: 'La porte du four racle.' })
    await page.getByRole('link', { name: 'Voir l’historique' }).click()
    await page.getByRole('link', { name: 'En attente' }).click()
    await page.getByRole('link', { name: 'sav.created' }).click()
    await page.getByRole('heading', { name: 'sav.created' }).waitFor()
    const [endpoint] = (await api('GET', '/api/v1/webhooks')).body.data
    expect(endpoint).toMatchObject({ url: atelier.url, disabled_at: expect.any(String) })

    await open(`/reglages/api/webhooks/${endpoint.id}`)
    await page.getByText('Plus', { exact: true }).click()
    await page.getByRole('button', { name: 'Supprimer' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Supprimer' }).click()
    await page.getByText('Aucun webhook').waitFor()
    expect((await api('GET', '/api/v1/webhooks')).body.data).toEqual([])
    expect(complaints).toEqual([])
  })

  it('make a key that works, and revoke it', async ({ openShop }) => {
    const { page, open, api } = await openShop()
    // The contract of a service to which its owner has added a feature.
    await page.route('**/openapi.json', async (route) => {
      const response = await route.fetch()
      const contract = await response.json()
      const { items } = contract.components.schemas.Key.properties.permissions
      items.enum.push('tags:write')
      items['x-enumDescriptions']['tags:write'] = 'add and remove tags of cases'
      await route.fulfill({ response, json: contract })
    })
    await open('/reglages/api/cles')
    await page.getByRole('link', { name: 'Nouvelle clé' }).first().click()
    await page.getByLabel('Nom').fill('Site vitrine')
    await page.getByLabel('sav:read').check()
    await page.getByLabel('tags:write').check()
    await page.getByText('add and remove tags of cases').waitFor()
    const asked = page.waitForRequest((request) => request.method() === 'POST')
    await page.getByRole('button', { name: 'Créer la clé' }).click()
    expect((await asked).postDataJSON()).toMatchObject({ permissions: ['sav:read', 'tags:write'] })
    await page.getByLabel('tags:write').uncheck()
    await page.getByLabel('Adresses autorisées').fill('pas une adresse')
    await page.getByRole('button', { name: 'Créer la clé' }).click()
    await page.locator('#app .field-error').waitFor()
    await page.getByLabel('Adresses autorisées').fill('')
    await page.getByRole('button', { name: 'Créer la clé' }).click()
    await page.getByText('sav_live_').waitFor()
    await page.getByRole('button', { name: 'J’ai copié la clé' }).click()
    const row = page.getByRole('row', { name: /Site vitrine/ })
    await row.getByRole('button', { name: 'Révoquer' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Révoquer' }).click()
    await row.getByText('Révoquée').waitFor()
    const keys: { nom: string; revoked_at: string | null; permissions: string[] }[] = (await api('GET', '/api/v1/cles'))
      .body.data
    expect(keys.find(({ nom }) => nom === 'Site vitrine')).toMatchObject({
      permissions: ['sav:read'],
      revoked_at: expect.any(String),
    })
  })

  it('make an installer and a client, and erase the client after a confirmation', async ({ openShop }) => {
    const { page, open, api } = await openShop()
    await open('/poseurs')
    await page.getByRole('button', { name: 'Nouveau poseur' }).first().click()
    await page.getByLabel('Nom').fill('Lucie Moreau')
    await page.getByRole('button', { name: 'Créer le poseur' }).click()
    await page.getByRole('link', { name: 'Lucie Moreau' }).waitFor()
    await open('/clients/nouveau')
    await page.getByLabel('Prénom').fill('Yasmine')
    await page.getByLabel('Nom', { exact: true }).fill('Benaïssa')
    await page.getByLabel('Ville').fill('Lyon')
    await page.getByRole('button', { name: 'Créer le client' }).click()
    await page.getByRole('heading', { name: 'Yasmine Benaïssa' }).waitFor()
    await page.getByText('Plus', { exact: true }).click()
    await page.getByRole('button', { name: 'Effacer les données personnelles' }).click()
    const dialog = page.getByRole('dialog')
    const erase = dialog.getByRole('button', { name: 'Effacer les données personnelles' })
    expect(await erase.isDisabled()).toBe(true)
    // Ctrl+Enter, which sends a form, does not erase the client either.
    const understood = dialog.getByLabel(/J’ai compris/)
    await understood.press('Control+Enter')
    await understood.check()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Plus', { exact: true }).click()
    await page.getByRole('button', { name: 'Effacer les données personnelles' }).click()
    expect([await understood.isChecked(), await erase.isDisabled()]).toEqual([true, false])
    await erase.click()
    await page.getByText(/^Effacé le/).waitFor()
    expect((await api('GET', '/api/v1/clients/2')).body.data).toMatchObject({ efface_le: expect.any(String) })
  })

  it('offer only what the role allows', async ({ openShop }) => {
    const { page, open } = await openShop({ role: 'lecture' })
    await open('/dossiers')
    expect(await page.getByRole('link', { name: 'Nouveau dossier' }).count()).toBe(0)
    const names = await page.getByRole('navigation', { name: 'Rubriques' }).getByRole('link').allTextContents()
    expect(names).toEqual(['Accueil', 'Dossiers', 'Planning', 'Clients', 'Poseurs', 'Statistiques', 'Catalogue'])
    // Opening a forbidden form by its address, for example from a shared link, does not show it either.
    for (const screen of ['/dossiers/nouveau', '/dossiers/1/cloture', '/clients/nouveau', '/planning/nouveau']) {
      await open(screen)
      await page.getByRole('heading', { name: 'Votre rôle ne permet pas cela.' }).waitFor()
      expect(await page.locator('main').getByRole('textbox').count(), screen).toBe(0)
    }
  })
})
