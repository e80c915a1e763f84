import { describe, expect } from 'vitest'
import { needs } from '../../../../test/needs.js'
import { it } from '../browser.js'
import { openPhone, rowsOf } from './phone.js'

const hasBrowser = needs('chromium', 'that the phone keeps no blank signature')

describe.runIf(hasBrowser)('a visit', () => {
  it('is not closed with a signature of which the browser gives out a blank picture', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    const primary = page.locator('.actions .primary')
    await page.locator('.visit-link').first().tap()
    await primary.tap()
    await page.locator('.choice', { hasText: 'Résolu' }).tap()
    await page.locator('.chip').first().tap()
    await primary.tap()
    await page.getByText('Travaux : Charnière réglée').waitFor()
    await primary.tap()
    await page.evaluate(`CanvasRenderingContext2D.prototype.getImageData = (x, y, width, height) => {
      const blank = new ImageData(width, height)
      blank.data.fill(255)
      return blank
    }`)
    await page.getByPlaceholder('Nom de qui signe').fill('Alice Durand')
    await phone.ink([0.2, 0.3], [0.8, 0.7])
    await page.getByRole('button', { name: 'Valider' }).tap()
    await page.getByText('Ce navigateur ne donne pas l’image').waitFor()
    expect(await rowsOf(phone, 'file')).toBe(0)
    expect(service.of('/intervention')).toEqual([])
  })
})
