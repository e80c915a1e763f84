import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../test/needs.js'
import { openShop, useBrowser } from './browser.js'

const hasBrowser = needs('chromium', 'that the screens can be used by everybody')

const screens = [
  '/',
  '/dossiers',
  '/dossiers/1',
  '/dossiers/2',
  '/dossiers/2/cloture',
  '/dossiers/nouveau',
  '/clients',
  '/clients/1',
  '/clients/nouveau',
  '/poseurs',
  '/poseurs/1',
  '/reglages/api/webhooks',
  '/reglages/api/webhooks/nouveau',
  '/reglages/api/webhooks/historique',
  '/reglages/api/cles',
  '/reglages/api/cles/nouvelle',
  '/reglages/api/catalogue',
  '/reglages/utilisateurs',
  '/reglages/journal',
  '/nulle-part',
]

/** Of axe-core: by the rules of WCAG 2.2 A and AA, and of good practice. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const found: unknown = await page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" | ")))',
  )
  return Array.isArray(found) ? found.map(String) : ['axe said nothing']
}

describe.runIf(hasBrowser)('each screen', { timeout: 240_000 }, () => {
  useBrowser()

  it.each([
    ['fr-FR', 'light', 1280],
    ['en-GB', 'dark', 390],
  ] as const)('in %s, %s, at %i pixels is usable by everybody, and fits', async (locale, colorScheme, width) => {
    const { page, open, api, complaints } = await openShop({ locale, width })
    await page.emulateMedia({ colorScheme })
    await api('POST', '/api/v1/poseurs', { nom: 'Karim Benali' })
    for (const description of ['La porte du four racle, en bas à droite.', `Fissure ${'très '.repeat(60)}longue.`])
      await api('POST', '/api/v1/sav', { client_id: 1, description, priorite: 'urgente' })
    await api('POST', '/api/v1/sav/1/cloturer', { resolution: 'Porte réglée et graissée.', reserves: ['Vitre rayée'] })
    const found: string[] = []
    for (const screen of screens) {
      await open(screen)
      await expect.poll(() => page.locator('.loading').count(), { timeout: 30_000 }).toBe(0)
      found.push(...(await violations(page)).map((text) => `${screen}: ${text}`))
      const beyond = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
      if (beyond > 0) found.push(`${screen}: ${beyond} pixels too wide`)
    }
    expect(found).toEqual([])
    expect(complaints).toEqual([])
  })
})
