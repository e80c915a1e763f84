import type { Browser, BrowserContext, CDPSession, Locator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { slowed } from '../browser.js'
import { type FieldShop, type FieldShopOptions, openFieldShop } from './field-shop.js'

export interface Phone<Behind = FieldShop> {
  readonly page: Page
  readonly context: BrowserContext
  readonly service: Behind
  /** Script errors, and violations of the content security policy. */
  readonly complaints: string[]
  /** Types a code into the keypad. */
  code(digits: string): Promise<void>
  /** Opens a screen by its address, and unlocks the phone if necessary. */
  open(screen: string): Promise<void>
  /** Restarts the app, which is then locked. @param shows a selector of the expected screen */
  restart(shows?: string): Promise<void>
  offline(isOffline: boolean): Promise<void>
  /** Taps a button, and gives the photos to its file chooser. */
  photo(button: Locator, ...photos: readonly Buffer[]): Promise<void>
  /** Draws a stroke. Its ends are fractions of the sheet's size: 0.5 is the middle. */
  ink(from: readonly [number, number], to: readonly [number, number]): Promise<void>
  /** Turns the phone, and waits for the sheet's new layout. */
  turn(): Promise<void>
  /** The number of taps so far. */
  readonly taps: Promise<number>
}

interface PhoneOptions extends Manner, FieldShopOptions {
  /** Called before the first page is opened. */
  readonly prepare?: (context: BrowserContext, shop: FieldShop) => Promise<unknown>
}

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

/**
 * Makes it cheap to derive a key from a code, which otherwise takes a third of a second. real-service.test.ts uses the
 * real derivation.
 */
const quickCodes = `
  const derive = crypto.subtle?.deriveBits.bind(crypto.subtle)
  if (derive) crypto.subtle.deriveBits = (way, ...given) => derive({ ...way, iterations: 1000 }, ...given)`

/** The browser context of a phone without the app. */
export async function contextOf(browser: Browser, manner: Manner = {}): Promise<BrowserContext> {
  const { locale = 'fr-FR', width = 390, height = 844, colorScheme = 'light', userAgent } = manner
  const context = await browser.newContext({
    locale,
    viewport: { width, height },
    colorScheme,
    // During an animation, the contrast would be lower.
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

/** Counts taps, except those on the keypad. */
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
    // Types the code, which is six times as fast as tapping; lock.test.ts covers taps.
    await page.keyboard.type(digits)
  }
  const app = `${service.url}/app/terrain`
  await page.goto(`${app}#${token}`)
  await page.getByRole('button', { name: /six/i }).tap()
  await code(pin)
  await page.getByText(/Encore une fois|Once more/).waitFor()
  await code(pin)
  await page.locator('.visits li').first().waitFor()
  // The app is available offline once this resolves.
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
      // The finger rests before it is lifted: lifting a moving finger starts a scroll, which the next tap would only
      // stop.
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

/** A photo as from a camera, with time, camera and place. @param grain the size of random noise in pixels; 0: none */
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

/** EXIF with the camera `SAVCAM`, the time and a GPS directory. */
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

export const toolsOf = (page: Page): Promise<CDPSession> => page.context().newCDPSession(page)

/** The number of rows of a kind on the phone. */
export const rowsOf = ({ page }: Pick<Phone, 'page'>, kind: string): Promise<number> => rowsIn(page, kind)

const rowsIn = async (page: Page, kind: string): Promise<number> => (await namesIn(page, kind)).length

/** The ids of the rows of a kind. */
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

/** Clicks this button twice, even if another one has replaced it meanwhile. */
export const pressedTwice = (button: Locator) =>
  button.evaluate(async (it: { click(): void }) => {
    it.click()
    await new Promise((done) => setTimeout(done))
    it.click()
  })
