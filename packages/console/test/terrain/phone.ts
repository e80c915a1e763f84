import type { Browser, BrowserContext, CDPSession, Locator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { slowed } from '../browser.js'
import { type FieldShop, type FieldShopOptions, openFieldShop } from './field-shop.js'

export interface Phone<Behind = FieldShop> {
  readonly page: Page
  readonly context: BrowserContext
  readonly service: Behind
  /** What the browser found wrong: errors of scripts, and breaches of the policy. */
  readonly complaints: string[]
  /** Types a code where it is asked for. */
  code(digits: string): Promise<void>
  /** Opens a screen by its address; it may have to be unlocked. */
  open(screen: string): Promise<void>
  /** As if the app were swept away and restarted, locked. @param shows the expected text */
  restart(shows?: string): Promise<void>
  offline(isOffline: boolean): Promise<void>
  /** Gives a photo to whatever asks for one when this is pressed. */
  photo(button: Locator, ...photos: readonly Buffer[]): Promise<void>
  /** Draws a stroke with a finger. Both ends are parts of the sheet: 0.5 is its middle. */
  ink(from: readonly [number, number], to: readonly [number, number]): Promise<void>
  /** Turns the phone, until the sheet to sign on is laid out again: till then it shows what it showed. */
  turn(): Promise<void>
  /** How often something was pressed, or drawn. */
  readonly taps: Promise<number>
}

interface PhoneOptions extends Manner, FieldShopOptions {
  /** Before anything is opened. */
  readonly prepare?: (context: BrowserContext, shop: FieldShop) => Promise<unknown>
}

/** How a phone is. */
interface Manner {
  readonly locale?: 'fr-FR' | 'en-GB'
  readonly width?: number
  readonly height?: number
  readonly colorScheme?: 'light' | 'dark'
  readonly userAgent?: string
}

const pin = '481516'
export const ownCode = pin

/** Bruno's phone, after signing in by a link and choosing a code. */
export async function openPhone(browser: Browser, options: PhoneOptions = {}): Promise<Phone> {
  const shop = await openFieldShop(options)
  const context = await contextOf(browser, options)
  await context.addInitScript(quickCodes)
  await options.prepare?.(context, shop)
  return phoneOf(context, shop, await shop.invite(shop.bruno.person))
}

/** To try a code takes a third of a second of a processor, which phones before the real service spend. */
const quickCodes = `
  const derive = crypto.subtle?.deriveBits.bind(crypto.subtle)
  if (derive) crypto.subtle.deriveBits = (way, ...given) => derive({ ...way, iterations: 1000 }, ...given)`

/** A phone that has nothing of ours yet. */
export async function contextOf(browser: Browser, manner: Manner = {}): Promise<BrowserContext> {
  const { locale = 'fr-FR', width = 390, height = 844, colorScheme = 'light', userAgent } = manner
  const context = await browser.newContext({
    locale,
    viewport: { width, height },
    colorScheme,
    // A sheet that is still coming up is pale.
    reducedMotion: 'reduce',
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
    timezoneId: 'Europe/Paris',
    ...(userAgent !== undefined && { userAgent }),
  })
  onTestFinished(() => context.close())
  return slowed(context)
}

/** Presses on a page are counted: those of the keypad are no part of the work. */
const counter = `
  globalThis.taps = Number(sessionStorage.taps ?? 0)
  addEventListener('click', (event) => {
    if (event.isTrusted && !event.target.closest('.keypad')) sessionStorage.taps = ++globalThis.taps
  }, true)`

/** @param token of an invitation */
export async function phoneOf<Behind extends { readonly url: string }>(
  context: BrowserContext,
  service: Behind,
  token: string,
): Promise<Phone<Behind>> {
  const complaints: string[] = []
  const listen = (page: Page) => {
    page.setDefaultTimeout(120_000)
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text())
    })
    return page
  }
  await context.addInitScript(counter)
  let page = listen(await context.newPage())
  const code = async (digits: string) => {
    await page.locator('.keypad').waitFor()
    // In a sixth of the time that taps take, which lock.test.ts shows to do the same.
    await page.keyboard.type(digits)
  }
  const app = `${service.url}/app/terrain`
  await page.goto(`${app}#${token}`)
  await page.getByRole('button', { name: /six/i }).tap()
  await code(pin)
  await page.getByText(/Encore une fois|Once more/).waitFor()
  await code(pin)
  await page.locator('.visits li').first().waitFor()
  // The shell is kept from here on.
  await page.evaluate('navigator.serviceWorker.ready.then(() => null)')
  return {
    get page() {
      return page
    },
    context,
    service,
    complaints,
    code,
    async open(screen) {
      await page.goto(`${app}${screen}`)
      await page.locator('h1').waitFor()
      if ((await page.locator('.keypad').count()) > 0) await code(pin)
      await page.locator('.keypad').waitFor({ state: 'detached' })
      await page.locator('h1').first().waitFor()
      expect(complaints).toEqual([])
    },
    async restart(shows = '.keypad') {
      await page.close()
      page = listen(await context.newPage())
      await page.goto(app)
      await page.locator(shows).waitFor()
    },
    async offline(isOffline) {
      await context.setOffline(isOffline)
    },
    async photo(button, ...photos) {
      const choosing = page.waitForEvent('filechooser')
      await button.tap()
      await (await choosing).setFiles(
        photos.map((buffer, index) => ({ name: `IMG_${index}.jpg`, mimeType: 'image/jpeg', buffer })),
      )
    },
    async ink(from, to) {
      const sheet = await page.locator('canvas').boundingBox()
      if (sheet === null) throw new Error('there is no sheet')
      const tools = await toolsOf(page)
      const touch = (type: 'touchStart' | 'touchMove', share: number) =>
        tools.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: [
            {
              x: sheet.x + sheet.width * (from[0] + (to[0] - from[0]) * share),
              y: sheet.y + sheet.height * (from[1] + (to[1] - from[1]) * share),
            },
          ],
        })
      await touch('touchStart', 0)
      for (let step = 1; step <= 12; step += 1) await touch('touchMove', step / 12)
      // A finger that is lifted while it moves throws the page, and the next tap only stops that.
      for (let rest = 0; rest < 6; rest += 1) {
        await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
        await touch('touchMove', 1)
      }
      await tools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
      await expect.poll(() => rowsIn(page, 'ink')).toBe(1)
    },
    async turn() {
      const pixels = () => page.evaluate<number>("document.querySelector('canvas').width")
      const [before, { width, height }] = [await pixels(), page.viewportSize() ?? { width: 0, height: 0 }]
      await page.setViewportSize({ width: height, height: width })
      await expect.poll(pixels).not.toBe(before)
    },
    get taps() {
      return page.evaluate<number>('globalThis.taps')
    },
  }
}

