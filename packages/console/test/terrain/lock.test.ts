import type { BrowserContext, Route } from 'playwright-core'
import { describe, expect } from 'vitest'
import { needs } from '../../../../test/needs.js'
import { it } from '../browser.js'
import { namesIn, openPhone, ownCode, type Phone, pressedTwice, rowsOf, toolsOf } from './phone.js'

const hasBrowser = needs('chromium', "that a phone protects its user's data")

const begin = async (phone: Phone) => {
  await phone.page.locator('.visit-link').first().tap()
  await phone.page.locator('.actions .primary').tap()
  await phone.page.getByLabel('Compte rendu').waitFor()
}

/** The contents of all the app's databases, as somebody with access to the storage sees them. */
const dump = (phone: Phone) =>
  phone.page.evaluate<string>(`new Promise((resolve) => {
    indexedDB.open('sav-terrain').onsuccess = async ({ target: { result: database } }) => {
      let found = ''
      const read = (value) => {
        if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) found += new TextDecoder().decode(value)
        else if (value !== null && typeof value === 'object') Object.values(value).forEach(read)
        else found += String(value) + ' '
      }
      for (const name of database.objectStoreNames)
        await new Promise((next) => {
          database.transaction(name).objectStore(name).getAll().onsuccess = ({ target }) => {
            target.result.forEach(read)
            next()
          }
        })
      database.close()
      resolve(found)
    }
  })`)

/** Sets the service's last answer to that many hours ago. */
const lain = (phone: Phone, hours: number) =>
  phone.page.evaluate(`new Promise((resolve) => {
    indexedDB.open('sav-terrain').onsuccess = ({ target: { result: database } }) => {
      const profiles = database.transaction('profiles', 'readwrite').objectStore('profiles')
      profiles.getAll().onsuccess = ({ target }) => {
        for (const profile of target.result)
          profiles.put({ ...profile, lastContact: Date.now() - ${hours} * 3600000 }).onsuccess = () => {
            database.close()
            resolve()
          }
      }
    }
  })`)

/** Signs the phone out from the office, as soon as the office lists it. */
async function endedByOffice({ service: { sav, actor, bruno } }: Phone): Promise<void> {
  const devices = () => sav.sessions.devices('default', bruno.person)
  await expect.poll(devices).toHaveLength(1)
  for (const { id } of await devices()) await sav.sessions.end(actor, bruno.person, id)
}

const heading = (phone: Phone, text: RegExp | string) => phone.page.getByRole('heading', { name: text }).waitFor()

