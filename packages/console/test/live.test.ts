import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { needs } from '../../../test/needs.js'
import { it } from './browser.js'

const hasBrowser = needs('chromium', 'live updates of open screens')

describe.runIf(hasBrowser)('a screen that is open', () => {
  it('shows changes by others at once, in every tab, over a single stream of the browser', async ({ openShop }) => {
    const { page, open, api } = await openShop()
    const streams: string[] = []
    page.context().on('request', (request) => {
      if (request.url().endsWith('/api/v1/evenements')) streams.push(request.url())
    })
    const listening = page.waitForResponse(/\/api\/v1\/evenements$/)
    await open('/dossiers')
    await page.getByText('Pas encore de dossier').waitFor()
    await listening
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.getByText('Pas encore de dossier').waitFor()
    await page.bringToFront()
    await api('POST', '/api/v1/sav', { client_id: 1, description: 'La porte du four racle, en bas à droite.' })
    // The new case appears long before the next poll.
    await page.getByRole('link', { name: /00001$/ }).waitFor()
    await other.bringToFront()
    await other.getByRole('link', { name: /00001$/ }).waitFor()
    expect(streams).toHaveLength(1)

    // Ages are updated without a new rendering.
    await page.clock.install()
    await page.bringToFront()
    await open('/dossiers')
    const created = page.locator('tbody time')
    await created.evaluate((time) => time.setAttribute('data-before', ''))
    // Answers are held back: they have the real time, to which the page would adjust its clock before it updates its
    // texts.
    await page.route('**/api/v1/**', () => {})
    await page.clock.fastForward(3_600_000)
    await created.getByText('1 h', { exact: true }).waitFor()
    expect(await created.getAttribute('data-before')).toBe('')
  })
})

/** Holds calls with an address and method until `letGo` is called. */
async function hold(page: Page, address: string, method: string) {
  const made = Promise.withResolvers<void>()
  const goes = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    if (route.request().method() === method) {
      made.resolve()
      await goes.promise
    }
    await route.continue()
  })
  return { isMade: made.promise, letGo: goes.resolve }
}

describe.runIf(hasBrowser)('an action before the answer to the previous one', () => {
  it('chooses only from the clients found by the whole typed text', async ({ openShop }) => {
    const { page, open, api, complaints } = await openShop()
    await api('POST', '/api/v1/clients', { nom: 'Nguyen', prenom: 'Paul' })
    await open('/dossiers/nouveau')
    const client = page.getByRole('combobox', { name: 'Client' })
    await client.fill('Durand')
    await page.getByRole('option', { name: /Durand/ }).waitFor()
    const searched = await hold(page, '**/api/v1/clients?**', 'GET')
    await client.fill('Nguyen')
    await page.keyboard.press('Enter')
    await searched.isMade
    searched.letGo()
    await page.locator('.chosen', { hasText: 'Paul Nguyen' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('reports an unknown name only after the answer to the search', async ({ openShop }) => {
    const { page, open } = await openShop()
    await open('/dossiers/nouveau')
    await page.route('**/api/v1/clients?**', (route) => route.abort())
    await page.getByRole('combobox', { name: 'Client' }).fill('Durand')
    await page.getByRole('button', { name: 'Réessayer' }).waitFor()
    expect(await page.getByText('Personne à ce nom.').count()).toBe(0)
    await page.unroute('**/api/v1/clients?**')
    await page.getByRole('button', { name: 'Réessayer' }).click()
    await page.getByRole('option', { name: /Durand/ }).waitFor()
    await page.getByRole('combobox', { name: 'Client' }).fill('Personne')
    await page.getByText('Personne à ce nom.').waitFor()
  })

  it('does not restore a view that is being removed', async ({ openShop }) => {
    const { page, open, origin, complaints } = await openShop()
    const vues = ['Une', 'Deux', 'Trois'].map((nom) => ({ nom, adresse: '/dossiers' }))
    const address = `${origin}/api/v1/session/vues`
    const headers = {
      ...{ 'X-Sav-Console': '1', Origin: origin, 'Sec-Fetch-Site': 'same-origin' },
      'X-Request-Timestamp': String(Math.floor(Date.now() / 1000)),
    }
    expect((await page.request.put(address, { headers, data: { vues } })).status()).toBe(200)
    await open('/dossiers')
    await page.getByText('Vues', { exact: true }).click()
    const stored = await hold(page, '**/api/v1/session/vues', 'PUT')
    await page.getByRole('button', { name: 'Retirer la vue Une' }).click()
    await stored.isMade
    await page.getByRole('button', { name: 'Retirer la vue Deux' }).click()
    stored.letGo()
    await page.getByRole('button', { name: 'Retirer la vue Deux' }).waitFor({ state: 'detached' })
    const left = async () => (await (await page.request.get(address, { headers })).json()).data
    await expect.poll(left).toEqual(vues.slice(2))
    expect(complaints).toEqual([])
  })

  it('keeps text typed while a note is stored, and overwrites no other note unseen', async ({ openShop }) => {
    const { page, open, api, complaints } = await openShop()
    await api('POST', '/api/v1/sav', { client_id: 1, description: 'Le tiroir du bas ne coulisse plus.' })
    await open('/dossiers/1')
    await page.getByText('Épingler une note interne').click()
    const notes = page.getByLabel('Notes internes')
    const save = page.getByRole('button', { name: 'Enregistrer les notes' })
    await notes.fill('Commander une glissière.')
    const stored = await hold(page, '**/api/v1/sav/1', 'PUT')
    await save.click()
    await stored.isMade
    await notes.fill('Glissière commandée.')
    stored.letGo()
    await page.getByText('Enregistré.').waitFor()
    await api('PUT', '/api/v1/sav/1', { notes_internes: 'Client rappelé.' })
    await page.reload()
    await expect.poll(() => notes.inputValue()).toBe('Glissière commandée.')
    expect(complaints).toEqual([])
  })

  it('signs out although other calls are refused meanwhile', async ({ openShop }) => {
    const { page, open, api, user, complaints } = await openShop()
    await open('/dossiers')
    const beside = await page.context().newPage()
    await beside.goto(page.url())
    await beside.getByRole('heading', { level: 1 }).waitFor()
    const answered = Promise.withResolvers<void>()
    await page.route('**/api/v1/session', async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue()
      const response = await route.fetch()
      await answered.promise
      await route.fulfill({ response })
    })
    const refused = [page, beside].map((tab) => tab.waitForResponse((response) => response.status() === 401))
    await page.getByRole('button', { name: 'Se déconnecter' }).click()
    await expect.poll(async () => (await api('GET', `/api/v1/utilisateurs/${user}/sessions`)).body.data).toEqual([])
    for (const tab of [page, beside]) await tab.evaluate(`dispatchEvent(new Event('online'))`)
    await Promise.all(refused)
    answered.resolve()
    for (const tab of [page, beside]) {
      await tab.getByRole('heading', { name: 'Se connecter' }).waitFor()
      expect(await tab.getByText('Votre session est terminée.').count()).toBe(0)
      expect(await tab.evaluate('sessionStorage.length')).toBe(0)
    }
    expect(complaints).toEqual([])
  })
})
