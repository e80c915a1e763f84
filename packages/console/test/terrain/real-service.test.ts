import { createHash } from 'node:crypto'
import { describe, expect } from 'vitest'
import { needs } from '../../../../test/needs.js'
import { it, type Shop } from '../browser.js'
import { cameraPhoto, contextOf, ownCode, type Phone, phoneOf, rowsOf } from './phone.js'
import { zone } from './samples.js'

const hasBrowser = needs('chromium', 'a phone with the real service')

const description = 'La porte du four racle, en bas à droite, depuis la pose.'
const resolution = 'Charnière réglée, porte contrôlée.'

/** A visit today for Bruno, and a link for his sign-in. */
async function shopWithVisit(openShop: () => Promise<Shop>) {
  const shop = await openShop()
  const { api, workplace, origin } = shop
  await api('PUT', '/api/v1/compte', { textes_terrain: [resolution], fuseau: zone })
  await api('POST', '/api/v1/poseurs', { nom: 'Bruno Petit' })
  await api('POST', '/api/v1/sav', { client_id: 1, description })
  const date = new Date().toLocaleDateString('sv-SE', { timeZone: zone })
  const debut = `${date}T11:00:00.000Z`
  const booked = await api('POST', '/api/v1/planning/rdv', { sav_id: 1, poseur_id: 1, debut, duree_minutes: 60 })
  expect(booked.status).toBe(201)
  const who = ['--nom', 'Bruno Petit', '--email', 'bruno@atelier.example', '--role', 'poseur', '--poseur-id', '1']
  const { id } = await workplace.json<{ id: string }>(['users', 'add', ...who])
  const token = async () => new URL(await shop.invite(id)).hash.slice(1)
  return { ...shop, service: { url: origin }, token }
}

const first = ({ page }: Pick<Phone, 'page'>) => page.locator('.visit-link').first()
const primary = ({ page }: Pick<Phone, 'page'>) => page.locator('.actions .primary')
const choose = ({ page }: Pick<Phone, 'page'>, name: string) => page.locator('.choice', { hasText: name })