describe.runIf(hasBrowser)('a phone that is lost', () => {
  it('shows no customer data, and stores none that is readable without its code', async ({ browser }) => {
    const phone = await openPhone(browser)
    await begin(phone)
    await phone.page.getByLabel('Compte rendu').fill('Le portail grince chez Madame Durand.')
    await expect.poll(() => rowsOf(phone, 'draft')).toBe(1)
    const found = await dump(phone)
    expect(found).toContain('Bruno Petit')
    expect(found).not.toMatch(/Durand|Tilsitt|14B|portail|SAV-2026/)
    // The browser's history contains the titles of pages, so a title must not show customer data either.
    await phone.page.goBack()
    await heading(phone, 'Alice Durand')
    expect(await phone.page.title()).toBe('Visite · SAV')
    await phone.restart()
    await heading(phone, 'Bonjour Bruno Petit')
    expect(await phone.page.locator('body').textContent()).not.toMatch(/Durand|Tilsitt/)
    expect(await phone.page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toMatch(/Durand/)
  })

  it('locks five minutes after the last touch, and reopens at the same screen', async ({ browser }) => {
    const phone = await openPhone(browser, { prepare: (context) => context.clock.install() })
    const { page } = phone
    await begin(phone)
    // From here on, only the test moves the clock.
    await page.clock.pauseAt(await page.evaluate<number>('Date.now() + 60000'))
    await page.getByLabel('Compte rendu').fill('Charnière réglée.')
    // A request sent before the phone locks is answered only afterwards.
    const answered = Promise.withResolvers<void>()
    const hold = async (route: Route) => {
      await answered.promise
      await route.continue()
    }
    await page.route('**/api/v1/session', hold, { times: 1 })
    await page.clock.runFor(295_000)
    expect(await page.locator('.keypad').count()).toBe(0)
    await page.clock.runFor(10_000)
    await page.locator('.keypad').waitFor()
    expect(await page.locator('body').textContent()).not.toContain('Charnière')
    await page.clock.resume()
    // The user who unlocks the phone then still gets the day.
    const told = page.waitForResponse(/\/api\/v1\/terrain$/)
    await phone.code(ownCode)
    await told
    answered.resolve()
    await expect.poll(() => page.getByLabel('Compte rendu').inputValue()).toBe('Charnière réglée.')
  })

  it('is wiped by the tenth wrong code, and warns beforehand of what will be lost', async ({ browser }) => {
    const phone = await openPhone(browser)
    await phone.offline(true)
    await begin(phone)
    await phone.restart()
    for (let left = 9; left > 1; left -= 1) {
      await phone.code('111113')
      await phone.page.getByText(`Encore ${left} essais`).waitFor()
    }
    // A restart does not reset the number of wrong codes.
    await phone.restart()
    await phone.page.getByText('Encore 2 essais').waitFor()
    await phone.code('111113')
    await phone.page.getByText(/Dernier essai.*un envoi qui n’est pas parti/).waitFor()
    expect(await rowsOf(phone, 'outbox')).toBe(1)
    await phone.code('111113')
    await heading(phone, /Qui êtes-vous/)
    for (const kind of ['day', 'outbox', 'draft', 'file']) expect(await rowsOf(phone, kind)).toBe(0)
    expect(await dump(phone)).toBe('')
  })

  it('shows no data in another tab once it is wiped in one', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, context, service } = phone
    const other = await context.newPage()
    await other.goto(`${service.url}/app/terrain`)
    await other.locator('.keypad').waitFor()
    await other.keyboard.type(ownCode)
    await other.getByText('Durand').first().waitFor()
    await page.getByRole('link', { name: 'Moi' }).tap()
    await page.getByRole('button', { name: 'Retirer de ce téléphone' }).tap()
    await page.locator('.sheet').getByRole('button', { name: 'Retirer de ce téléphone' }).tap()
    await other.getByRole('heading', { name: /Qui êtes-vous/ }).waitFor()
    expect(await other.getByText('Durand').count()).toBe(0)
  })

  it('opens with the right code, and then counts wrong codes from zero', async ({ browser }) => {
    const phone = await openPhone(browser)
    await phone.restart()
    await phone.code('111113')
    await phone.page.getByText('Encore 9 essais').waitFor()
    const key = (name: string) => phone.page.getByRole('button', { name, exact: true })
    await key('Chiffre 1').tap()
    await key('Effacer un chiffre').tap()
    for (const digit of ownCode) await key(`Chiffre ${digit}`).tap()
    await phone.page.locator('.visit-link').first().waitFor()
    await phone.restart()
    await phone.code('111113')
    await phone.page.getByText('Encore 9 essais').waitFor()
  })

  it('opens once its code is chosen, while the browser still asks about persistent storage', async ({ browser }) => {
    // Imitates Firefox, where `persist()` stays pending until the user answers a question.
    const unanswered = 'navigator.storage.persist = () => new Promise(() => {})'
    const phone = await openPhone(browser, { prepare: (context) => context.addInitScript(unanswered) })
    expect(await phone.page.locator('.visits li').count()).toBe(2)
    expect(phone.complaints).toEqual([])
  })

  it('shows that it is being opened while its key is derived, and asks for no second code', async ({ browser }) => {
    const slowly = `const derived = crypto.subtle?.deriveBits.bind(crypto.subtle)
      if (derived) crypto.subtle.deriveBits = (...given) => new Promise((go) => { globalThis.go = go }).then(() => derived(...given))`
    const opened = Promise.withResolvers<BrowserContext>()
    const opening = openPhone(browser, {
      async prepare(context) {
        await context.addInitScript(slowly)
        opened.resolve(context)
      },
    })
    const context = await opened.promise
    const page = context.pages()[0] ?? (await context.waitForEvent('page'))
    await page.getByText('Ouverture…').waitFor()
    await page.keyboard.type('111113')
    expect(await page.locator('.keypad .full').count()).toBe(0)
    await page.evaluate('globalThis.go()')
    expect((await opening).complaints).toEqual([])
  })

  it('asks for a code even if a late answer says that nobody was signed in before', async ({ browser }) => {
    const signedIn = Promise.withResolvers<void>()
    let asked = 0
    const phone = await openPhone(browser, {
      async prepare(_, { proxy }) {
        const { onAnswer } = proxy
        proxy.onAnswer = async (call) => {
          await onAnswer(call)
          if (call.path !== '/api/v1/session') return
          asked += 1
          // Reverses the order of two answers: the refusal arrives after the sign-in.
          if (call.status === 200) setImmediate(() => signedIn.resolve())
          else await signedIn.promise
        }
      },
    })
    expect(asked).toBeGreaterThanOrEqual(2)
    expect(phone.complaints).toEqual([])
  })

  it.for(['before', 503] as const)('tries its link again after a failure: %s', async (cut, { browser }) => {
    let isAway = true
    const opened = Promise.withResolvers<BrowserContext>()
    const opening = openPhone(browser, {
      async prepare(context, { proxy }) {
        proxy.cutOf = (call) => (isAway && call.endsWith('/invitation') ? cut : null)
        opened.resolve(context)
      },
    })
    const context = await opened.promise
    const page = context.pages()[0] ?? (await context.waitForEvent('page'))
    const again = page.getByRole('button', { name: 'Réessayer' })
    await again.waitFor()
    isAway = false
    await again.tap()
    expect((await opening).complaints).toEqual([])
  })

  it('is wiped at its next contact after the office has signed it out', async ({ browser }) => {
    const phone = await openPhone(browser)
    await endedByOffice(phone)
    await phone.restart('.door')
    await heading(phone, /Qui êtes-vous/)
    await phone.page.getByText('Le bureau a mis fin à ce téléphone').waitFor()
    expect(await dump(phone)).toBe('')
  })

  it('is wiped at its next start if the app died during the wipe', async ({ browser }) => {
    const phone = await openPhone(browser)
    await endedByOffice(phone)
    // Another page's transaction delays the deletion of the profile.
    const beside = await phone.context.newPage()
    await beside.goto(`${phone.service.url}/api/v1/session`)
    await beside.evaluate(`new Promise((resolve) => {
      indexedDB.open('sav-terrain').onsuccess = ({ target: { result: database } }) => {
        const profiles = database.transaction('profiles', 'readwrite').objectStore('profiles')
        const again = () => {
          profiles.count().onsuccess = again
          resolve()
        }
        again()
      }
    })`)
    const asked = phone.page.waitForResponse('**/api/v1/session')
    await phone.page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await (await asked).finished()
    await phone.page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    await phone.page.close()
    await beside.close()
    await phone.restart('.door')
    await heading(phone, /Qui êtes-vous/)
    expect(await dump(phone)).toBe('')
  })

  it('opens after 72 hours without contact only once the service answers, and keeps unsent reports', async ({
    browser,
  }) => {
    const phone = await openPhone(browser)
    await phone.offline(true)
    await begin(phone)
    await lain(phone, 73)
    await phone.restart('.door')
    await phone.page.getByText('Plus de 72 heures').waitFor()
    await phone.page.getByRole('button', { name: 'Réessayer' }).tap()
    // Waits until the call has failed: the screen then also offers to sign in.
    await phone.page.locator('.door .stack').waitFor({ state: 'attached' })
    await phone.page.getByText('Plus de 72 heures').waitFor()
    await phone.offline(false)
    await phone.page.getByRole('button', { name: 'Réessayer' }).tap()
    await phone.page.locator('.keypad').waitFor()
    await phone.code(ownCode)
    await expect.poll(() => phone.service.of('/debut').length).toBe(1)
  })
})

