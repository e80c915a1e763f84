import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { needs } from '../../../test/needs.js'
import { it } from './browser.js'
import { busyDay, livelyShop, screens } from './screens.js'

const hasBrowser = needs('chromium', 'the accessibility of every screen')

/** Each screen is checked with one of these settings, in turn; the full tests check it with all of them. */
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

/** A script that says by how many pixels the page, the frame of a table, or the time of a visit overflows. */
const tooWide = `[document.documentElement, ...document.querySelectorAll('.table-frame, .visit-time')]
  .map((frame) => [frame.className || 'page', frame.scrollWidth - frame.clientWidth])
  .filter(([, beyond]) => beyond > 0)
  .map(([name, beyond]) => name + ' ' + beyond + ' pixels too wide')
  .join(', ')`

/** A script that runs the preloaded modules, except the words, and returns their errors. */
const notRun = `Promise.all(
  [...document.querySelectorAll('link[rel=modulepreload]:not([href*="/fr-"])')].map(({ href }) =>
    import(href).then(() => [], ({ message }) => [href + ': ' + message]),
  ),
).then((each) => each.flat())`

/** The violations that axe-core finds of WCAG 2.2 A and AA, and of good practice. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const found: unknown = await page.evaluate(
    // With passed rules in the report, this would take twice as long.
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" | ")))`,
  )
  return Array.isArray(found) ? found.map(String) : ['axe said nothing']
}

describe.runIf(hasBrowser)('each screen', { timeout: 600_000 }, () => {
  it('is accessible in both languages and themes, and fits even with long names', async ({ openShop }) => {
    const shop = await openShop()
    const { page, open, complaints } = shop
    const receiver = await livelyShop(shop)
    await open('/')
    const found: string[] = []
    for (const { screen, language, colorScheme, width } of shown) {
      await page.setViewportSize({ width, height: 900 })
      // During an animation, the contrast would be lower.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.evaluate(`localStorage.setItem('sav-language', '${language}')`)
      await open(screen.replace(':receiver', receiver))
      await expect.poll(() => page.locator('.loading').count()).toBe(0)
      const where = `${screen} (${language}, ${colorScheme}, ${width})`
      found.push(...(await violations(page)).map((text) => `${where}: ${text}`))
      // Tables have the least room at 1024 pixels, beside the navigation. 320 pixels is a window of 1280 at a zoom of
      // 400 %.
      for (const each of new Set([width, 1024, 320])) {
        await page.setViewportSize({ width: each, height: 900 })
        // The page handles the new width in one frame, and draws the result in the next.
        await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
        const beyond = String(await page.evaluate(tooWide))
        if (beyond !== '') found.push(`${where}, at ${each}: ${beyond}`)
      }
    }
    expect(found).toEqual([])
    expect(complaints).toEqual([])
  })

  it('shows in English what the service stores of an erased client in French', async ({ openShop }) => {
    const shop = await openShop({ locale: 'en-GB' })
    const { page, open, api, book } = shop
    await livelyShop(shop)
    await api('PUT', '/api/v1/sav/2', { notes_internes: 'Rappeler le soir.' })
    await api('PUT', '/api/v1/sav/2', { notes_internes: 'Rappeler le matin.' })
    await api('POST', '/api/v1/sav/2/commentaires', { texte: 'Une vitre de plus est à changer.' })
    const id = await book(`${busyDay}T13:00:00.000Z`, { sav_id: 2 })
    const report = { statut: 'realise', resultat: 'partiel', compte_rendu: 'Vitre commandée.' }
    expect((await api('PATCH', `/api/v1/planning/${id}`, report)).status).toBe(200)
    for (const client of [1, 2]) await api('POST', `/api/v1/clients/${client}/effacer`)
    const found: string[] = []
    for (const screen of [`/planning?date=${busyDay}&rdv=${id}`, ...screens]) {
      if (screen.startsWith('/reglages') && screen !== '/reglages/journal') continue
      await open(screen)
      await expect.poll(() => page.locator('.loading').count()).toBe(0)
      const kept = String(await page.evaluate("document.body.outerHTML.match(/.{60}effacé.{20}/gs)?.join(' | ') ?? ''"))
      if (kept !== '') found.push(`${screen}: ${kept}`)
    }
    expect(found).toEqual([])
    await open('/clients/2')
    await page.getByRole('heading', { level: 1, name: '(erased)', exact: true }).waitFor()
  })

  it('loads its code and its words at the same time', async ({ openShop }) => {
    const { page, origin } = await openShop()
    await page.route(/\/assets\/fr-/, () => {})
    const found: unknown[] = []
    for (const screen of screens) {
      const asked = page.waitForRequest(/\/assets\/fr-/)
      await page.goto(`${origin}/app${screen}`, { waitUntil: 'commit' })
      await asked
      found.push(await page.evaluate(notRun))
    }
    expect(found.flat()).toEqual([])
  })

  it('requests its data once, before it is rendered', async ({ openShop }) => {
    const { page, open } = await openShop()
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (/\/v1\/(sav|planning|poseurs)$/.test(pathname)) asked.push(pathname + search)
    })
    await open('/dossiers')
    await page.locator('.table, .empty').waitFor()
    const [list, ...others] = asked
    expect([list, others]).toEqual([expect.stringMatching(/^\/api\/v1\/sav\?/), []])
    await page.getByRole('link', { name: 'Planning', exact: true }).click()
    await page.locator('.planning, .empty').first().waitFor()
    await expect.poll(() => new Set(asked.map((url) => url.split('?')[0])).size).toBe(3)
    expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted())
  })
})
