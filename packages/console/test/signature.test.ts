import type { Locator, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { describe, expect } from 'vitest'
import { needs } from '../../../test/needs.js'
import { paintedPages } from '../../reception-report/test/pdf-pages.js'
import { it, type Shop } from './browser.js'

const hasBrowser = needs('chromium', 'the place of a customer’s signature')

/** The edges of the drawing, as fractions of the width and height of the sheet. */
const frame = { left: 0.1, top: 0.15, right: 0.9, bottom: 0.85 }

const isFull = process.env['SAV_TEST_FULL'] === '1'
/** The screens and densities: each of them once, or all combinations in the full tests. */
const shown: readonly (readonly [density: number, widths: readonly number[]])[] = isFull
  ? [1, 2, 3].map((density) => [density, [390, 1024, 1600]] as const)
  : [
      [1, [1600]],
      [2, [1024]],
      [3, [390]],
    ]

describe.runIf(hasBrowser)('the signature of a customer', () => {
  for (const [density, widths] of shown)
    it(`is under the finger and fills the sent picture, on a screen of density ${density}`, async ({ openShop }) => {
      const shop = await openShop({ density })
      const { page } = shop
      await page.addInitScript(seenAtOnce)
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        const id = await openSheet(shop)
        expect(await page.evaluate('globalThis.isLaid')).toBe(true)
        const sheet = page.locator('canvas')
        const { width: sheetWidth, height: sheetHeight } = await drawFrame(page, sheet)
        expectFrame(await inkShown(sheet))

        const sent = await close(page)
        expect(sent.width).toBeLessThanOrEqual(2000)
        expect(sent.height).toBeLessThanOrEqual(1000)
        const ink = boxOf(sent, (at) => sent.data[at + 3] !== 0)
        // The picture has the resolution of the screen, and only a margin around the drawing.
        expect(ink.width / (sheetWidth * 0.8 * density)).toBeCloseTo(1, 1)
        expect(ink.height / (sheetHeight * 0.7 * density)).toBeCloseTo(1, 1)
        for (const edge of [ink.left, ink.top, sent.width - ink.left - ink.width, sent.height - ink.top - ink.height])
          expect(edge / density).toBeCloseTo(8, -1)

        // The report reserves a height of 42 points for the signature.
        if (width === 390) expect(await heightInReport(shop, id)).toBeGreaterThan(30)
      }
    })

  it('stays when the phone is turned, also during a stroke, and can be continued', async ({ openShop }) => {
    const shop = await openShop({ width: 390, density: 2 })
    const { page } = shop
    await openSheet(shop)
    const sheet = page.locator('canvas')
    await drawFrame(page, sheet)
    await page.setViewportSize({ width: 844, height: 390 })
    await expect.poll(() => inkShown(sheet)).toSatisfy(isFrame)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => inkShown(sheet)).toSatisfy(isFrame)

    // Draws a stroke from the left edge to the frame.
    const { x, y, width, height } = await boxOnPage(sheet)
    await page.mouse.move(x + width * 0.02, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.06, y + height / 2, { steps: 4 })
    await page.setViewportSize({ width: 844, height: 390 })
    await expect.poll(async () => (await inkShown(sheet)).left).toBeLessThan(0.05)
    await page.mouse.up()
    const turned = await boxOnPage(sheet)
    await stroke(page, turned, [
      [0.9, 0.5],
      [0.97, 0.5],
    ])
    const sent = await close(page)
    const ink = boxOf(sent, (at) => sent.data[at + 3] !== 0)
    // The ink spans from 2 % to 97 % of the width and 70 % of the height. The height is half the width.
    expect(ink.width / ink.height).toBeCloseTo((0.95 * 2) / 0.7, 0)
  })

  it('is at most 512 KiB, whatever is drawn', async ({ openShop }) => {
    const shop = await openShop({ width: 1600, density: 2 })
    const { page } = shop
    await openSheet(shop)
    const sheet = page.locator('canvas')
    const box = await boxOnPage(sheet)
    // Random strokes, which compress badly.
    const spots = Array.from({ length: 220 }, (_, n) => [(0.5 + n * 0.618034) % 1, (0.5 + n * 0.754878) % 1] as const)
    await stroke(page, box, spots, 1)
    const content = await closeAndTake(page)
    expect(content.length).toBeLessThanOrEqual(512 * 1024)
    expect(PNG.sync.read(content).width).toBeGreaterThan(500)
  })

  it('is not sent if it was cleared', async ({ openShop }) => {
    const shop = await openShop()
    const { page } = shop
    await openSheet(shop)
    await drawFrame(page, page.locator('canvas'))
    await page.getByRole('button', { name: 'Effacer' }).click()
    const sending = page.waitForRequest(/cloturer$/)
    await page.getByRole('button', { name: 'Clôturer le dossier' }).click()
    expect((await sending).postDataJSON()).not.toHaveProperty('signature_client')
  })

  it('is not sent by a browser that returns blank pictures', async ({ openShop }) => {
    const shop = await openShop()
    const { page } = shop
    await page.addInitScript(givesOutBlank)
    await openSheet(shop)
    await drawFrame(page, page.locator('canvas'))
    await page.getByText('Ce navigateur ne donne pas l’image').waitFor()
    let closes = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/cloturer')) closes += 1
    })
    const closing = page.getByRole('button', { name: 'Clôturer le dossier' })
    await closing.click()
    await expect.poll(() => closing.getAttribute('aria-disabled')).toBe('false')
    expect(closes).toBe(0)
    await page.getByRole('button', { name: 'Effacer' }).click()
    const sending = page.waitForRequest(/cloturer$/)
    await closing.click()
    expect((await sending).postDataJSON()).not.toHaveProperty('signature_client')
  })
})

