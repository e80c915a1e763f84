import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { needs } from '../../../../test/needs.js'
import { it } from '../browser.js'
import { cameraPhoto, openPhone } from './phone.js'

const hasBrowser = needs('chromium', "the accessibility of the installers' screens, with one hand")

/** Two combinations, which together have both sizes, themes and languages. */
const manners = [
  { width: 390, height: 844, colorScheme: 'light', locale: 'fr-FR' },
  { width: 360, height: 640, colorScheme: 'dark', locale: 'en-GB' },
] as const

/**
 * Finds controls smaller than a thumb, and content wider than the screen. Links in texts and hidden content are left
 * out.
 */
const faults = `(() => {
  const found = [...document.querySelectorAll('a, button, input, select, textarea, .choice')]
    .filter((each) => each.checkVisibility() && !each.closest('.choice input, [hidden]') && each.type !== 'radio')
    .map((each) => [each, each.getBoundingClientRect()])
    .filter(([, { width, height }]) => Math.min(width, height) < 47.5)
    .map(([each, { width, height }]) => each.outerHTML.slice(0, 80) + ' is ' + width + ' × ' + height)
  const beyond = document.documentElement.scrollWidth - innerWidth
  return beyond > 0 ? [...found, beyond + ' pixels too wide'] : found
})()`

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate<string[]>(
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" | ")))`,
  )
}

describe.runIf(hasBrowser)("each of an installer's screens", { timeout: 300_000 }, () => {
  it.for(manners)(
    'is usable by everybody, with a thumb: $width × $height, $colorScheme, $locale',
    async (manner, { browser }) => {
      const name = {
        nom: `Lefèvre-${'Montgolfier-'.repeat(3)}Durand`,
        prenom: 'Marie-Antoinette',
        telephone: '0478000000',
      }
      const phone = await openPhone(browser, {
        ...manner,
        async prepare(_, { sav, actor, karim }) {
          await sav.directory.clients.update(actor, 2, name)
          await sav.planning.change(actor, 1, { retard_minutes: 30, notes: 'Sonner deux fois.' })
          await sav.planning.change(actor, 2, { statut: 'realise' })
          await sav.cases.comment(actor, 1, { texte: 'Plutôt le matin.' })
          const debut = new Date(Date.now() - 4 * 86_400_000).toISOString()
          const earlier = { sav_id: 1, poseur_id: karim.poseur_id, debut, duree_minutes: 60 }
          const { id } = await sav.planning.book(actor, earlier)
          await sav.planning.change(actor, id, { statut: 'realise', resultat: 'partiel', compte_rendu: 'Vu.' })
          const photos = [`data:image/png;base64,${pixel}`]
          for (const sav_id of [1, 2]) await sav.cases.addPhotos(actor, sav_id, { photos })
        },
      })
      const { page, service, complaints } = phone
      const found: string[] = []
      const look = async (where: string) => {
        const all = [...(await violations(page)), ...(await page.evaluate<string[]>(faults))]
        found.push(...all.map((text) => `${where}: ${text}`))
      }
      const back = () => page.locator('.sheet .round').tap()
      await look('day')
      const sheet = page.locator('.sheet')
      await page.locator('.visit.next .quick .button').last().tap()
      await sheet.waitFor()
      await look('late')
      await back()
      await page.locator('.visit-link').first().tap()
      await page.getByText(/Retard annoncé|Announced: /).waitFor()
      await look('visit')
      await page.locator('.actions .button').first().tap()
      await sheet.waitFor()
      await look('absent')
      await back()
      await page.locator('.actions .primary').tap()
      await page.locator('.choice').nth(1).tap()
      await page.getByRole('button', { name: /Chercher|Find/ }).tap()
      await page.locator('.choice.wide').first().waitFor()
      await phone.photo(page.locator('.camera').first(), await cameraPhoto(page, { width: 640, height: 480 }))
      await page.locator('.shot:not(.busy) img').waitFor()
      await page.getByPlaceholder(/Désignation|Name/).fill('Charnière 110° à amortisseur intégré')
      await page.getByRole('button', { name: /Ajouter une pièce|Add a part/ }).tap()
      await look('work')
      await page.locator('.shot').tap()
      await sheet.locator('img').waitFor()
      await look('photo')
      await back()
      await page.locator('.choice').first().tap()
      await page.locator('.chip').first().tap()
      await page.locator('.actions .primary').tap()
      await page.locator('.shown').waitFor()
      await look('to read')
      await page.locator('.actions .primary').tap()
      await page.locator('canvas').waitFor()
      await look('to sign')
      await page.setViewportSize({ width: manner.height, height: manner.width })
      await look('to sign, turned')
      await page.setViewportSize(manner)
      service.proxy.cutOf = (call) => (call.endsWith('/1/intervention') ? 404 : null)
      await page.goto(`${service.url}/app/terrain/visite/1/intervention`)
      await page.locator('.keypad').waitFor()
      await look('locked')
      await phone.code('481516')
      await page.locator('.choice').nth(1).tap()
      await page.locator('.actions .primary').tap()
      await page.locator('.tab').nth(1).tap()
      await page.locator('.box.bad').waitFor()
      await look('to send')
      await page.locator('.tab').nth(2).tap()
      await page.locator('.button.danger').waitFor()
      await look('me')
      await page.locator('.button.danger').tap()
      await sheet.waitFor()
      await look('forget')
      expect(found).toEqual([])
      expect(complaints).toEqual([])
    },
  )
})
