import type { Browser } from 'playwright-core'
import { describe, expect } from 'vitest'
import { needs } from '../../../../test/needs.js'
import { it } from '../browser.js'
import { openPhone, rowsOf } from './phone.js'

const hasBrowser = needs('chromium', 'a signature on a phone’s whole screen')

/** A phone at the signature sheet. */
async function openSheet(browser: Browser) {
  const phone = await openPhone(browser)
  const { page } = phone
  const primary = page.locator('.actions .primary')
  await page.locator('.visit-link').first().tap()
  await primary.tap()
  await page.locator('.choice', { hasText: 'Résolu' }).tap()
  await page.locator('.chip').first().tap()
  await primary.tap()
  await page.getByText('Travaux : Charnière réglée').waitFor()
  await primary.tap()
  return phone
}

/** The bounds of the ink on the sheet, in CSS pixels. */
const inkShown = `(() => {
  const { width, height, clientWidth } = document.querySelector('canvas')
  const { data } = document.querySelector('canvas').getContext('2d').getImageData(0, 0, width, height)
  const at = [...Array(width * height).keys()].filter((pixel) => data[pixel * 4 + 3] > 99)
  const across = at.map((pixel) => pixel % width)
  const [left, right] = [across.reduce((a, b) => Math.min(a, b)), across.reduce((a, b) => Math.max(a, b))]
  return { width: right - left, height: Math.floor(at.at(-1) / width) - Math.floor(at[0] / width) }
})()`

describe.runIf(hasBrowser)('a visit', () => {
  it('is signed on the whole screen, with the customer’s name, in portrait and in landscape', async ({ browser }) => {
    const phone = await openSheet(browser)
    const { page } = phone
    await expect.poll(() => page.getByPlaceholder('Nom de qui signe').inputValue()).toBe('Alice Durand')
    const sheet = page.locator('canvas')
    const { width = 0, height = 0 } = page.viewportSize() ?? {}
    const upright = await sheet.boundingBox()
    expect((upright?.width ?? 0) / width).toBeGreaterThan(0.9)
    expect((upright?.height ?? 0) / height).toBeGreaterThan(0.7)
    await phone.ink([0.2, 0.1], [0.8, 0.1])
    await phone.ink([0.3, 0.9], [0.7, 0.9])
    const shape = async () => {
      const ink = await page.evaluate<{ readonly width: number; readonly height: number }>(inkShown)
      return ink.width / ink.height
    }
    const drawn = await shape()
    await phone.turn()
    expect(((await sheet.boundingBox())?.width ?? 0) / height).toBeGreaterThan(0.9)
    await expect.poll(shape).toBeCloseTo(drawn, 1)
  })

  it('is not closed with a signature that the browser returns as a blank picture', async ({ browser }) => {
    const phone = await openSheet(browser)
    const { page, service } = phone
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
