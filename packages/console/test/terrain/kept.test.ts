import type { BrowserContext } from 'playwright-core'
import { describe, expect } from 'vitest'
import { needs } from '../../../../test/needs.js'
import { it } from '../browser.js'
import { atWork, before, begin, hold, holdDrafts, lockedBetween, show, text } from './at-work.js'
import { cameraPhoto, namesIn, openPhone, ownCode, type Phone, rowsOf, toolsOf } from './phone.js'

const hasBrowser = needs('chromium', 'that a phone loses no data')

/** Restarts and unlocks the phone, and opens the draft. */
async function backAtWork(phone: Phone): Promise<void> {
  await phone.restart()
  await phone.code(ownCode)
  await begin(phone)
  await phone.page.getByLabel('Compte rendu').waitFor()
}

describe.runIf(hasBrowser)('a phone', () => {
  it('starts without network, with every screen and its data', async ({ browser }) => {
    const loaded: string[] = []
    const phone = await openPhone(browser, {
      async prepare(_, { proxy }) {
        proxy.cutOf = (call) => {
          if (call.includes('/assets/')) loaded.push(call)
          return null
        }
      },
    })
    // The worker stores the files that the page has loaded, and does not load them again.
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
    expect(phone.service.done).toEqual([])
  })

  it('keeps a photo and all text if it dies before the photo is reduced', async ({ browser }) => {
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
    // If the app ends before a photo is stored, only that photo may be missing.
    await phone.photo(before(phone), photo)
    await backAtWork(phone)
    expect(await phone.page.getByLabel('Compte rendu').inputValue()).toBe(text)
    expect(await phone.page.locator('.shot').count()).toBeGreaterThanOrEqual(1)
  })

  it('reports that it is full, and keeps its data', async ({ browser }) => {
    // The quota has room for the app and its day, but not for a photo.
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

  it('updates when its user agrees, and keeps unsent reports', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    service.proxy.cutOf = (call) => (call.includes('/api/v1/planning') ? 503 : null)
    await atWork(phone)
    await page.locator('.actions .primary').tap()
    await expect.poll(() => page.locator('.mark.ahead').count()).toBe(1)
    service.renewWorker()
    await page.evaluate('globalThis.isSame = true')
    await page.evaluate('navigator.serviceWorker.ready.then((registration) => registration.update())')
    const offer = page.getByRole('button', { name: /nouvelle version/ })
    await offer.waitFor()
    // The app does not update by itself.
    expect(await page.evaluate('globalThis.isSame')).toBe(true)
    await page.evaluate(`{
      const { postMessage } = ServiceWorker.prototype
      ServiceWorker.prototype.postMessage = () => { ServiceWorker.prototype.postMessage = postMessage }
    }`)
    await offer.tap()
    await page.locator('.keypad').waitFor()
    expect(await page.evaluate('globalThis.isSame')).toBeUndefined()
    service.proxy.cutOf = () => null
    await phone.code(ownCode)
    await expect
      .poll(() => service.done.map(({ path }) => path))
      .toEqual(['/api/v1/planning/1/debut', '/api/v1/planning/1/intervention'])
  })

  it('continues sending in the background, if the browser supports it', async ({ browser }) => {
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
    expect((await service.sav.cases.get('default', 1)).photos).toHaveLength(1)
  })

  it('requests the day with its ETag, and reports the number of its unsent reports', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    const told: number[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('/api/v1/terrain')) told.push(response.status())
    })
    service.proxy.cutOf = (call) => (call.endsWith('/debut') ? 503 : null)
    await atWork(phone)
    await phone.open('/')
    await expect.poll(() => told).toContain(304)
    await expect
      .poll(() => service.sav.sessions.devices('default', service.bruno.person))
      .toMatchObject([{ nom: expect.stringContaining('Bruno Petit'), en_attente: 1 }])
  })

  it('sends every chosen photo, even if the visit is ended before all are reduced', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    const photos = [300, 400, 500].map((width) => cameraPhoto(page, { width, height: 300 }))
    await atWork(phone)
    await hold(phone, 'createImageBitmap')
    await phone.photo(before(phone), ...(await Promise.all(photos)))
    await page.evaluate('holds')
    await page.locator('.actions .primary').tap()
    await page.evaluate('go()')
    await expect.poll(() => service.of('/intervention').length).toBe(1)
    expect(service.of('/intervention')[0]?.body['photos']).toHaveLength(3)
    for (const kind of ['draft', 'photo', 'raw']) expect(await rowsOf(phone, kind), kind).toBe(0)
  })

  it('keeps every photo and all text if it is locked while photos are stored and reduced', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    const photo = await cameraPhoto(page, { width: 400, height: 300 })
    await atWork(phone)
    await hold(phone, 'Blob.prototype.arrayBuffer')
    await phone.photo(before(phone), photo)
    await page.evaluate('holds')
    await lockedBetween(phone, async () => {
      await page.evaluate('go()')
      await expect.poll(() => rowsOf(phone, 'photo')).toBe(1)
    })
    await show(phone, '/visite/1/intervention')
    await page.locator('.shot:not(.busy)').waitFor()
    expect(await page.getByLabel('Compte rendu').inputValue()).toBe(text)
    await hold(phone, 'createImageBitmap')
    await phone.photo(before(phone), await cameraPhoto(page, { width: 500, height: 300 }), Buffer.from('no picture'))
    await page.evaluate('holds')
    await lockedBetween(phone, () => page.evaluate('go()'))
    await show(phone, '/visite/1/intervention')
    await page.getByText('Cette image ne peut pas être lue').waitFor()
    expect(await page.getByLabel('Compte rendu').inputValue()).toBe(text)
    await page.locator('.actions .primary').tap()
    await expect.poll(() => service.of('/intervention').length).toBe(1)
    expect(service.of('/intervention')[0]?.body).toMatchObject({ compte_rendu: text, photos: [{}, {}] })
  })

  it('keeps no photo that was removed while it was reduced', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page } = phone
    const photo = await cameraPhoto(page, { width: 400, height: 300 })
    await atWork(phone)
    await hold(phone, 'createImageBitmap')
    await phone.photo(before(phone), photo)
    await page.evaluate('holds')
    await page.locator('.shot').tap()
    await page.getByRole('button', { name: 'Retirer cette photo' }).tap()
    await page.locator('.shot').waitFor({ state: 'detached' })
    await page.evaluate('go()')
    // The next photo is reduced after the removed one.
    await phone.photo(before(phone), await cameraPhoto(page, { width: 500, height: 300 }))
    await page.locator('.shot:not(.busy)').waitFor()
    expect([await rowsOf(phone, 'photo'), await rowsOf(phone, 'file')]).toEqual([1, 1])
  })

  it('keeps a photo of two visits until both are sent', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    const photo = await cameraPhoto(page, { width: 400, height: 300 })
    await phone.offline(true)
    await atWork(phone)
    await phone.photo(before(phone), photo)
    await page.locator('.shot:not(.busy)').waitFor()
    await page.locator('.actions .primary').tap()
    await begin(phone, 1)
    await page.locator('.choice', { hasText: 'En partie' }).tap()
    await page.getByLabel('Compte rendu').fill(text)
    // The photo is removed here, but must still be sent for the other visit.
    await phone.photo(before(phone), photo)
    await page.locator('.shot:not(.busy)').tap()
    await page.getByRole('button', { name: 'Retirer cette photo' }).tap()
    await page.locator('.shot').waitFor({ state: 'detached' })
    expect(await rowsOf(phone, 'file')).toBe(1)
    // The photo is sent for the other visit, and must still be sent for this one.
    await phone.photo(before(phone), photo)
    await page.locator('.shot:not(.busy)').waitFor()
    await phone.offline(false)
    await expect.poll(() => service.of('/1/intervention').length).toBe(1)
    await show(phone, '/a-envoyer')
    await page.getByText('Tout est envoyé.').waitFor()
    await show(phone, '/visite/2/intervention')
    await page.locator('.actions .primary').tap()
    await expect.poll(() => service.of('/2/intervention').length).toBe(1)
    expect(service.of('/2/intervention')[0]?.body['photos']).toHaveLength(1)
  })

  it('sends waiting reports after it was locked and unlocked during a call', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service, context } = phone
    const answered = Promise.withResolvers<void>()
    await context.route('**/debut', async (route) => {
      await answered.promise
      await route.continue()
    })
    await atWork(phone)
    await page.locator('.actions .primary').tap()
    await page.locator('.mark.ahead').waitFor()
    await lockedBetween(phone)
    await page.locator('.updated').waitFor()
    answered.resolve()
    await expect.poll(() => service.of('/intervention').length).toBe(1)
  })

  it('removes text about a client that was typed while the client was erased', async ({ browser }) => {
    const phone = await openPhone(browser, { isOneClient: true })
    const { page, service } = phone
    await begin(phone, 1)
    await expect.poll(() => service.of('/2/debut').length).toBe(1)
    await holdDrafts(phone)
    await page.getByLabel('Compte rendu').fill(text)
    await show(phone, '/visite/1')
    await service.sav.directory.clients.erase(service.actor, 1)
    await page.locator('.actions .primary').tap()
    // The visit is first removed. A refresh then brings it back without a name.
    await expect.poll(() => page.getByText('Durand').count()).toBe(0)
    await page.evaluate('go()')
    await lockedBetween(phone, async () => expect(await rowsOf(phone, 'draft')).toBe(0))
    await show(phone, '/a-envoyer')
    await page.getByText('Ce client a été effacé').waitFor()
    expect(await page.getByText('Durand').count()).toBe(0)
  })

  it('keeps an unsent comment when it is locked', async ({ browser }) => {
    const phone = await openPhone(browser)
    await show(phone, '/visite/1')
    const comment = phone.page.getByPlaceholder('Votre commentaire')
    await comment.fill('Prévoir un joint.')
    await lockedBetween(phone)
    await show(phone, '/visite/1')
    expect(await comment.inputValue()).toBe('Prévoir un joint.')
    await phone.page.getByRole('button', { name: 'Ajouter' }).tap()
    await expect.poll(() => phone.service.of('/commentaires').length).toBe(1)
    await expect.poll(() => namesIn(phone.page, 'draft')).toEqual([])
  })

  it('keeps a text about an absence when it is locked, until the absence is sent', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    const word = page.locator('.sheet textarea')
    const ask = async () => {
      await show(phone, '/visite/1')
      await page.getByRole('button', { name: 'Client absent' }).tap()
    }
    await ask()
    await word.fill('Sonné deux fois.')
    await expect.poll(() => namesIn(page, 'draft')).toEqual(['1'])
    await page.locator('.sheet .round').tap()
    await lockedBetween(phone)
    await ask()
    expect(await word.inputValue()).toBe('Sonné deux fois.')
    await page.locator('.sheet .primary').tap()
    await expect.poll(() => service.of('/absent').map(({ body }) => body['compte_rendu'])).toEqual(['Sonné deux fois.'])
    await expect.poll(() => namesIn(page, 'draft')).toEqual([])
  })

  it('keeps a signature with its text, and drops it if the text changes', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    const primary = page.locator('.actions .primary')
    const officeSays = async (nom: string) => {
      const told = page.waitForResponse((response) => response.url().endsWith('/terrain') && response.ok())
      await service.sav.directory.clients.update(service.actor, 1, { nom })
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
      await (await told).finished()
    }
    await atWork(phone)
    await page.locator('.choice', { hasText: 'Résolu' }).tap()
    await primary.tap()
    await primary.tap()
    await page.getByPlaceholder('Nom de qui signe').fill('Alice Durand')
    await phone.ink([0.2, 0.3], [0.8, 0.7])
    await officeSays('Durand-Petit')
    await page.getByRole('button', { name: 'Relire' }).tap()
    await page.getByText('Alice Durand-Petit').waitFor()
    await primary.tap()
    await page.getByRole('button', { name: 'Valider' }).tap()
    await page.getByRole('alert').waitFor()
    await phone.ink([0.2, 0.3], [0.8, 0.7])
    await officeSays('Roux')
    await page.getByRole('button', { name: 'Valider' }).tap()
    await expect.poll(() => service.of('/intervention').length).toBe(1)
    expect(service.of('/intervention')[0]?.body).toMatchObject({
      cloture: { vu: expect.stringContaining('Durand-Petit') },
    })
  })
})