/** A photo as a camera gives it, with its time, its camera and its place; with `grain` of so many pixels as hard to make small. */
export async function cameraPhoto(
  page: Page,
  { width, height, grain = 0 }: { readonly width: number; readonly height: number; readonly grain?: number },
) {
  const plain = await page.evaluate<string>(`(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: ${width}, height: ${height} })
    const pen = canvas.getContext('2d')
    pen.fillStyle = 'hsl(' + Math.random() * 360 + ' 40% 60%)'
    pen.fillRect(0, 0, ${width}, ${height})
    if (${grain} > 0) {
      const fine = Object.assign(document.createElement('canvas'), { width: ${width} / ${grain}, height: ${height} / ${grain} })
      const pixels = fine.getContext('2d').getImageData(0, 0, fine.width, fine.height)
      for (let at = 0; at < pixels.data.length; at += 1) pixels.data[at] = at % 4 === 3 ? 255 : Math.random() * 256
      fine.getContext('2d').putImageData(pixels, 0, 0)
      pen.drawImage(fine, 0, 0, ${width}, ${height})
    }
    return canvas.toDataURL('image/jpeg', 0.9).split(',')[1]
  })()`)
  const jpeg = Buffer.from(plain, 'base64')
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)])
}

export const takenAt = '2026:03:16 09:12:44'

/** Camera `SAVCAM`, when it was taken, and a directory of the place. */
const exif = (() => {
  const tiff = Buffer.alloc(160)
  const entry = (place: number, tag: number, type: number, count: number, value: number) => {
    tiff.writeUInt16LE(tag, place)
    tiff.writeUInt16LE(type, place + 2)
    tiff.writeUInt32LE(count, place + 4)
    tiff.writeUInt32LE(value, place + 8)
  }
  tiff.write('II*\0', 0, 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(3, 8)
  entry(10, 0x010f, 2, 7, 100)
  entry(22, 0x8769, 4, 1, 60)
  entry(34, 0x8825, 4, 1, 140)
  tiff.writeUInt16LE(1, 60)
  entry(62, 0x9003, 2, 20, 110)
  tiff.write('SAVCAM\0', 100, 'latin1')
  tiff.write(`${takenAt}\0`, 110, 'latin1')
  return Buffer.concat([Buffer.from([0xff, 0xe1, 0, 168]), Buffer.from('Exif\0\0', 'latin1'), tiff])
})()

/** What the protocol of Chromium's own tools can do beside. */
export const toolsOf = (page: Page): Promise<CDPSession> => page.context().newCDPSession(page)

/** How many rows of a kind lie on the phone. */
export const rowsOf = ({ page }: Pick<Phone, 'page'>, kind: string): Promise<number> => rowsIn(page, kind)

const rowsIn = async (page: Page, kind: string): Promise<number> => (await namesIn(page, kind)).length

/** What the rows of a kind are called. */
export const namesIn = (page: Page, kind: string): Promise<string[]> =>
  page.evaluate<string[]>(`new Promise((resolve) => {
    indexedDB.open('sav-terrain').onsuccess = ({ target }) => {
      const asking = target.result.transaction('sealed').objectStore('sealed').getAllKeys()
      asking.onsuccess = () => {
        target.result.close()
        resolve(asking.result.flatMap(([, found, name]) => (found === '${kind}' ? [name] : [])))
      }
    }
  })`)

/** One press right after the other, and both on this button: what came in its place meanwhile is not pressed. */
export const pressedTwice = (button: Locator) =>
  button.evaluate(async (it: { click(): void }) => {
    it.click()
    await new Promise((done) => setTimeout(done))
    it.click()
  })
