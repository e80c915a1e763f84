import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import { needs } from '../../../../test/needs.js'
import { takenOf } from '../../terrain/photos/exif.js'
import { it } from '../browser.js'
import { begin, show } from './at-work.js'
import { cameraPhoto, openPhone, type Phone, rowsOf, takenAt } from './phone.js'

const hasBrowser = needs('chromium', "an installer's visit on a phone")

const first = (phone: Phone) => phone.page.locator('.visit-link').first()
const primary = (phone: Phone) => phone.page.locator('.actions .primary')
const choose = (phone: Phone, name: string) => phone.page.locator('.choice', { hasText: name })

/** Fills in a visit's report, without ending it. */
async function work(phone: Phone, result = 'En partie', text = 'Charnière du bas à commander.'): Promise<void> {
  await begin(phone)
  await choose(phone, result).tap()
  await phone.page.getByLabel('Compte rendu').fill(text)
}

/** An instant of tomorrow. */
const tomorrow = (hour: number) => {
  const at = new Date(Date.now() + 86_400_000)
  at.setUTCHours(hour, 0, 0, 0)
  return at.toISOString()
}

const copyOf = (content: Buffer) => new Uint8Array(content).buffer

describe.runIf(hasBrowser)('a visit', () => {
  it('is closed without network in at most 12 taps, with two photos and a signature, and all of it arrives', async ({
    browser,
  }) => {
    const phone = await openPhone(browser)
    const { page, service, complaints } = phone
    const [before, after] = [
      await cameraPhoto(page, { width: 4000, height: 3000 }),
      await cameraPhoto(page, { width: 1200, height: 1600 }),
    ]
    await phone.offline(true)
    const tapsBefore = await phone.taps
    await begin(phone)
    await phone.photo(page.getByRole('button', { name: /photo : Avant/ }), before)
    await phone.photo(page.getByRole('button', { name: /photo : Après/ }), after)
    await choose(phone, 'Résolu').tap()
    await page.locator('.chip').first().tap()
    await primary(phone).tap()
    // The person who signs reads the text first.
    await page.getByText('Travaux : Charnière réglée').waitFor()
    await primary(phone).tap()
    // The name of the customer is already filled in.
    await expect.poll(() => page.getByPlaceholder('Nom de qui signe').inputValue()).toBe('Alice Durand')
    await phone.ink([0.2, 0.3], [0.8, 0.7])
    await page.getByRole('button', { name: 'Valider' }).tap()
    await page.locator('.visits').waitFor()
    // The stroke counts as one more tap, which `taps` does not include.
    expect((await phone.taps) - tapsBefore + 1).toBeLessThanOrEqual(12)
    await expect.poll(() => page.locator('.visit .mark.ahead').count()).toBe(1)
    expect(service.done).toEqual([])
    // Going back shows the report again, without any actions.
    await page.goBack()
    await page.locator('.card', { hasText: 'Compte rendu' }).getByText('Charnière réglée').waitFor()
    expect(await page.locator('.actions').isVisible()).toBe(false)
    await page.getByRole('link', { name: 'Retour' }).tap()
    await page.locator('.visits').waitFor()

    await phone.offline(false)
    await expect.poll(() => service.of('/intervention').length).toBe(1)
    expect(service.done.map(({ path }) => path)).toEqual([
      '/api/v1/planning/1/debut',
      '/api/v1/planning/1/intervention',
    ])
    const { body } = service.of('/intervention')[0] ?? expect.fail()
    expect(body).toMatchObject({
      version: 2,
      resultat: 'resolu',
      compte_rendu: 'Charnière réglée, porte contrôlée.',
      photos: [{ moment: 'avant' }, { moment: 'apres' }],
      cloture: { resolution: 'Charnière réglée, porte contrôlée.', signataire_nom: 'Alice Durand' },
    })
    const cloture = body['cloture'] as { vu: string; signature: string }
    expect(cloture.vu).toContain('Client\u00a0: Alice Durand')
    expect(cloture.vu).toContain('Réserves\u00a0: aucune')
    const photos = await Promise.all(
      (body['photos'] as { sha256: string }[]).map(({ sha256 }) => service.fileOf(1, sha256)),
    )
    expect((await service.fileOf(1, cloture.signature)).subarray(1, 4).toString()).toBe('PNG')
    for (const photo of photos) {
      expect(takenOf(copyOf(photo))).toEqual({ at: takenAt, offset: null })
      expect(photo.includes('SAVCAM')).toBe(false)
    }
    const sides = await page.evaluate(`(async () => {
      const bytes = Uint8Array.from(atob('${photos[0]?.toString('base64')}'), (letter) => letter.charCodeAt(0))
      const { width, height } = await createImageBitmap(new Blob([bytes]))
      return [width, height]
    })()`)
    expect(sides).toEqual([2048, 1536])
    expect(complaints).toEqual([])
  })

  it.for([-2, 2])('reports the right time with a clock that is %i hours off', async (hours, { browser }) => {
    const shift = hours * 3_600_000
    const phone = await openPhone(browser, {
      prepare: (context) =>
        context.addInitScript(`Date = class extends Date {
        constructor(...given) { given.length === 0 ? super(Date.now()) : super(...given) }
        static now() { return super.now() + ${shift} }
      }`),
    })
    const { service } = phone
    const before = Date.now()
    await begin(phone)
    await expect.poll(() => service.of('/debut').length).toBe(1)
    const { body } = service.of('/debut')[0] ?? expect.fail()
    expect(Number(body['decalage_ms']) / 3_600_000).toBeCloseTo(hours, 2)
    const at = Date.parse(String(body['survenu_a'])) - shift
    expect(at).toBeGreaterThanOrEqual(before)
    expect(at).toBeLessThanOrEqual(Date.now())
  })

  it('shows each change that the office made meanwhile, and offers another time to book with a tap', async ({
    browser,
  }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    const { sav, actor, bruno, karim } = service
    await phone.offline(true)
    await show(phone, '/visite/1')
    await page.getByRole('button', { name: 'En retard' }).tap()
    await page.getByRole('button', { name: '+30 min' }).tap()
    expect(await page.locator(':focus').textContent()).toBe('En retard')
    await sav.planning.change(actor, 1, { debut: tomorrow(8), poseur_id: karim.poseur_id })
    await sav.planning.change(actor, 1, { statut: 'annule', motif_annulation: 'Plus tard.' })
    await phone.offline(false)
    await expect.poll(() => service.of('/retard').map(({ body }) => body)).toMatchObject([{ minutes: 30, version: 1 }])

    // Before the phone's report arrives, the office gives away the time of the proposed next visit, and ends the visit.
    await show(phone, '/visite/2')
    await primary(phone).tap()
    await choose(phone, 'En partie').tap()
    await page.getByRole('button', { name: 'Chercher' }).tap()
    await page.locator('.choice.wide').first().tap()
    await page.getByLabel('Compte rendu').fill('Charnière du bas à commander.')
    await expect.poll(() => rowsOf(phone, 'draft')).toBe(1)
    await expect.poll(() => service.of('/2/debut').length).toBe(1)
    await phone.offline(true)
    await primary(phone).tap()
    await page.locator('.visits').waitFor()
    const asked = { duree: 45, limite: 100 }
    const [slot = expect.fail()] = await sav.field.slots('default', { poseur_id: bruno.poseur_id }, 2, asked)
    await sav.planning.book(actor, { client_id: 1, jeton: slot.jeton })
    await sav.planning.change(actor, 2, { statut: 'realise' })
    await phone.offline(false)
    await expect.poll(() => service.of('/2/intervention').length).toBe(1)
    await phone.open('/a-envoyer')
    for (const sentence of [
      /a déplacé cette visite au/,
      /a donné cette visite à Karim Benali/,
      /avait annulé cette visite/,
      /avait déjà terminé/,
      /est pris/,
    ])
      await page.getByText(sentence).first().waitFor()
    await page.locator('.box.warn .button').first().tap()
    await expect.poll(() => service.of('/planning/rdv').map(({ body }) => body)).toMatchObject([{ sav_id: 2 }])
  })

  it('of an erased client leaves the phone, and can be ended without a text', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    await work(phone)
    await expect.poll(() => service.of('/debut').length).toBe(1)
    await phone.offline(true)
    await primary(phone).tap()
    await page.locator('.visits').waitFor()
    await service.sav.directory.clients.erase(service.actor, 1)
    await phone.offline(false)
    await phone.open('/a-envoyer')
    await page.getByText('Ce client a été effacé').waitFor()
    await expect.poll(() => page.getByText('Durand').count()).toBe(0)
    await phone.open('/')
    await expect.poll(() => page.locator('.visit-link').count()).toBe(2)
    expect(await page.getByText('Durand').count()).toBe(0)
    await phone.open('/a-envoyer')
    await page.getByRole('button', { name: 'Terminer la visite sans texte' }).tap()
    await expect.poll(() => service.of('/intervention').length).toBe(1)
    const { survenu_a: _, decalage_ms: __, version: ___, ...said } = service.of('/intervention')[0]?.body ?? {}
    expect(said).toEqual({ resultat: 'partiel', photos: [] })
  })

  it('of an erased client is removed with the texts, photos and strokes of the client’s other visits', async ({
    browser,
  }) => {
    const phone = await openPhone(browser, { isOneClient: true })
    const { page, service } = phone
    await begin(phone, 1)
    await choose(phone, 'En partie').tap()
    const small = { width: 400, height: 300 }
    await phone.photo(page.getByRole('button', { name: /photo : Avant/ }), await cameraPhoto(page, small))
    await expect.poll(() => rowsOf(phone, 'file')).toBe(1)
    await phone.open('/')
    await first(phone).tap()
    await service.sav.directory.clients.erase(service.actor, 1)
    await primary(phone).tap()
    await expect.poll(() => rowsOf(phone, 'photo')).toBe(0)
    for (const kind of ['draft', 'ink', 'raw', 'file']) expect(await rowsOf(phone, kind), kind).toBe(0)
    await expect.poll(() => page.getByText('Durand').count()).toBe(0)
  })

  it('reports a typed part that was not added, and is shown as ended at once', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    await work(phone)
    await page.getByPlaceholder('Désignation').fill(' Charnière ')
    await page.evaluate(`globalThis.shown = []
      new MutationObserver(() => shown.push(document.querySelector('.visits .mark')?.textContent))
        .observe(document.body, { subtree: true, childList: true, characterData: true })`)
    await primary(phone).tap()
    await expect.poll(() => service.of('/intervention').length).toBe(1)
    await expect.poll(() => page.locator('.visit .mark.ahead').count()).toBe(0)
    expect(await page.evaluate('[...new Set(shown.filter((text) => text))]')).toEqual(['Terminée'])
    expect(service.of('/intervention')[0]?.body['pieces']).toEqual([{ designation: 'Charnière', quantite: 1 }])
  })

  it('that was reassigned after its beginning is finished, and leaves the phone', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    await work(phone)
    await expect.poll(() => service.of('/debut').length).toBe(1)
    await expect.poll(() => rowsOf(phone, 'draft')).toBe(1)
    await service.give(1, service.karim)
    await phone.open('/')
    await page.getByText('N’est plus à vous').waitFor()
    await service.give(1, service.bruno)
    await phone.open('/')
    await page.getByText('N’est plus à vous').waitFor({ state: 'detached' })
    await first(phone).tap()
    await page.getByRole('button', { name: 'Continuer' }).tap()
    // The phone receives the day without the visit before it knows that its report has arrived.
    service.proxy.cutOf = (call) =>
      call.endsWith('/intervention') ? 'before the answer' : call.endsWith('/terrain') ? 'before' : null
    await service.give(1, service.karim)
    await page.getByRole('button', { name: 'Terminer' }).tap()
    await expect.poll(() => service.of('/intervention').length).toBe(1)
    service.proxy.cutOf = (call) => (call.endsWith('/intervention') ? 'before the answer' : null)
    await phone.open('/')
    await page.getByText('N’est plus à vous').waitFor()
    service.proxy.cutOf = () => null
    await page.evaluate(`dispatchEvent(new Event('online'))`)
    await expect.poll(() => page.locator('.visit-link').count()).toBe(1)
  })

  it('with an absent customer is reported, and taken back before or after it was sent', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    const absent = async () => {
      await first(phone).tap()
      await page.locator('.actions').getByRole('button', { name: 'Client absent' }).tap()
      await page.locator('.sheet').getByRole('button', { name: 'Client absent' }).tap()
      await page.locator('.mark.absent').waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'En retard' }).count()).toBe(0)
    }
    const takeBack = async () => {
      await page.getByRole('button', { name: /revenir en arrière/ }).tap()
      await page.locator('.mark.planifie').waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'En retard' }).count()).toBe(1)
    }
    await phone.offline(true)
    await expect.poll(() => page.getByText('Hors réseau').count()).toBe(1)
    await absent()
    await expect.poll(() => page.locator('.mark.ahead').count()).toBe(1)
    await takeBack()
    await phone.offline(false)
    await phone.open('/')
    await absent()
    await expect.poll(() => service.of('/absent').length).toBe(1)
    await expect.poll(() => page.locator('.mark.ahead').count()).toBe(0)
    await takeBack()
    await expect.poll(() => service.done.at(-1)?.body).toEqual({ statut: 'planifie' })
  })

  it('is reported once after a double press', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    // Both clicks are made in one call, since the first one may remove the button.
    const twice = (button: Locator) =>
      button.evaluate((found: { click(): void }) => {
        found.click()
        setTimeout(() => found.click())
      })
    await first(phone).tap()
    await page.getByPlaceholder('Votre commentaire').fill('Prévoir un joint.')
    await twice(page.getByRole('button', { name: 'Ajouter' }))
    await twice(primary(phone))
    await page.getByLabel('Compte rendu').waitFor()
    await page.getByRole('link', { name: 'Retour' }).tap()
    await page.locator('.actions').getByRole('button', { name: 'Client absent' }).tap()
    await twice(page.locator('.sheet').getByRole('button', { name: 'Client absent' }))
    await page.locator('.mark.absent').waitFor()
    await phone.open('/a-envoyer')
    await page.getByText('Tout est envoyé.').waitFor()
    expect(service.done.map(({ path }) => path.split('/').at(-1))).toEqual(['commentaires', 'debut', 'absent'])
  })

  it('waits for a sign-in if the session has ended, with the unsent reports counted in one line', async ({
    browser,
  }) => {
    const phone = await openPhone(browser)
    const { page, context } = phone
    await context.clearCookies()
    await first(phone).tap()
    for (let fact = 1; fact <= 10; fact += 1) {
      await page.getByPlaceholder('Votre commentaire').fill(`Prévoir le joint n° ${fact}.`)
      await page.getByRole('button', { name: 'Ajouter' }).tap()
      await expect.poll(() => page.getByText('part dès qu’il y a du réseau').count()).toBe(fact)
    }
    await phone.open('/a-envoyer')
    await page.getByText('Votre session est terminée').waitFor()
    await expect.poll(() => page.getByText('Attend que vous soyez reconnecté').count()).toBe(10)
    const count = page.locator('.count')
    expect(await count.textContent()).toBe('10')
    expect((await count.boundingBox())?.height).toBeLessThan(30)
  })

  it('shows which report is being sent, and which one waits', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, context } = phone
    const answered = Promise.withResolvers<void>()
    await context.route('**/debut', async (route) => {
      await answered.promise
      await route.continue()
    })
    await begin(phone)
    const back = page.getByRole('link', { name: 'Retour' })
    await back.tap()
    await page.getByPlaceholder('Votre commentaire').fill('Prévoir un joint.')
    await page.getByRole('button', { name: 'Ajouter' }).tap()
    await page.getByText('part dès qu’il y a du réseau').waitFor()
    await back.tap()
    await page.locator('.tab').nth(1).tap()
    const waiting = page.locator('li.card')
    await waiting.nth(0).getByText('Envoi en cours').waitFor()
    await waiting.nth(1).getByText('Attend son tour').waitFor()
    answered.resolve()
    await page.getByText('Tout est envoyé.').waitFor()
  })
})