/** A picture of one pixel; decoders ignore bytes after its end. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

describe.runIf(hasBrowser)('a phone whose visits change', () => {
  it('keeps no picture of a case that was removed during the download', async ({ browser }) => {
    const answered = Promise.withResolvers<void>()
    const photo = (shade: number) =>
      `data:image/png;base64,${Buffer.concat([pixel, Buffer.from([shade])]).toString('base64')}`
    const phone = await openPhone(browser, {
      async prepare(context, { sav, actor }) {
        for (const id of [1, 2]) await sav.cases.addPhotos(actor, id, { photos: [photo(id)] })
        await context.route('**/dossiers/1/fichiers/*', async (route) => {
          await answered.promise
          await route.continue()
        })
      },
    })
    const { page, service } = phone
    await service.give(1, service.karim)
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await expect.poll(() => page.locator('.visit-link').count()).toBe(1)
    answered.resolve()
    const [kept] = (await service.sav.cases.get('default', 2)).photos
    await expect.poll(() => namesIn(page, 'thumb')).toEqual([Object(kept).sha256])
  })
})

describe.runIf(hasBrowser)('a phone that two people share', () => {
  it('asks for the user at each change, and sends each user’s reports only as that user', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    await phone.offline(true)
    await begin(phone)
    // Before the report is sent, another user signs in.
    service.proxy.cutOf = (call) => (call.endsWith('/debut') ? 503 : null)
    await phone.offline(false)
    await page.goto(`${service.url}/app/terrain/moi#${await service.invite(service.karim.person)}`)
    await page.getByRole('button', { name: 'Continuer' }).tap()
    await heading(phone, /Protéger/)
    await page.getByRole('button', { name: /six/ }).tap()
    await phone.code('270364')
    await page.getByText('Encore une fois').waitFor()
    await phone.code('270364')
    service.proxy.cutOf = () => null
    await heading(phone, 'Moi')
    await page.getByText('Karim Benali').waitFor()
    await page.getByRole('button', { name: 'Changer de personne' }).tap()
    await page.getByText('1 envoi attend').waitFor()
    await page.getByRole('button', { name: /Bruno Petit/ }).tap()
    await phone.code('270364')
    await page.getByText('Encore 9 essais').waitFor()
    await phone.code(ownCode)
    await page.getByText(/connecté pour quelqu’un d’autre/).waitFor()
    expect(service.done).toEqual([])
    await page.goto(`${service.url}/app/terrain/moi#${await service.invite(service.bruno.person)}`)
    await page.getByRole('button', { name: 'Continuer' }).tap()
    await phone.code(ownCode)
    await expect.poll(() => service.doneBy()).toEqual([[service.bruno.person, '/api/v1/planning/1/debut']])
  })

  it('tells a user who has no visits that the app is not for them', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { sav, actor, url, invite } = phone.service
    const claire = { nom: 'Claire Petit', email: 'claire@petit.example', role: 'lecture' } as const
    const { id } = await sav.users.add(actor, claire)
    await phone.page.goto(`${url}/app/terrain#${await invite(id)}`)
    await phone.page.getByRole('button', { name: 'Continuer' }).tap()
    await phone.page.getByText('n’a pas de visites').waitFor()
  })
})

describe.runIf(hasBrowser)('a passkey', () => {
  it('opens a phone without network, but only if it verifies the user', async ({ browser }) => {
    const phone = await openPhone(browser)
    const { page, service } = phone
    await page.getByRole('link', { name: 'Moi' }).tap()
    await page.getByRole('button', { name: 'Retirer de ce téléphone' }).tap()
    await page.locator('.sheet').getByRole('button', { name: 'Retirer de ce téléphone' }).tap()
    await heading(phone, /Qui êtes-vous/)
    const tools = await toolsOf(page)
    await tools.send('WebAuthn.enable')
    const { authenticatorId } = await tools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        ctap2Version: 'ctap2_1',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        hasPrf: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await page.evaluate(`navigator.credentials.create({ publicKey: {
      challenge: new Uint8Array(16), rp: { name: 'SAV' }, pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      user: { id: new Uint8Array([1]), name: 'bruno', displayName: 'Bruno Petit' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' }, extensions: { prf: {} } } })`)
    await page.goto(`${service.url}/app/terrain/moi#${await service.invite(service.bruno.person)}`)
    // A second press while the phone asks is not reported as a failure.
    await pressedTwice(page.getByRole('button', { name: 'Empreinte ou visage' }))
    await page.getByRole('button', { name: 'Verrouiller' }).waitFor()
    expect(await page.locator('.notice.trouble').count()).toBe(0)
    await phone.offline(true)
    await page.getByRole('button', { name: 'Verrouiller' }).tap()
    await tools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await page.getByRole('button', { name: 'Empreinte ou visage' }).tap()
    await page.getByText('n’a pas reconnu').waitFor()
    await tools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
    await page.getByRole('button', { name: 'Empreinte ou visage' }).tap()
    await page.getByText('Bruno Petit').waitFor()
    expect(phone.complaints).toEqual([])
  })
})
