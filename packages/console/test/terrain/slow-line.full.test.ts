import { describe, expect } from 'vitest'
import { needs } from '../../../../test/needs.js'
import { it } from '../browser.js'
import { begin } from './at-work.js'
import { cameraPhoto, openPhone, toolsOf } from './phone.js'

const hasBrowser = needs('chromium', "an installer's photos on a slow line")
const isFull = process.env['SAV_TEST_FULL'] === '1'
const { photos, bytes, width, bytesPerSecond } = isFull
  ? { photos: 10, bytes: 12_000_000, width: 4000, bytesPerSecond: 50_000 }
  : { photos: 2, bytes: 1_000_000, width: 1000, bytesPerSecond: 400_000 }

describe.runIf(hasBrowser)('photos on a slow line', { timeout: 900_000 }, () => {
  it(`${photos} of ${bytes} bytes arrive at ${bytesPerSecond} bytes a second, with their progress shown`, async ({
    browser,
  }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    const taken: Buffer[] = []
    for (let photo = 0; photo < photos; photo += 1) {
      const jpeg = await cameraPhoto(page, { width, height: width * 0.75, grain: 10 })
      // As large as a camera's photo; decoders ignore bytes after its end.
      taken.push(Buffer.concat([jpeg, Buffer.alloc(Math.max(0, bytes - jpeg.length))]))
    }
    await begin(phone)
    for (const photo of taken) await phone.photo(page.locator('.camera').nth(2), photo)
    await expect.poll(() => page.locator('.shot:not(.busy) img').count(), { timeout: 300_000 }).toBe(photos)
    const tools = await toolsOf(page)
    await tools.send('Network.enable')
    const slow = { offline: false, latency: 200, downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond }
    await tools.send('Network.emulateNetworkConditions', slow)
    await page.locator('.choice').nth(1).tap()
    await page.getByLabel('Compte rendu').fill('Charnière du bas à commander.')
    const begun = Date.now()
    await page.locator('.actions .primary').tap()
    await page.locator('.visits').waitFor()
    const kept = Date.now() - begun
    await page.locator('.tab').nth(1).tap()
    await expect.poll(() => service.of('/intervention').length, { timeout: 600_000 }).toBe(1)
    await page.getByText('Tout est envoyé.').waitFor()
    expect((await service.sav.cases.get('default', 1)).photos).toHaveLength(photos)
    // Closing needs no network, so the phone is usable at once.
    expect(kept).toBeLessThan(10_000)
  })
})