describe.runIf(hasBrowser)('the ink', () => {
  it.for([
    [390, 844],
    [844, 390],
    [360, 640],
  ] as const)(
    'is under the finger at %i × %i, and stays in the middle when the phone is turned',
    async ([width, height], { browser }) => {
      const phone = await openPhone(browser, { width, height })
      const { page } = phone
      await work(phone, 'Résolu', 'Charnière réglée.')
      await primary(phone).tap()
      await primary(phone).tap()
      await page.locator('canvas').waitFor()
      await phone.ink([0.25, 0.25], [0.75, 0.75])
      const inkAt = (x: number, y: number) =>
        page.evaluate<boolean>(`(() => {
        const sheet = document.querySelector('canvas')
        const [left, top] = [Math.round(sheet.width * ${x}) - 4, Math.round(sheet.height * ${y}) - 4]
        return sheet.getContext('2d').getImageData(left, top, 8, 8).data.some((value, at) => at % 4 === 3 && value > 0)
      })()`)
      const where = async () => [await inkAt(0.25, 0.25), await inkAt(0.5, 0.5), await inkAt(0.75, 0.25)]
      await expect.poll(where).toEqual([true, true, false])
      await phone.turn()
      await expect.poll(() => inkAt(0.5, 0.5)).toBe(true)
    },
  )
})
