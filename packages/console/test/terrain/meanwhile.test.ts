import type { FileChooser, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { needs } from '../../../../test/needs.js'
import { it } from '../browser.js'
import { before, begin, hold, holdDrafts, show, text } from './at-work.js'
import { cameraPhoto, namesIn, openPhone, ownCode, type Phone, pressedTwice, rowsOf } from './phone.js'

const hasBrowser = needs('chromium', 'a phone while the office changes its visits')

const departed = 'Le bureau a donné cette visite à un autre.'
const gone = 'Cette visite n’est pas sur ce téléphone.'

/** Counts the page's writes of the outbox. */
const countWrites = `{
  const { put } = IDBObjectStore.prototype
  globalThis.written = 0
  IDBObjectStore.prototype.put = function (...given) {
    if (this.name === 'sealed' && given[1][1] === 'outbox') written += 1
    return put.apply(this, given)
  }
}`

const lookAgain = ({ page }: Phone) => page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)

/** Reassigns the first visit. */
const giveAway = ({ service }: Phone) => service.give(1, service.karim)

async function beginFirst(phone: Phone): Promise<void> {
  await begin(phone)
  await expect.poll(() => phone.service.of('/debut').length).toBe(1)
}

/** Opens the camera for a visit; the office then reassigns the visit. */
async function givenAwayAtCamera(phone: Phone): Promise<FileChooser> {
  const { page } = phone
  await beginFirst(phone)
  const choosing = page.waitForEvent('filechooser')
  await before(phone).tap()
  const camera = await choosing
  await seeGivenAway(phone)
  return camera
}

/** Checks that the visit stays on the phone, which has unsent data of it. */
async function seeGivenAway(phone: Phone): Promise<void> {
  await giveAway(phone)
  await lookAgain(phone)
  await show(phone, '/visite/1')
  await phone.page.getByText(departed).waitFor()
}

describe.runIf(hasBrowser)('a phone', () => {
  it('stores nothing when it is opened, or for an answer without changes', async ({ browser }) => {
    const phone = await openPhone(browser, { prepare: (context) => context.addInitScript(countWrites) })
    const { service } = phone
    const written = () => phone.page.evaluate('written')
    service.proxy.cutOf = (call) => (call.endsWith('/1/debut') ? 401 : null)
    await begin(phone)
    await phone.page.getByLabel('Compte rendu').waitFor()
    await show(phone, '/a-envoyer')
    await phone.page.getByText('Attend que vous soyez reconnecté').first().waitFor()
    // The report was written once when it was made, and once before it was sent.
    expect(await written()).toBe(2)
    service.proxy.cutOf = () => null
    await lookAgain(phone)
    await phone.page.getByText('Tout est envoyé.').waitFor()
    await expect.poll(written).toBe(4)
    await phone.restart()
    await phone.code(ownCode)
    await begin(phone, 1)
    await expect.poll(() => service.of('/2/debut').length).toBe(1)
    await expect.poll(written).toBe(3)
  })

  it('keeps a visit that is reassigned while the camera is open, until the photo is sent', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page } = phone
    const camera = await givenAwayAtCamera(phone)
    const buffer = await cameraPhoto(page, { width: 400, height: 300 })
    await camera.setFiles({ name: 'IMG.jpg', mimeType: 'image/jpeg', buffer })
    await page.locator('.actions .primary').tap()
    await page.locator('.shot:not(.busy)').waitFor()
  })

  it('removes a reassigned visit once the camera returns without a photo', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page } = phone
    await givenAwayAtCamera(phone)
    await page.evaluate(`document.querySelector('input[type=file]').dispatchEvent(new Event('cancel'))`)
    await lookAgain(phone)
    await page.getByText(gone).waitFor()
  })

  it('keeps a visit that is reassigned before its typed text is stored', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page } = phone
    await beginFirst(phone)
    await holdDrafts(phone)
    await page.getByLabel('Compte rendu').fill(text)
    await seeGivenAway(phone)
    await page.evaluate('go()')
    await page.locator('.actions .primary').tap()
    expect(await page.getByLabel('Compte rendu').inputValue()).toBe(text)
  })

  it.for(['Blob.prototype.arrayBuffer', 'createImageBitmap'] as const)(
    'keeps a photo whose visit is reassigned before the end of %s',
    async (what, { browser }) => {
      const phone = await openPhone(browser)
      const { page } = phone
      await beginFirst(phone)
      await hold(phone, what)
      await phone.photo(before(phone), await cameraPhoto(page, { width: 400, height: 300 }))
      await page.evaluate('holds')
      await giveAway(phone)
      await lookAgain(phone)
      await show(phone, '/visite/1')
      await page.getByText(departed).waitFor()
      await page.evaluate('go()')
      await page.locator('.actions .primary').tap()
      await page.locator('.shot:not(.busy)').waitFor()
      expect(await rowsOf(phone, 'file')).toBe(1)
    },
  )

  it.for(['Blob.prototype.arrayBuffer', 'createImageBitmap'] as const)(
    'keeps no photo whose client is erased before the end of %s',
    async (what, { browser }) => {
      const answered = Promise.withResolvers<void>()
      const phone = await openPhone(browser, {
        prepare: (context) =>
          context.route('**/1/debut', async (route) => {
            await answered.promise
            await route.continue()
          }),
      })
      const { page, service } = phone
      await begin(phone)
      await hold(phone, what)
      await phone.photo(before(phone), await cameraPhoto(page, { width: 400, height: 300 }))
      await page.evaluate('holds')
      await show(phone, '/visite/1')
      const client = page.getByRole('heading', { name: 'Durand' })
      await client.waitFor()
      await service.sav.directory.clients.erase(service.actor, 1)
      answered.resolve()
      // The visit is first removed. A refresh then brings it back without a name.
      await client.waitFor({ state: 'detached' })
      await page.evaluate('go()')
      if (what === 'Blob.prototype.arrayBuffer') await page.getByText('la photo n’a pas été gardée').waitFor()
      // The next photo is stored and reduced after the refused one.
      await show(phone, '/visite/2')
      await page.locator('.actions .primary').tap()
      await phone.photo(before(phone), await cameraPhoto(page, { width: 500, height: 300 }))
      await page.locator('.shot:not(.busy)').waitFor()
      await expect.poll(() => namesIn(page, 'draft')).toEqual(['2'])
      for (const [kind, count] of [
        ['photo', 1],
        ['raw', 0],
        ['file', 1],
      ] as const)
        await expect.poll(() => rowsOf(phone, kind), { message: kind }).toBe(count)
    },
  )
})