describe.runIf(hasBrowser)('a phone with the real service', () => {
  it('closes a visit offline in at most 12 taps, restarts before photos are stored, and sends everything', async ({
    browser,
    openShop,
  }) => {
    const { service, token, api } = await shopWithVisit(openShop)
    const phone = await phoneOf(await contextOf(browser), service, await token())
    const photos = [
      await cameraPhoto(phone.page, { width: 2400, height: 1800 }),
      await cameraPhoto(phone.page, { width: 1200, height: 1600 }),
    ]
    const [before = Buffer.alloc(0), after = Buffer.alloc(0)] = photos
    await phone.offline(true)
    const tapsBefore = await phone.taps
    await first(phone).tap()
    await primary(phone).tap()
    await phone.photo(phone.page.getByRole('button', { name: /photo : Avant/ }), before)
    await expect.poll(() => rowsOf(phone, 'photo')).toBe(1)
    const tapsAlive = (await phone.taps) - tapsBefore
    // The phone is restarted without a network, before its photos are stored.
    await phone.restart()
    await phone.code(ownCode)
    await first(phone).tap()
    await primary(phone).tap()
    await phone.page.locator('.shot:not(.busy) img').waitFor()
    const tapsAgain = await phone.taps
    await phone.photo(phone.page.getByRole('button', { name: /photo : Après/ }), after)
    await choose(phone, 'Résolu').tap()
    await phone.page.locator('.chip').first().tap()
    await primary(phone).tap()
    await phone.page.getByText(`Travaux : ${resolution}`).waitFor()
    await primary(phone).tap()
    await phone.page.getByPlaceholder('Nom de qui signe').fill('Hélène Durand')
    await phone.ink([0.2, 0.3], [0.8, 0.7])
    await phone.page.getByRole('button', { name: 'Valider' }).tap()
    await phone.page.locator('.visits').waitFor()
    // The stroke counts as one more tap, which `taps` does not include.
    expect(tapsAlive + (await phone.taps) - tapsAgain + 1).toBeLessThanOrEqual(12)
    await expect.poll(() => phone.page.locator('.visit .mark.ahead').count()).toBe(1)
    expect((await api('GET', '/api/v1/sav/1')).body.data.statut).toBe('ouvert')

    await phone.offline(false)
    await expect.poll(async () => (await api('GET', '/api/v1/sav/1')).body.data.statut).toBe('clos')
    const { data } = (await api('GET', '/api/v1/sav/1')).body
    expect(data).toMatchObject({
      resolution,
      signataire_nom: 'Hélène Durand',
      interventions: [{ rdv_id: 1, compte_rendu: resolution, resultat: 'resolu' }],
      addenda: [],
    })
    expect(data.survenu_a <= data.date_cloture).toBe(true)
    for (const address of [data.photo_avant, data.photo_apres, data.signature_client, data.vu]) {
      const file = await phone.context.request.get(service.url + address.replace('/sav/', '/terrain/dossiers/'), {
        headers: { 'Sec-Fetch-Site': 'same-origin' },
      })
      const hash = createHash('sha256').update(await file.body())
      expect([file.status(), hash.digest('hex')]).toEqual([200, address.split('/').at(-1)])
    }
    const { data: checked } = (await api('GET', '/api/v1/sav/1/preuve/verification')).body
    expect(checked).toMatchObject([{ dossier: 'conforme', chaine: true }])
    await expect.poll(() => phone.page.locator('.visit .mark.ahead').count()).toBe(0)
    expect(phone.complaints).toEqual([])
  })

  it('and a second phone report on one visit: both reports arrive, and the second phone learns of the first', async ({
    browser,
    openShop,
  }) => {
    const { service, token, api, page, open } = await shopWithVisit(openShop)
    const one = await phoneOf(await contextOf(browser), service, await token())
    const two = await phoneOf(await contextOf(browser, { width: 360, height: 640 }), service, await token())
    for (const [phone, text] of [
      [one, 'Charnière commandée.'],
      [two, 'Joint posé.'],
    ] as const) {
      await phone.offline(true)
      await first(phone).tap()
      await primary(phone).tap()
      await choose(phone, 'En partie').tap()
      await phone.page.getByLabel('Compte rendu').fill(text)
      await primary(phone).tap()
      await expect.poll(() => phone.page.locator('.visit .mark.ahead').count()).toBe(1)
    }
    const reports = async () =>
      (await api('GET', '/api/v1/sav/1')).body.data.interventions.map(
        (each: { compte_rendu: string }) => each.compte_rendu,
      )
    await one.offline(false)
    await expect.poll(reports).toEqual(['Charnière commandée.'])
    await two.offline(false)
    await expect.poll(reports).toEqual(['Charnière commandée.', 'Joint posé.'])
    await two.open('/a-envoyer')
    await two.page
      .getByText(/avait déjà terminé/)
      .first()
      .waitFor()
    const { data: toDo } = (await api('GET', '/api/v1/a-traiter')).body
    expect(toDo.some(({ type }: { type: string }) => type === 'terrain')).toBe(true)

    const people: { id: string; nom: string }[] = (await api('GET', '/api/v1/utilisateurs')).body.data
    const bruno = people.find(({ nom }) => nom === 'Bruno Petit')?.id
    const devices = async () => (await api('GET', `/api/v1/utilisateurs/${bruno}/appareils`)).body.data
    // Each phone reports the number of its unsent reports at the next contact.
    await expect
      .poll(async () => (await devices()).map(({ en_attente }: { en_attente: number }) => en_attente))
      .toEqual([0, 0])

    // The office sees both phones, and signs one out after a warning about its unsent data.
    await open('/reglages/utilisateurs')
    await page.getByRole('row', { name: /Bruno/ }).getByRole('button', { name: 'Sessions' }).click()
    const end = page.getByRole('dialog').getByRole('button', { name: 'Mettre fin' })
    await expect.poll(() => end.count()).toBe(2)
    expect(await page.getByRole('dialog').getByText('tout est envoyé').count()).toBe(2)
    await end.first().click()
    await page.getByText('Il sera effacé à son prochain contact.').waitFor()
    await page.getByRole('button', { name: 'Effacer ce téléphone' }).click()
    await page.getByText('Le téléphone sera effacé à son prochain contact.').waitFor()
    expect(await devices()).toHaveLength(1)
  })
})
