import type { BrowserContext } from 'playwright-core'
import { describe, expect } from 'vitest'
import { needs } from '../../../../test/needs.js'
import { it } from '../browser.js'
import { cameraPhoto, openPhone, ownCode, type Phone, rowsOf, toolsOf } from './phone.js'

const hasBrowser = needs('chromium', 'that a phone loses nothing')

const text = 'Charnière du bas à commander.'

/** At the screen where a visit is told of, with a word in it that is kept. */
async function atWork(phone: Phone): Promise<void> {
  await phone.page.locator('.visit-link').first().tap()
  await phone.page.locator('.actions .primary').tap()
  await phone.page.locator('.choice', { hasText: 'En partie' }).tap()
  await phone.page.getByLabel('Compte rendu').fill(text)
  await expect.poll(() => rowsOf(phone, 'draft')).toBe(1)
}

const before = (phone: Phone) => phone.page.getByRole('button', { name: /photo.: Avant/ })

/** Begun anew, unlocked, and back at the draft. */
async function backAtWork(phone: Phone): Promise<void> {
  await phone.restart()
  await phone.code(ownCode)
  await phone.page.locator('.visit-link').first().tap()
  await phone.page.locator('.actions .primary').tap()
  await phone.page.getByLabel('Compte rendu').waitFor()
}

