import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../test/needs.js'
import { openShop, useBrowser } from './browser.js'
import { livelyShop, screens } from './screens.js'

const hasBrowser = needs('chromium', 'that the screens can be used by everybody')

/** Each screen in one of these; in all of them where there is time. */
const manners = [
  { language: 'fr', colorScheme: 'light', width: 1280 },
  { language: 'en', colorScheme: 'dark', width: 390 },
  { language: 'fr', colorScheme: 'dark', width: 1024 },
  { language: 'en', colorScheme: 'light', width: 1600 },
] as const

const shown = screens.flatMap((screen, index) =>
  manners
    .filter((_, at) => process.env['SAV_TEST_FULL'] === '1' || at === index % manners.length)
    .map((manner) => ({ screen, ...manner })),
)

/** Of axe-core: by the rules of WCAG 2.2 A and AA, and of good practice. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const found: unknown = await page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" | ")))',
  )
  return Array.isArray(found) ? found.map(String) : ['axe said nothing']
}

describe.runIf(hasBrowser)('each screen', { timeout: 600_000 }, () => {
  useBrowser()

  it('is usable by everybody in both languages and both themes, and fits, however long the names are', async () => {
    const shop = await openShop()
    const { page, open, complaints } = shop
    await livelyShop(shop)
    const found: string[] = []
    for (const { screen, language, colorScheme, width } of shown) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.evaluate(`localStorage.setItem('sav-language', '${language}')`)
      await open(screen)
      await expect.poll(() => page.locator('.loading').count(), { timeout: 30_000 }).toBe(0)
      const where = `${screen} (${language}, ${colorScheme}, ${width})`
      found.push(...(await violations(page)).map((text) => `${where}: ${text}`))
      const beyond = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
      if (beyond > 0) found.push(`${where}: ${beyond} pixels too wide`)
    }
    expect(found).toEqual([])
    expect(complaints).toEqual([])
  })
})
