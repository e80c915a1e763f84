import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { needs } from '../../../test/needs.js'
import { png } from '../../cli/test/images.js'
import { it, type Shop } from './browser.js'

const hasBrowser = needs('chromium', 'that network failures and restarts neither duplicate nor lose writes')

interface Creation {
  readonly screen: string
  /** The button that opens the form; absent if the screen is the form. */
  readonly begin?: string
  fill(page: Page): Promise<void>
  readonly submit: string
  /** The path of the API's list of what the form creates. */
  readonly list: string
}

async function fillClient(page: Page, nom: string): Promise<void> {
  await page.getByLabel('Prénom').fill('Inès')
  await page.getByLabel('Nom', { exact: true }).fill(nom)
}

/** The forms that create something. */
const creations: readonly Creation[] = [
  {
    screen: '/clients/nouveau',
    fill: (page) => fillClient(page, 'Martin-Desrousseaux'),
    submit: 'Créer le client',
    list: '/api/v1/clients',
  },
  {
    screen: '/poseurs',
    begin: 'Nouveau poseur',
    fill: (page) => page.getByLabel('Nom').fill('Lucie Moreau'),
    submit: 'Créer le poseur',
    list: '/api/v1/poseurs',
  },
  {
    screen: '/dossiers/nouveau',
    async fill(page) {
      await page.getByRole('combobox', { name: 'Client' }).fill('Durand')
      await page.getByRole('option', { name: /Durand/ }).click()
      await page.getByLabel('Description').fill('La porte du four racle depuis la pose.')
      await page.locator('input[type=file]').setInputFiles({ name: 'four.png', mimeType: 'image/png', buffer: png })
      await page.getByAltText('four.png').waitFor()
    },
    submit: 'Créer le dossier',
    list: '/api/v1/sav',
  },
  {
    screen: '/reglages/utilisateurs',
    begin: 'Nouvel utilisateur',
    async fill(page) {
      await page.getByLabel('Nom').fill('Paul Nguyen')
      await page.getByLabel('E-mail').fill('paul@atelier.example')
    },
    submit: 'Ajouter',
    list: '/api/v1/utilisateurs',
  },
  {
    screen: '/reglages/api/cles/nouvelle',
    async fill(page) {
      await page.getByLabel('Nom').fill('Site vitrine')
      await page.getByLabel('sav:read').check()
    },
    submit: 'Créer la clé',
    list: '/api/v1/cles',
  },
  {
    screen: '/reglages/api/webhooks/nouveau',
    async fill(page) {
      await page.getByLabel('Adresse').fill('https://receiver.invalid/hook')
      await page.getByRole('button', { name: 'Tout cocher' }).click()
    },
    submit: 'Créer le webhook',
    list: '/api/v1/webhooks',
  },
]

const countOf = async ({ api }: Shop, list: string): Promise<number> => (await api('GET', list)).body.data.length

describe.runIf(hasBrowser)('when the network fails', { timeout: 300_000 }, () => {
  it('a creation is done once, however often its answer is lost and it is sent again', async ({ openShop }) => {
    const shop = await openShop()
    const { page, open, complaints } = shop
    let arrived = 0
    for (const { screen, begin, fill, submit, list } of creations) {
      const before = await countOf(shop, list)
      await open(screen)
      if (begin) await page.getByRole('button', { name: begin }).first().click()
      await fill(page)
      await page.route('**/api/v1/**', async (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        await route.fetch()
        arrived += 1
        await route.abort('connectionreset')
      })
      const button = page.getByRole('button', { name: submit, exact: true })
      await button.click()
      await page.locator('.failure').waitFor()
      expect([screen, await countOf(shop, list)]).toEqual([screen, before + 1])
      await page.unroute('**/api/v1/**')
      // The typed text is still there, and can be sent again.
      await button.click()
      await button.waitFor({ state: 'detached' })
      expect([screen, await countOf(shop, list)]).toEqual([screen, before + 1])
    }
    expect(arrived).toBeGreaterThanOrEqual(creations.length * 2)

    // If the form is sent again after a reload, the creation is not repeated either.
    const clients = await countOf(shop, '/api/v1/clients')
    await open('/clients/nouveau')
    await fillClient(page, 'Benaïssa')
    const reached = Promise.withResolvers<void>()
    await page.route('**/api/v1/clients', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      // The service has answered, but the page will be reloaded without the answer.
      reached.resolve()
    })
    await page.getByRole('button', { name: 'Créer le client' }).click()
    await reached.promise
    await page.reload()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(await page.getByLabel('Nom', { exact: true }).inputValue()).toBe('Benaïssa')
    await page.getByRole('button', { name: 'Créer le client' }).click()
    await page.getByRole('heading', { name: 'Benaïssa' }).waitFor()
    expect(await countOf(shop, '/api/v1/clients')).toBe(clients + 1)
    expect(complaints).toEqual([])
  })

  it('a failed change is reported, kept, and can be sent over a slow network later', async ({ openShop }) => {
    const shop = await openShop()
    const { page, open, api } = shop
    await api('POST', '/api/v1/sav', { client_id: 1, description: 'Le tiroir du bas ne coulisse plus.' })
    await open('/dossiers/1')
    await page.getByText('Épingler une note interne').click()
    const notes = page.getByLabel('Notes internes')
    await notes.fill('Commander une glissière.')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Enregistrer les notes' }).click()
    await page.getByRole('alert').waitFor()
    expect(await notes.inputValue()).toBe('Commander une glissière.')
    expect((await api('GET', '/api/v1/sav/1')).body.data.notes_internes).toBeNull()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Enregistrer les notes' }).click()
    await expect
      .poll(async () => (await api('GET', '/api/v1/sav/1')).body.data.notes_internes)
      .toBe('Commander une glissière.')

    // Slows the network down to the speed of 3G.
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 300,
      downloadThroughput: 400_000 / 8,
      uploadThroughput: 400_000 / 8,
    })
    await open('/clients/nouveau')
    await fillClient(page, 'Garcia')
    await page.getByRole('button', { name: 'Créer le client' }).dblclick()
    await page.getByRole('heading', { name: 'Garcia' }).waitFor()
    expect(await countOf(shop, '/api/v1/clients')).toBe(2)
  })
})

describe.runIf(hasBrowser)('when the service restarts', () => {
  it('the session stays, and the open screen keeps receiving events', async ({ openShop }) => {
    const { page, open, api, restart } = await openShop({ apart: true })
    const listening = () => page.waitForResponse((answer) => answer.url().endsWith('/evenements') && answer.ok())
    const first = listening()
    await open('/dossiers')
    await page.getByText('Pas encore de dossier').waitFor()
    await first
    const again = listening()
    await restart()
    await again
    await api('POST', '/api/v1/sav', { client_id: 1, description: 'La porte du four racle, en bas à droite.' })
    // The new case appears long before the next poll.
    await page.getByRole('link', { name: /00001$/ }).waitFor()
    await page.getByRole('button', { name: 'Se déconnecter' }).waitFor()
  })
})
