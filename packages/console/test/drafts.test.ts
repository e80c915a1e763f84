import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { describe, expect } from 'vitest'
import { needs } from '../../../test/needs.js'
import { it, type Shop } from './browser.js'

const hasBrowser = needs('chromium', 'drafts that stay on the device until they are sent')

describe.runIf(hasBrowser)('a draft', () => {
  it('of a close survives a reload and appears in another tab, until it is sent', async ({ openShop }) => {
    const { page, open, api, complaints } = await openShop()
    await api('POST', '/api/v1/sav', { client_id: 1, description: 'La porte du four racle depuis la pose.' })
    await open('/dossiers/1/cloture')
    await page.getByLabel('Ce qui a été fait').fill('Porte réglée, jeu de deux millimètres.')
    await choose(page, 'Photo avant', { name: 'avant.png', width: 640, height: 480 })
    await choose(page, 'Photo après', { name: 'apres.png', width: 320, height: 240 })
    await sign(page)
    const address = page.url()

    await page.reload()
    await expectBegun(page)
    // Leaves the page, as if the phone had discarded the tab.
    const next = await page.context().newPage()
    await page.goto('about:blank')
    await next.goto(address)
    await expectBegun(next)

    const sending = next.waitForRequest(/cloturer$/)
    await next.getByRole('button', { name: 'Clôturer le dossier' }).click()
    const sent = (await sending).postDataJSON()
    expect(sent).toMatchObject({ resolution: 'Porte réglée, jeu de deux millimètres.' })
    expect(pngOf(sent.photo_avant)).toMatchObject({ width: 640, height: 480 })
    expect(pngOf(sent.photo_apres)).toMatchObject({ width: 320, height: 240 })
    expect(pngOf(sent.signature_client).width).toBeGreaterThan(100)
    await next.getByRole('button', { name: 'Rouvrir' }).waitFor()
    await expect.poll(() => countOfDrafts(next)).toBe(0)
    expect(complaints).toEqual([])
  })

  it('of a new case keeps its client, is discarded by "Annuler", and belongs to its tab', async ({ openShop }) => {
    const { page, open, api, complaints } = await openShop()
    await api('POST', '/api/v1/poseurs', { nom: 'Karim Benali' })
    await beginCase({ page, open })
    await page.getByLabel('Poseur').selectOption({ label: 'Karim Benali' })
    // The installer stays chosen although the list of installers arrives last.
    const told = Promise.withResolvers<void>()
    await page.route('**/api/v1/poseurs*', async (route) => {
      await told.promise
      await route.continue()
    })
    await page.reload()
    await expectCase(page)
    told.resolve()
    await expect.poll(() => page.getByLabel('Poseur').inputValue()).toBe('1')
    // If a field is missing, the form says so and keeps the others.
    const beside = await page.context().newPage()
    await beside.goto(page.url())
    const description = beside.getByLabel('Description')
    await description.waitFor()
    expect(await description.inputValue()).toBe('')
    await description.fill('Le tiroir du bas ne coulisse plus.')
    await beside.getByRole('button', { name: 'Créer le dossier' }).click()
    await beside.getByText('Choisissez un client, ou créez-le.').waitFor()
    await beside.reload()
    await expect.poll(() => description.inputValue()).toBe('Le tiroir du bas ne coulisse plus.')
    await expectCase(page)

    await page.getByRole('button', { name: 'Annuler' }).click()
    await page.getByRole('heading', { name: 'Dossiers' }).waitFor()
    await open('/dossiers/nouveau')
    await page.getByRole('combobox', { name: 'Client' }).waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('')
    expect(complaints).toEqual([])
  })

  it('of a visit survives a reload and a change of screen, until the visit is booked', async ({ openShop }) => {
    const { page, open, api, complaints } = await openShop()
    await api('POST', '/api/v1/poseurs', { nom: 'Karim Benali' })
    await open('/planning/nouveau')
    await chooseClient(page)
    await page.getByLabel('Type', { exact: true }).selectOption('metre')
    await page.getByLabel('Durée (minutes)').fill('45')
    await page.getByLabel('Notes').fill('Le code de la porte est 14B.')
    await page.reload()
    await expectVisit(page)
    await open('/planning')
    await open('/planning/nouveau')
    await expectVisit(page)
    // The form for another client has its own draft.
    await open('/planning/nouveau?client_id=1')
    await page.getByText('Durand').waitFor()
    expect(await page.getByLabel('Notes').inputValue()).toBe('')
    await page.getByRole('button', { name: 'Choisir quelqu’un d’autre' }).click()
    await page.getByRole('combobox', { name: 'Client' }).waitFor()

    await open('/planning/nouveau')
    await page.getByLabel('Date', { exact: true }).fill('2032-06-08')
    const sending = page.waitForRequest(/planning\/rdv$/)
    await page.getByRole('button', { name: 'Réserver' }).click()
    expect((await sending).postDataJSON()).toMatchObject({
      ...{ client_id: 1, type: 'metre', duree_minutes: 45, notes: 'Le code de la porte est 14B.' },
    })
    await page.getByText('Le rendez-vous est pris avec Karim Benali.').waitFor()
    await open('/planning/nouveau')
    await page.getByRole('combobox', { name: 'Client' }).waitFor()
    expect(await page.getByLabel('Notes').inputValue()).toBe('')
    expect(await page.getByLabel('Durée (minutes)').inputValue()).toBe('90')
    // If the time is taken, it stays in its field.
    await open('/planning/nouveau?client_id=1')
    await page.getByLabel('Date', { exact: true }).fill('2032-06-08')
    await page.getByRole('button', { name: 'Réserver' }).click()
    await page.getByRole('dialog').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Réserver' }).waitFor()
    expect(await page.getByLabel('Date', { exact: true }).inputValue()).toBe('2032-06-08')
    // A time to which a visit is moved also stays in its field.
    const when = { debut: '2032-06-09T09:00:00+02:00', duree_minutes: 45, poseur_id: 1 }
    const { body } = await api('POST', '/api/v1/planning/rdv', { ...when, client_id: 1, type: 'metre' })
    await open(`/planning?date=2032-06-09&rdv=${body.data.id}`)
    const day = page.getByRole('dialog').getByLabel('Date', { exact: true })
    await page.getByRole('button', { name: 'Déplacer vers…' }).click()
    await day.fill('2032-06-08')
    await page.getByRole('button', { name: 'Déplacer', exact: true }).click()
    await page.getByRole('heading', { name: 'Ce créneau est déjà pris' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Déplacer vers…' }).click()
    expect(await day.inputValue()).toBe('2032-06-08')
    expect(complaints).toEqual([])
  })

  it('is shown only to its own user when somebody else signs in', async ({ openShop }) => {
    const shop = await openShop()
    const { page, open, api, user, workplace, signIn } = shop
    const person = ['users', 'add', '--nom', 'Paul Nguyen', '--email', 'paul@atelier.example', '--role', 'gestion']
    const { id: other } = await workplace.json<{ id: string }>(person)
    await beginCase(shop)
    await open('/clients/nouveau')
    await page.getByLabel('Nom', { exact: true }).fill('Martin-Desrousseaux')
    await api('DELETE', `/api/v1/utilisateurs/${user}/sessions`)

    await signIn(other)
    await open('/clients/nouveau')
    expect(await page.getByLabel('Nom', { exact: true }).inputValue()).toBe('')
    await open('/dossiers/nouveau')
    await page.getByRole('combobox', { name: 'Client' }).waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('')
    expect(await page.getByAltText('four.png').count()).toBe(0)

    await api('DELETE', `/api/v1/utilisateurs/${other}/sessions`)
    await signIn()
    await open('/dossiers/nouveau')
    await expectCase(page)
    await open('/clients/nouveau')
    expect(await page.getByLabel('Nom', { exact: true }).inputValue()).toBe('Martin-Desrousseaux')
  })

  it('stays for 30 days', async ({ openShop }) => {
    const { page, open } = await openShop()
    const days = 86_400_000
    await beginCase({ page, open })
    await makeOlder(page, 30 * days - 3_600_000)
    await page.reload()
    await expectCase(page)
    await makeOlder(page, 3_600_000)
    await page.reload()
    await page.getByRole('combobox', { name: 'Client' }).waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('')
    expect(await countOfDrafts(page)).toBe(0)
  })

  it('is deleted when its user signs out, in every tab', async ({ openShop }) => {
    const shop = await openShop()
    const { page, open, signIn, complaints } = shop
    await open('/clients/nouveau')
    const beside = await page.context().newPage()
    await beside.goto(page.url())
    await beside.getByLabel('Nom', { exact: true }).fill('Martin-Desrousseaux')
    await beginCase(shop)
    await page.getByRole('button', { name: 'Se déconnecter' }).click()
    await page.getByRole('heading', { name: 'Se connecter' }).waitFor()
    await beside.getByRole('heading', { name: 'Se connecter' }).waitFor()
    expect(await countOfDrafts(page)).toBe(0)
    for (const tab of [page, beside]) expect(await tab.evaluate('sessionStorage.length')).toBe(0)

    await signIn()
    await open('/dossiers/nouveau')
    await page.getByRole('combobox', { name: 'Client' }).waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('')
    expect(complaints).toEqual([])
  })
})

describe.runIf(hasBrowser)('photos that are sent', () => {
  it('are at most 2048 pixels, and unchanged if they are smaller', async ({ openShop }) => {
    const { page, open, api } = await openShop()
    await open('/dossiers/nouveau')
    await chooseClient(page)
    await page.getByLabel('Description').fill('La porte du four racle depuis la pose.')
    const small = pictureOf(2048, 40)
    await page.locator('input[type=file]').setInputFiles([
      { name: 'juste.png', mimeType: 'image/png', buffer: small },
      { name: 'large.png', mimeType: 'image/png', buffer: pictureOf(2049, 40) },
      { name: 'haute.png', mimeType: 'image/png', buffer: pictureOf(300, 4096) },
    ])
    await page.getByAltText('haute.png').waitFor()
    const sending = page.waitForRequest(/api\/v1\/sav$/)
    await page.getByRole('button', { name: 'Créer le dossier' }).click()
    const [as, ...shrunk]: string[] = (await sending).postDataJSON().photos
    expect(as).toBe(`data:image/png;base64,${small.toString('base64')}`)
    expect(shrunk.map((photo) => photo.slice(0, 15))).toEqual(['data:image/jpeg', 'data:image/jpeg'])
    await page.getByRole('heading', { name: /00001$/ }).waitFor()
    const { photos } = (await api('GET', '/api/v1/sav/1')).body.data
    const sizes = await Promise.all(photos.map(({ url }: { url: string }) => sizeOf(page, url)))
    expect(sizes).toEqual([
      [2048, 40],
      [2048, 40],
      [150, 2048],
    ])
  })

  it('are recognised by their content, and refused files are named', async ({ openShop }) => {
    const { page, open } = await openShop()
    await open('/dossiers/nouveau')
    await chooseClient(page)
    await page.getByLabel('Description').fill('La porte du four racle depuis la pose.')
    const small = pictureOf(40, 30)
    await page.locator('input[type=file]').setInputFiles({ name: 'capture.jpg', mimeType: 'image/jpeg', buffer: small })
    await page.getByAltText('capture.jpg').waitFor()
    // Drops a HEIC file without a type, as browsers on Windows report it.
    await page.evaluate(`{
      const dropped = new DataTransfer()
      const heic = new TextEncoder().encode('\\0\\0\\0\\x18ftypheic\\0\\0\\0\\0mif1heic')
      dropped.items.add(new File([heic], 'IMG_0001.HEIC', { type: '' }))
      dropped.items.add(new File(['%PDF-1.7'], 'devis.pdf', { type: 'application/pdf' }))
      const event = new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true })
      document.querySelector('.drop').dispatchEvent(event)
    }`)
    await page.getByText('devis.pdf n’est pas une image lisible').waitFor()
    await page.getByAltText('IMG_0001.HEIC').waitFor({ state: 'attached' })
    const sending = page.waitForRequest(/api\/v1\/sav$/)
    await page.getByRole('button', { name: 'Créer le dossier' }).click()
    const photos: string[] = (await sending).postDataJSON().photos
    expect(photos).toEqual([
      `data:image/png;base64,${small.toString('base64')}`,
      expect.stringMatching(/^data:image\/heic;base64,/),
    ])
    await page.getByRole('heading', { name: /00001$/ }).waitFor()
  })

  it('show the progress of their upload', async ({ openShop }) => {
    const { page, open } = await openShop()
    await open('/dossiers/nouveau')
    await chooseClient(page)
    await page.getByLabel('Description').fill('La porte du four racle depuis la pose.')
    const noise = pictureOf(800, 600, () => Math.floor(Math.random() * 256))
    await page.locator('input[type=file]').setInputFiles({ name: 'bruit.png', mimeType: 'image/png', buffer: noise })
    await page.getByAltText('bruit.png').waitFor()
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 600_000 }
    await devtools.send('Network.emulateNetworkConditions', slow)
    await page.getByRole('button', { name: 'Créer le dossier' }).click()
    await page.getByText(/^Envoi\s: [1-9]\d?\s%$/).waitFor()
    await page.getByRole('heading', { name: /00001$/ }).waitFor()
  })
})

/** A PNG. @param grey of each pixel; default: one colour */
function pictureOf(width: number, height: number, grey: () => number = () => 120): Buffer {
  const picture = new PNG({ width, height })
  for (let at = 0; at < picture.data.length; at += 1) picture.data[at] = at % 4 === 3 ? 255 : grey()
  return PNG.sync.write(picture)
}

const pngOf = (dataUri: string): PNG =>
  PNG.sync.read(Buffer.from(dataUri.replace('data:image/png;base64,', ''), 'base64'))

interface ChosenPicture {
  readonly name: string
  readonly width: number
  readonly height: number
}

async function choose(page: Page, label: string, { name, width, height }: ChosenPicture): Promise<void> {
  const buffer = pictureOf(width, height)
  await page.getByLabel(label, { exact: true }).setInputFiles({ name, mimeType: 'image/png', buffer })
  await page.getByAltText(label).waitFor()
}

async function sign(page: Page): Promise<void> {
  const sheet = page.locator('canvas')
  await sheet.scrollIntoViewIfNeeded()
  const { x, y } = (await sheet.boundingBox()) ?? expect.fail('no sheet to sign on')
  await page.mouse.move(x + 40, y + 60)
  await page.mouse.down()
  await page.mouse.move(x + 160, y + 20, { steps: 5 })
  await page.mouse.move(x + 200, y + 70, { steps: 5 })
  await page.mouse.up()
}

async function expectBegun(page: Page): Promise<void> {
  await page.getByAltText('Photo avant').waitFor()
  await page.getByAltText('Photo après').waitFor()
  expect(await page.getByLabel('Ce qui a été fait').inputValue()).toBe('Porte réglée, jeu de deux millimètres.')
  const sheet = page.locator('canvas')
  await expect.poll(async () => isInked(PNG.sync.read(await sheet.screenshot()))).toBe(true)
}

const isInked = ({ data }: PNG): boolean => data.some((byte, at) => at % 4 === 0 && byte < 100)

async function chooseClient(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Client' }).fill('Durand')
  await page.getByRole('option', { name: /Durand/ }).click()
}

async function beginCase({ page, open }: Pick<Shop, 'page' | 'open'>): Promise<void> {
  await open('/dossiers/nouveau')
  await chooseClient(page)
  await page.getByLabel('Description').fill('La porte du four racle depuis la pose.')
  await page.getByLabel('Priorité').selectOption('haute')
  const photo = { name: 'four.png', mimeType: 'image/png', buffer: pictureOf(32, 24) }
  await page.locator('input[type=file]').setInputFiles(photo)
  await page.getByAltText('four.png').waitFor()
}

async function expectVisit(page: Page): Promise<void> {
  await page.getByText('Durand').waitFor()
  expect(await page.getByLabel('Type', { exact: true }).inputValue()).toBe('metre')
  expect(await page.getByLabel('Durée (minutes)').inputValue()).toBe('45')
  expect(await page.getByLabel('Notes').inputValue()).toBe('Le code de la porte est 14B.')
}

async function expectCase(page: Page): Promise<void> {
  await page.getByAltText('four.png').waitFor()
  await page.getByText('Durand').waitFor()
  expect(await page.getByLabel('Description').inputValue()).toBe('La porte du four racle depuis la pose.')
  expect(await page.getByLabel('Priorité').inputValue()).toBe('haute')
}

/** Runs a request on each store of the drafts. @param work the request, as a JavaScript expression on `store` */
const onDrafts = <T>(page: Page, work: string): Promise<T[]> =>
  page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('sav-drafts')
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const names = [...opening.result.objectStoreNames]
      const transaction = opening.result.transaction(names, 'readwrite')
      const asked = names.map((name) => ((store) => ${work})(transaction.objectStore(name)))
      transaction.oncomplete = () => {
        resolve(asked.map(({ result }) => (typeof result === 'number' ? result : null)))
        opening.result.close()
      }
    }
  })`)

/** The number of rows on the device. */
async function countOfDrafts(page: Page): Promise<number> {
  const counts = await onDrafts<number>(page, 'store.count()')
  return counts.reduce((sum, count) => sum + count, 0)
}

async function makeOlder(page: Page, byMs: number): Promise<void> {
  const work = `Object.assign(store.openCursor(), { onsuccess({ target: { result: row } }) {
    if (row === null) return
    row.update({ ...row.value, keptAt: row.value.keptAt - ${byMs} })
    row.continue()
  } })`
  await onDrafts(page, work)
}

const sizeOf = (page: Page, url: string): Promise<readonly [number, number]> =>
  page.evaluate(`fetch(${JSON.stringify(url)}).then((answer) => answer.blob()).then(createImageBitmap)
    .then(({ width, height }) => [width, height])`)
