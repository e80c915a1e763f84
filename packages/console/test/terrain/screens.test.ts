import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { needs } from '../../../../test/needs.js'
import { it } from '../browser.js'
import { cameraPhoto, openPhone, soon, today } from './phone.js'

const hasBrowser = needs('chromium', "that installers' screens can be used by everybody, with one hand")

/** Both sizes, themes and languages, in two of the four ways to put them together. */
const manners = [
  { width: 390, height: 844, colorScheme: 'light', locale: 'fr-FR' },
  { width: 360, height: 640, colorScheme: 'dark', locale: 'en-GB' },
] as const

/** What is smaller than a thumb, or wider than the screen. Links in a text, and what only eyes of machines see, are none. */
const faults = `(() => {
  const found = [...document.querySelectorAll('a, button, input, select, textarea, .choice')]
    .filter((each) => each.checkVisibility() && !each.closest('.choice input, [hidden]') && each.type !== 'radio')
    .map((each) => [each, each.getBoundingClientRect()])
    .filter(([, { width, height }]) => Math.min(width, height) < 47.5)
    .map(([each, { width, height }]) => each.outerHTML.slice(0, 80) + ' is ' + width + ' × ' + height)
  const beyond = document.documentElement.scrollWidth - innerWidth
  return beyond > 0 ? [...found, beyond + ' pixels too wide'] : found
})()`

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
      const plain = today([
        { retard_minutes: 30, notes: 'Sonner deux fois.' },
        { statut: 'realise', client: { id: 9, ...name } },
      ])
      const dossiers = plain.dossiers.map((dossier) => ({
        ...dossier,
        photos: [{ url: `/api/v1/terrain/dossiers/${dossier.id}/fichiers/${'a'.repeat(64)}` }],
        reserves: ['Vitre rayée'],
        commentaires: [{ id: 1, date: soon(-5000), acteur: { nom: 'Claire Petit' }, texte: 'Plutôt le matin.' }],
        interventions: [
          {
            rdv_id: 99,
            date_debut: soon(-9000),
            poseur: { nom: 'Karim' },
            resultat: 'partiel' as const,
            compte_rendu: 'Vu.',
          },
        ],
      }))
      const phone = await openPhone(browser, { ...manner, day: { ...plain, dossiers } })
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
      service.slots = [{ debut: soon(1440), fin: soon(1500), poseur: { id: 3, nom: 'B' }, jeton: 'j' }]
      await page.getByRole('button', { name: /Chercher|Find/ }).tap()
      await page.locator('.choice.wide').waitFor()
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
      service.refusals.set('/api/v1/planning/1/intervention', {
        status: 404,
        body: { code: 'not_found', error: 'Rdv 1 not found' },
      })
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
