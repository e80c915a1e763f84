import { describe, expect } from 'vitest'
import { needs } from '../../../test/needs.js'
import { it } from './browser.js'

const hasBrowser = needs('chromium', 'that screens show what happens elsewhere as it happens')

describe.runIf(hasBrowser)('a screen that is open', () => {
  it('shows what others do as it happens, in every tab, by one stream of the browser', async ({ openShop }) => {
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
    // Long before anything would be asked for again.
    await page.getByRole('link', { name: /00001$/ }).waitFor()
    await other.bringToFront()
    await other.getByRole('link', { name: /00001$/ }).waitFor()
    expect(streams).toHaveLength(1)

    // And with the time that goes by, on the page as it stands.
    await page.clock.install()
    await page.bringToFront()
    await open('/dossiers')
    const created = page.locator('tbody time')
    await created.evaluate((time) => time.setAttribute('data-before', ''))
    await page.clock.fastForward(190_000)
    await created.getByText('il y a 3 min').waitFor()
    expect(await created.getAttribute('data-before')).toBe('')
  })
})