describe.runIf(hasBrowser)('a double press', () => {
  it('takes an absence back once, and reports nothing else', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    await phone.offline(true)
    await show(phone, '/visite/1')
    await page.getByRole('button', { name: 'Absent' }).tap()
    await page.locator('.sheet .primary').tap()
    const takeBack = page.getByRole('button', { name: 'Il est là : revenir en arrière' })
    await pressedTwice(takeBack)
    await takeBack.waitFor({ state: 'detached' })
    await show(phone, '/a-envoyer')
    await page.getByText('Tout est envoyé.').waitFor()
    // If an absence was already sent, one call takes it back.
    await phone.offline(false)
    await show(phone, '/visite/2')
    await page.getByRole('button', { name: 'Absent' }).tap()
    await page.locator('.sheet .primary').tap()
    await expect.poll(() => service.of('/2/absent').length).toBe(1)
    await pressedTwice(takeBack)
    await takeBack.waitFor({ state: 'detached' })
    await show(phone, '/a-envoyer')
    await page.getByText('Tout est envoyé.').waitFor()
    expect(service.done.map(({ path }) => path)).toEqual(['/api/v1/planning/2/absent', '/api/v1/planning/2'])
  })
})

describe.runIf(hasBrowser)('two tabs of a phone', () => {
  it('that set different codes for the same user at the same time keep the first, and the later tab says so', async ({
    browser,
  }) => {
    const { page, context, service } = await openPhone(browser)
    await service.give(1, service.karim)
    const app = `${service.url}/app/terrain`
    await page.goto(`${app}#${await service.invite(service.karim.person)}`)
    await page.getByRole('button', { name: 'Continuer' }).tap()
    await page.getByRole('heading', { name: /Protéger/ }).waitFor()
    const other = await context.newPage()
    await other.goto(app)
    await other.getByRole('button', { name: 'Changer de personne' }).tap()
    const codes = new Map([
      [page, '270364'],
      [other, '481516'],
    ])
    for (const [tab, code] of codes) {
      await tab.getByRole('button', { name: /six/ }).tap()
      await tab.keyboard.type(code)
      await tab.getByText('Encore une fois').waitFor()
    }
    await Promise.all([...codes].map(([tab, code]) => tab.keyboard.type(code)))
    const isLater = (tab: Page) => tab.getByText('dans un autre onglet').waitFor()
    const later = await Promise.race([...codes.keys()].map((tab) => isLater(tab).then(() => tab)))
    const first = later === page ? other : page
    await first.locator('.visit-link').first().waitFor()
    await later.keyboard.type(codes.get(first) ?? '')
    await begin({ page: later })
    await expect.poll(() => service.doneBy()).toEqual([[service.karim.person, '/api/v1/planning/1/debut']])
    await first.locator('.visit-link .mark.en_cours').waitFor()
  })
})
