import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import { needs } from '../../../../test/needs.js'
import { takenOf } from '../../terrain/photos/exif.js'
import { it } from '../browser.js'
import { cameraPhoto, openPhone, type Phone, phoneOf, rowsOf, soon, takenAt, today } from './phone.js'

const hasBrowser = needs('chromium', "an installer's visit on a phone")

const first = (phone: Phone) => phone.page.locator('.visit-link').first()
const primary = (phone: Phone) => phone.page.locator('.actions .primary')
const choose = (phone: Phone, name: string) => phone.page.locator('.choice', { hasText: name })

/** Up to where it can be ended. */
async function work(phone: Phone, result = 'En partie', text = 'Charnière du bas à commander.'): Promise<void> {
  await first(phone).tap()
  await primary(phone).tap()
  await choose(phone, result).tap()
  await phone.page.getByLabel('Compte rendu').fill(text)
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
    await first(phone).tap()
    await primary(phone).tap()
    await phone.photo(page.getByRole('button', { name: /photo : Avant/ }), before)
    await phone.photo(page.getByRole('button', { name: /photo : Après/ }), after)
    await choose(phone, 'Résolu').tap()
    await page.locator('.chip').first().tap()
    await primary(phone).tap()
    // What is signed is read first.
    await page.getByText('Travaux : Charnière réglée').waitFor()
    await primary(phone).tap()
    await page.getByPlaceholder('Nom de qui signe').fill('Alice Durand')
    await phone.ink([0.2, 0.3], [0.8, 0.7])
    await page.getByRole('button', { name: 'Valider' }).tap()
    await page.locator('.visits').waitFor()
    // The stroke is one more.
    expect((await phone.taps) - tapsBefore + 1).toBeLessThanOrEqual(12)
    await expect.poll(() => page.locator('.visit .mark.ahead').count()).toBe(1)
    expect(service.recorded).toEqual([])
    // What was reported can be read again, also by the way back; nothing is left to do.
    await page.goBack()
    await page.locator('.card', { hasText: 'Compte rendu' }).getByText('Charnière réglée').waitFor()
    expect(await page.locator('.actions').isVisible()).toBe(false)
    await page.getByRole('link', { name: 'Retour' }).tap()
    await page.locator('.visits').waitFor()

    await phone.offline(false)
    await expect.poll(() => service.of('/intervention').length).toBe(1)
    expect(service.recorded.map(({ path }) => path)).toEqual([
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
    const photos = (body['photos'] as { sha256: string }[]).map(
      ({ sha256 }) => service.files.get(sha256) ?? expect.fail(),
    )
    expect(service.files.size).toBe(3)
    expect(service.files.get(cloture.signature)?.subarray(1, 4).toString()).toBe('PNG')
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

  it.for([-2, 2])('tells when it was by a clock that is %i hours off', async (hours, { browser }) => {
    const phone = await openPhone(browser)
    const { service } = phone
    service.aheadMs = -hours * 3_600_000
    const stamps: number[] = []
    service.fate = ({ path, header }) => {
      if (path.endsWith('/debut')) stamps.push(Number(header('x-request-timestamp')))
      return 'arrives'
    }
    service.day = today([], service.aheadMs)
    await phone.open('/')
    const before = Date.now()
    await first(phone).tap()
    await primary(phone).tap()
    await expect.poll(() => service.of('/debut').length).toBe(1)
    const { body } = service.of('/debut')[0] ?? expect.fail()
    expect(Number(body['decalage_ms']) / 3_600_000).toBeCloseTo(hours, 2)
    const expectNow = (instant: number, towardsMs: number) => {
      expect(instant).toBeGreaterThanOrEqual(before - towardsMs)
      expect(instant).toBeLessThanOrEqual(Date.now() + towardsMs)
    }
    expectNow(Date.parse(String(body['survenu_a'])), 0)
    // Of the sending, by the service's clock as far as the phone knows it.
    expectNow((stamps[0] ?? 0) * 1000 - service.aheadMs, 20_000)
  })

  it('says in a sentence each thing that the office did meanwhile, and takes another time with a tap', async ({
    browser,
  }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    const slot = { debut: soon(1500), fin: soon(1560), poseur: { id: 3, nom: 'Bruno Petit' }, jeton: 'jeton-2' }
    service.constats.set(1, {
      codes: [
        'rdv_deplace',
        'rdv_donne',
        'rdv_annule',
        'rdv_termine',
        'dossier_clos',
        'description_changee',
        'creneau_pris',
        'souhait',
      ],
      rdv: { id: 1, statut: 'annule', debut: soon(3000), fin: soon(3060), poseur: { id: 4, nom: 'Karim Benali' } },
      description: { signee: 'La porte racle.', actuelle: 'La porte racle, le tiroir coince.' },
      alternatives: [slot],
      souhait: 'Un matin.',
    })
    await first(phone).tap()
    await page.getByRole('button', { name: 'En retard' }).tap()
    await page.getByRole('button', { name: '+30 min' }).tap()
    await expect.poll(() => service.of('/retard').length).toBe(1)
    expect(await page.locator(':focus').textContent()).toBe('En retard')
    expect(service.of('/retard')[0]?.body).toMatchObject({ minutes: 30, version: 1 })
    await phone.open('/a-envoyer')
    for (const sentence of [
      /a déplacé cette visite au/,
      /a donné cette visite à Karim Benali/,
      /avait annulé cette visite/,
      /avait déjà terminé/,
      /déjà clos/,
      /a changé le dossier/,
      /est pris/,
      /Votre souhait.*Un matin/,
      /le tiroir coince/,
    ])
      await page.getByText(sentence).first().waitFor()
    await page.locator('.box.warn .button').tap()
    await expect
      .poll(() => service.of('/planning/rdv').map(({ body }) => body))
      .toEqual([{ jeton: 'jeton-2', sav_id: 41 }])
  })

  it('of an erased client leaves the phone, and can be ended without a text', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    const path = '/api/v1/planning/1/intervention'
    service.refusals.set(path, { status: 409, body: { code: 'client_erased', params: { id: 101 } } })
    await work(phone)
    service.day = { ...service.day, rdv: service.day.rdv.filter(({ id }) => id !== 1) }
    await primary(phone).tap()
    await expect.poll(() => page.locator('.visit-link').count()).toBe(1)
    await phone.open('/a-envoyer')
    await page.getByText('Ce client a été effacé').waitFor()
    expect(await page.getByText('Durand').count()).toBe(0)
    service.refusals.clear()
    service.day = { ...service.day, rdv: [...service.day.rdv, ...today().rdv.slice(0, 1)] }
    await page.getByRole('button', { name: 'Terminer la visite sans texte' }).tap()
    await expect.poll(() => service.of('/intervention').length).toBe(1)
    const { survenu_a: _, decalage_ms: __, version: ___, ...said } = service.of('/intervention')[0]?.body ?? {}
    expect(said).toEqual({ resultat: 'partiel', photos: [] })
  })

  it('of an erased client takes along what was begun at their others: texts, photos, strokes', async ({ browser }) => {
    const { client } = today().rdv[0] ?? expect.fail()
    const phone = await openPhone(browser, { day: today([{}, { client }]) })
    const { page, service } = phone
    await page.locator('.visit-link').nth(1).tap()
    await primary(phone).tap()
    await choose(phone, 'En partie').tap()
    const small = { width: 400, height: 300 }
    await phone.photo(page.getByRole('button', { name: /photo : Avant/ }), await cameraPhoto(page, small))
    await expect.poll(() => rowsOf(phone, 'file')).toBe(1)
    service.refusals.set('/api/v1/planning/1/debut', { status: 409, body: { code: 'client_erased' } })
    await phone.open('/')
    await first(phone).tap()
    service.day = { ...service.day, rdv: [] }
    await primary(phone).tap()
    await expect.poll(() => rowsOf(phone, 'photo')).toBe(0)
    for (const kind of ['draft', 'ink', 'raw', 'file']) expect(await rowsOf(phone, kind), kind).toBe(0)
    expect(await page.getByText('Durand').count()).toBe(0)
  })

  it('tells a part that is typed alone, and is shown as it ended at once', async ({ browser }) => {
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

  it('that was given to another while it was begun is finished, and leaves the phone', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    await work(phone)
    await expect.poll(() => service.of('/debut').length).toBe(1)
    await expect.poll(() => rowsOf(phone, 'draft')).toBe(1)
    const [mine, ...others] = service.day.rdv
    service.day = { ...service.day, rdv: others }
    await phone.open('/')
    await page.getByText('N’est plus à vous').waitFor()
    service.day = { ...service.day, rdv: mine === undefined ? others : [mine, ...others] }
    await first(phone).tap()
    await page.getByRole('button', { name: 'Continuer' }).tap()
    // The day is told again, without the visit, before the phone knows that what it sent is there.
    service.fate = ({ path }) => (path.endsWith('/intervention') ? 'answer lost' : 'arrives')
    await page.getByRole('button', { name: 'Terminer' }).tap()
    await expect.poll(() => service.of('/intervention').length).toBe(1)
    service.day = { ...service.day, rdv: others }
    await phone.open('/')
    await page.getByText('N’est plus à vous').waitFor()
    service.fate = () => 'arrives'
    await page.evaluate(`dispatchEvent(new Event('online'))`)
    await expect.poll(() => page.locator('.visit-link').count()).toBe(1)
  })

  it('where nobody is home is told, and taken back before it was sent or after', async ({ browser }) => {
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
    await expect.poll(() => service.recorded.at(-1)?.body).toEqual({ statut: 'planifie' })
  })

  it('is told of once, where somebody presses twice before anything is seen of it', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    // Two events, but within one call: after the first one the button may be gone.
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
    expect(service.recorded.map(({ path }) => path.split('/').at(-1))).toEqual(['commentaires', 'debut', 'absent'])
  })

  it('waits for a sign-in where the session has ended, and what waits is counted on one line', async ({ browser }) => {
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

  it('says which fact is on its way, and which waits its turn', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, context } = phone
    const answered = Promise.withResolvers<void>()
    await context.route('**/debut', async (route) => {
      await answered.promise
      await route.continue()
    })
    await first(phone).tap()
    await primary(phone).tap()
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

  it('on two phones is told by both, and neither loses anything', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { service } = phone
    const context = await browser.newContext({
      locale: 'fr-FR',
      hasTouch: true,
      isMobile: true,
      viewport: { width: 360, height: 640 },
    })
    const other = await phoneOf(context, service)
    await phone.offline(true)
    await other.offline(true)
    await work(phone, 'En partie', 'Charnière commandée.')
    await primary(phone).tap()
    await work(other, 'En partie', 'Joint posé.')
    await primary(other).tap()
    await phone.offline(false)
    await other.offline(false)
    await expect
      .poll(() =>
        service
          .of('/intervention')
          .map(({ body }) => body['compte_rendu'])
          .toSorted(),
      )
      .toEqual(['Charnière commandée.', 'Joint posé.'])
    await context.close()
  })
})

describe.runIf(hasBrowser)('the ink', () => {
  it.for([
    [390, 844],
    [844, 390],
    [360, 640],
  ] as const)(
    'is under the finger at %i × %i, and stays when the phone is turned',
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
      await page.setViewportSize({ width: height, height: width })
      await expect.poll(where).toEqual([true, true, false])
    },
  )
})