describe.runIf(hasBrowser)('a phone', () => {
  it('starts from cold without network, with every screen and what it knew', async ({ browser }) => {
    const loaded: string[] = []
    const phone = await openPhone(browser, {
      async prepare(_, service) {
        service.fate = ({ path }) => {
          if (path.includes('/assets/')) loaded.push(path)
          return 'arrives'
        }
      },
    })
    // The worker keeps what the page has loaded, and loads it no second time.
    expect(loaded.length).toBeGreaterThan(1)
    expect(loaded).toEqual([...new Set(loaded)])
    await phone.offline(true)
    await phone.restart()
    await phone.code(ownCode)
    const { page } = phone
    await expect.poll(() => page.locator('.visit-link').count()).toBe(2)
    await page.getByText('Hors réseau').waitFor()
    for (const screen of ['/visite/1', '/visite/1/intervention', '/a-envoyer', '/moi', '/visite/1/signature']) {
      await phone.open(screen)
      expect(await page.locator('h1').textContent()).not.toBe('')
    }
    expect(phone.service.recorded).toEqual([])
  })

  it('that dies between the camera and the end of making a photo smaller has the photo, and every word', async ({
    browser,
  }) => {
    const phone = await openPhone(browser)
    const photo = await cameraPhoto(phone.page, { width: 4000, height: 3000 })
    await phone.offline(true)
    await atWork(phone)
    await phone.photo(before(phone), photo)
    await expect.poll(() => rowsOf(phone, 'photo')).toBe(1)
    await backAtWork(phone)
    expect(await phone.page.getByLabel('Compte rendu').inputValue()).toBe(text)
    await phone.page.locator('.shot:not(.busy)').waitFor()
    expect(await rowsOf(phone, 'raw')).toBe(0)
    expect(await rowsOf(phone, 'file')).toBe(1)
    // One of which nothing is kept yet is not there, and takes nothing along.
    await phone.photo(before(phone), photo)
    await backAtWork(phone)
    expect(await phone.page.getByLabel('Compte rendu').inputValue()).toBe(text)
    expect(await phone.page.locator('.shot').count()).toBeGreaterThanOrEqual(1)
  })

  it('that is full says so, and keeps what it had', async ({ browser }) => {
    // Room for the app and its day, and for no photo.
    const quota = async (context: BrowserContext, origin: string, quotaSize?: number) =>
      (await toolsOf(await context.newPage())).send('Storage.overrideQuotaForOrigin', {
        origin,
        ...(quotaSize !== undefined && { quotaSize }),
      })
    const phone = await openPhone(browser, { prepare: (context, { url }) => quota(context, url, 1_500_000) })
    const { page, service } = phone
    const photo = await cameraPhoto(page, { width: 2000, height: 2000, grain: 1 })
    await atWork(phone)
    await phone.photo(before(phone), photo)
    await page.getByText('Ce téléphone est plein').waitFor()
    expect(await page.getByLabel('Compte rendu').inputValue()).toBe(text)
    await quota(phone.context, service.url)
    await page.locator('.notice .round').tap()
    await phone.photo(before(phone), photo)
    await page.locator('.shot:not(.busy)').waitFor()
    await backAtWork(phone)
    expect(await phone.page.getByLabel('Compte rendu').inputValue()).toBe(text)
  })

  it('takes a new version when its person says so, with all that waits', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    service.fate = ({ path }) => (path.startsWith('/api/v1/planning') ? 'busy' : 'arrives')
    await atWork(phone)
    await page.locator('.actions .primary').tap()
    await expect.poll(() => page.locator('.mark.ahead').count()).toBe(1)
    service.isNewVersion = true
    await page.evaluate('globalThis.isSame = true')
    await page.evaluate('navigator.serviceWorker.ready.then((registration) => registration.update())')
    const offer = page.getByRole('button', { name: /nouvelle version/ })
    await offer.waitFor()
    // Nothing happens by itself.
    expect(await page.evaluate('globalThis.isSame')).toBe(true)
    // What the browser loses is said again.
    await page.evaluate(`{
      const { postMessage } = ServiceWorker.prototype
      ServiceWorker.prototype.postMessage = () => { ServiceWorker.prototype.postMessage = postMessage }
    }`)
    await offer.tap()
    await page.locator('.keypad').waitFor()
    expect(await page.evaluate('globalThis.isSame')).toBeUndefined()
    service.fate = () => 'arrives'
    await phone.code(ownCode)
    await expect
      .poll(() => service.recorded.map(({ path }) => path))
      .toEqual(['/api/v1/planning/1/debut', '/api/v1/planning/1/intervention'])
  })

  it('goes on sending when it is put away, where the browser lets it', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service, context } = phone
    const photo = await cameraPhoto(page, { width: 1600, height: 1200, grain: 2 })
    await phone.offline(true)
    await atWork(phone)
    await phone.photo(before(phone), photo)
    await page.locator('.shot:not(.busy)').waitFor()
    await page.locator('.actions .primary').tap()
    await expect.poll(() => page.locator('.mark.ahead').count()).toBe(1)
    await page.evaluate(`
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
      document.dispatchEvent(new Event('visibilitychange'))`)
    await expect
      .poll(() => page.evaluate(`navigator.serviceWorker.ready.then(({ sync }) => sync.getTags())`))
      .toEqual(['sav-terrain'])
    await page.close()
    const beside = await context.newPage()
    await beside.goto(`${service.url}/app/terrain/manifest.webmanifest`)
    const tools = await toolsOf(beside)
    const found = Promise.withResolvers<string>()
    tools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations
      if (registration !== undefined) found.resolve(registration.registrationId)
    })
    await tools.send('ServiceWorker.enable')
    await phone.offline(false)
    const registrationId = await found.promise
    const sync = { origin: service.url, registrationId, tag: 'sav-terrain', lastChance: false }
    await tools.send('ServiceWorker.dispatchSyncEvent', sync)
    await expect.poll(() => service.of('/intervention').length).toBe(1)
    expect(service.files.size).toBe(1)
  })

  it('asks for what it has with its tag, and tells the office how much waits on it', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    const told: number[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('/api/v1/terrain')) told.push(response.status())
    })
    service.fate = ({ path }) => (path.endsWith('/debut') ? 'busy' : 'arrives')
    await atWork(phone)
    await phone.open('/')
    await expect.poll(() => told).toContain(304)
    await expect
      .poll(() => service.devices.at(-1))
      .toEqual({ nom: expect.stringContaining('Bruno Petit'), en_attente: 1 })
  })
})
