import { describe, expect } from 'vitest'
import { needs } from '../../../test/needs.js'
import { it } from './browser.js'

const hasBrowser = needs('chromium', 'a link that is clicked without network')

describe.runIf(hasBrowser)('a link that is clicked without network', () => {
  it('leaves the screen and the address unchanged, and offers to try again', async ({ openShop }) => {
    const { page, open, api, complaints } = await openShop()
    await api('POST', '/api/v1/sav', { client_id: 1, description: 'La porte du four racle depuis la pose.' })
    const path = () => new URL(page.url()).pathname
    const title = (name: string | RegExp) => page.getByRole('heading', { level: 1, name })
    const failure = page.getByText('Cet écran n’a pas pu être chargé')
    await open('/dossiers')
    await page.getByRole('searchbox').fill('four')
    await page.waitForURL(/recherche=four$/)
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Clients', exact: true }).click()
    await failure.waitFor()
    await title('Dossiers').waitFor()
    expect(path()).toBe('/app/dossiers')
    // The same screen is still shown, with its typed text.
    expect(await page.getByRole('searchbox').inputValue()).toBe('four')
    const retry = page.locator('.not-loaded').getByRole('button', { name: 'Réessayer' })
    const asking = page.waitForRequest((request) => request.method() === 'HEAD')
    await retry.click()
    await (await asking).response()
    expect(path()).toBe('/app/dossiers')

    await page.context().setOffline(false)
    await retry.click()
    await title('Clients').waitFor()
    expect(path()).toBe('/app/clients')
    await failure.waitFor({ state: 'detached' })

    // When the network is back, the same link works.
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Poseurs' }).click()
    await failure.waitFor()
    expect(path()).toBe('/app/clients')
    await page.context().setOffline(false)
    await page.getByRole('link', { name: 'Poseurs' }).click()
    await title('Poseurs').waitFor()
    expect(path()).toBe('/app/poseurs')
    await failure.waitFor({ state: 'detached' })

    // Going back leads to a screen whose script is not loaded yet.
    await page.getByRole('link', { name: 'Clients', exact: true }).click()
    await title('Clients').waitFor()
    await page.reload()
    await title('Clients').waitFor()
    await page.route('**/*', (route) => route.abort())
    await page.goBack()
    await failure.waitFor()
    await title('Clients').waitFor()
    expect(path()).toBe('/app/clients')
    expect(complaints).toEqual([])
  })

  it('reloads the page when the service has another version', async ({ openShop }) => {
    const { page, open, complaints } = await openShop()
    await open('/dossiers')
    // The file is missing: after an upgrade it has another name.
    await page.route('**/assets/**', (route) => route.fulfill({ status: 404 }), { times: 1 })
    await page.getByRole('link', { name: 'Clients', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Clients' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/app/clients')
    expect(complaints).toEqual([])
  })
})