/** Makes the canvas return blank pictures, as browsers do against fingerprinting. */
const givesOutBlank = `CanvasRenderingContext2D.prototype.getImageData = (x, y, width, height) => {
  const blank = new ImageData(width, height)
  blank.data.fill(255)
  return blank
}`

/** Records whether the sheet accepts strokes at once, or only after a frame. */
const seenAtOnce = `new MutationObserver(() => {
  const sheet = document.querySelector('canvas')
  if (sheet) globalThis.isLaid ??= sheet.width === Math.round(sheet.clientWidth * devicePixelRatio)
}).observe(document, { childList: true, subtree: true })`

async function openSheet({ api, open, page }: Shop): Promise<number> {
  const made = await api('POST', '/api/v1/sav', { client_id: 1, description: 'La porte du four racle depuis la pose.' })
  const { id } = made.body.data
  await open(`/dossiers/${id}/cloture`)
  await page.getByLabel('Ce qui a été fait').fill('Porte réglée, jeu de deux millimètres partout.')
  await page.getByLabel('Nom du signataire').fill('Hélène Durand')
  return id
}

async function boxOnPage(sheet: Locator) {
  await sheet.scrollIntoViewIfNeeded()
  return (await sheet.boundingBox()) ?? expect.fail('no sheet to sign on')
}

type Box = Awaited<ReturnType<typeof boxOnPage>>
type Spot = readonly [x: number, y: number]

async function stroke(page: Page, { x, y, width, height }: Box, spots: readonly Spot[], steps = 12): Promise<void> {
  const [first = [0, 0], ...others] = spots
  await page.mouse.move(x + first[0] * width, y + first[1] * height)
  await page.mouse.down()
  for (const spot of others) await page.mouse.move(x + spot[0] * width, y + spot[1] * height, { steps })
  await page.mouse.up()
}

async function drawFrame(page: Page, sheet: Locator): Promise<Box> {
  const box = await boxOnPage(sheet)
  const { left, top, right, bottom } = frame
  const corners: Spot[] = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
    [left, top],
  ]
  // Draws each side as a separate stroke: a single one would have round corners.
  for (const [n, corner] of corners.slice(1).entries()) await stroke(page, box, [corners[n] ?? corner, corner])
  return box
}

/** The bounds of the ink on the screen, as fractions of the size of the sheet. */
async function inkShown(sheet: Locator) {
  const shot = PNG.sync.read(await sheet.screenshot())
  const { left, top, width, height } = boxOf(shot, (at) => (shot.data[at] ?? 255) < 128)
  return {
    left: left / shot.width,
    top: top / shot.height,
    right: (left + width) / shot.width,
    bottom: (top + height) / shot.height,
  }
}

const sides = ['left', 'top', 'right', 'bottom'] as const
const isFrame = (shown: typeof frame): boolean => sides.every((side) => Math.abs(shown[side] - frame[side]) < 0.025)

function expectFrame(shown: typeof frame): void {
  expect(shown).toSatisfy(isFrame)
}

/** The bounds of the ink in a picture. @param isInk whether the pixel whose bytes begin at this index is ink */
function boxOf({ width, height }: Pick<PNG, 'width' | 'height'>, isInk: (at: number) => boolean) {
  let [left, top, right, bottom] = [width, height, 0, 0]
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      if (isInk((y * width + x) * 4)) {
        left = Math.min(left, x)
        right = Math.max(right, x)
        top = Math.min(top, y)
        bottom = y
      }
  return { left, top, width: right - left + 1, height: bottom - top + 1 }
}

async function closeAndTake(page: Page): Promise<Buffer> {
  const sending = page.waitForRequest(/cloturer$/)
  await page.getByRole('button', { name: 'Clôturer le dossier' }).click()
  const { signature_client } = (await sending).postDataJSON()
  await page.getByRole('button', { name: 'Rouvrir' }).waitFor()
  return Buffer.from(String(signature_client).replace('data:image/png;base64,', ''), 'base64')
}

const close = async (page: Page): Promise<PNG> => PNG.sync.read(await closeAndTake(page))

/** The height, in points, of the tallest connected dark shape on the report: no letter is as tall. */
async function heightInReport({ page }: Shop, id: number): Promise<number> {
  const address = new URL(`/api/v1/sav/${id}/pv`, page.url()).href
  const read = () => page.request.get(address, { headers: { 'Sec-Fetch-Site': 'same-origin' } })
  await expect.poll(async () => (await read()).status()).toBe(200)
  const scale = 3
  const pages = await paintedPages(await (await read()).body(), scale)
  const signed = pages.find(({ text }) => text.includes('Signature du client')) ?? expect.fail('no page is signed')
  return highest(signed) / scale
}

/**
 * The height of the tallest connected dark shape: ink is dark grey, while the lines of the report are blue or light.
 */
function highest({ width, height, pixels }: Awaited<ReturnType<typeof paintedPages>>[number]): number {
  const isDark = (n: number) => {
    const colours = pixels.subarray(n * 4, n * 4 + 3)
    const most = Math.max(...colours)
    return most < 170 && most - Math.min(...colours) < 20
  }
  const seen = new Set<number>()
  let most = 0
  for (let start = 0; start < width * height; start += 1) {
    if (seen.has(start) || !isDark(start)) continue
    let [top, bottom] = [height, 0]
    const waiting = [start]
    for (let n = waiting.pop(); n !== undefined; n = waiting.pop()) {
      if (seen.has(n) || !isDark(n)) continue
      seen.add(n)
      const y = Math.floor(n / width)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
      for (const next of [n - width, n - 1, n + 1, n + width]) if (!seen.has(next)) waiting.push(next)
    }
    most = Math.max(most, bottom - top + 1)
  }
  return most
}
