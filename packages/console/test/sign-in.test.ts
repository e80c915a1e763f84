import { describe, expect } from 'vitest'
import { needs } from '../../../test/needs.js'
import { jpeg } from '../../cli/test/images.js'
import { it } from './browser.js'

const hasBrowser = needs('chromium', 'signing in with a browser')

describe.runIf(hasBrowser)('signing in', () => {
  it('accepts an invitation once, and removes it from the address', async ({ openShop }) => {
    const { page, invite, complaints } = await openShop()
    await page.context().clearCookies()
    const link = await invite()
    await page.goto(link)
    await page.getByRole('heading', { name: 'Bonjour Claire' }).waitFor()
    expect(page.url()).not.toContain('sav_inv_')
    await page.context().clearCookies()
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByText('Ce lien a déjà servi').waitFor()
    expect(complaints).toEqual([])
  })

  it('leads installers to their app, and other users to the office', async ({ openShop }) => {
    const { page, api, invite, open, origin, complaints } = await openShop({ role: 'gestion' })
    const { id: poseur_id } = (await api('POST', '/api/v1/poseurs', { nom: 'Bruno Petit' })).body.data
    const bruno = { nom: 'Bruno Petit', email: 'bruno@atelier.example', role: 'poseur', poseur_id }
    const { id } = (await api('POST', '/api/v1/utilisateurs', bruno)).body.data

    // If a user of the office opens the link of an installer, the page asks before it signs the user out.
    await page.goto(await invite(id))
    await page.getByText('Claire Petit est connecté ici en ce moment').waitFor()
    await page.getByRole('button', { name: 'Annuler' }).click()
    await page.goto(`${origin}/app/terrain/`)
    await page.getByRole('link', { name: 'Ouvrir les pages du bureau' }).click()
    await page.getByRole('heading', { name: 'Bonjour Claire' }).waitFor()

    await page.context().clearCookies()
    const asked: string[] = []
    page.on('response', (answer) => {
      if (answer.status() === 403) asked.push(answer.url())
    })
    await page.goto(await invite(id))
    const setup = page.getByRole('button', { name: 'six chiffres' })
    await setup.waitFor()
    expect(page.url()).toBe(`${origin}/app/terrain/`)
    await open('/')
    await setup.waitFor()
    expect(page.url()).toBe(`${origin}/app/terrain/`)
    expect([asked, complaints]).toEqual([[], []])
  })

  it('says if the browser refuses the cookie without https, and does not use up the invitation', async ({
    openShop,
  }) => {
    const { page, invite } = await openShop()
    await page.context().clearCookies()
    const link = await invite()
    const other = await page.context().newPage()
    // Refuses cookies, as Safari does at http://localhost.
    await other.addInitScript(`Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set() {} })`)
    await other.goto(link)
    await other.getByText('Ce navigateur ne garde pas de session sans https').waitFor()
    await page.goto(link)
    await page.getByRole('heading', { name: 'Bonjour Claire' }).waitFor()
  })

  it('asks before an invitation replaces the signed-in user, and then ends that user’s session', async ({
    openShop,
  }) => {
    const { page, open, api, invite, user, origin, complaints } = await openShop()
    const paul = { nom: 'Paul Nguyen', email: 'paul@atelier.example', role: 'atelier' }
    const { id } = (await api('POST', '/api/v1/utilisateurs', paul)).body.data
    const link = await invite(id)
    const sessions = async (of: string) => (await api('GET', `/api/v1/utilisateurs/${of}/sessions`)).body.data.length
    await open('/')
    await page.getByRole('heading', { name: 'Bonjour Claire' }).waitFor()
    const [mine] = (await page.context().cookies()).filter(({ name }) => name === '__Host-sav')

    const used: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') used.push(new URL(request.url()).pathname)
    })
    await page.goto(link)
    await page.getByText('Session ouverte : Claire Petit (default).').waitFor()
    await page.getByText('Continuer comme Paul Nguyen (default) ?').waitFor()
    expect(page.url()).not.toContain('sav_inv_')
    await page.getByRole('button', { name: 'Rester Claire Petit' }).click()
    await page.getByRole('heading', { name: 'Bonjour Claire' }).waitFor()
    expect(used).toEqual(['/app/session/invitation/apercu'])
    expect([await sessions(user), await sessions(id)]).toEqual([1, 0])

    await page.goto('about:blank')
    await page.goto(link)
    await page.getByRole('button', { name: 'Continuer comme Paul Nguyen' }).click()
    await page.getByRole('heading', { name: 'Bonjour Paul' }).waitFor()
    expect([await sessions(user), await sessions(id)]).toEqual([0, 1])
    const asBefore = { cookie: `__Host-sav=${mine?.value}`, 'sec-fetch-site': 'same-origin' }
    expect((await fetch(`${origin}/api/v1/session`, { headers: asBefore })).status).toBe(401)

    await page.goto('about:blank')
    await page.goto(link)
    await page.getByText('Ce lien a déjà servi').waitFor()
    await page.getByRole('button', { name: 'Rester Paul Nguyen' }).click()
    await page.getByRole('heading', { name: 'Bonjour Paul' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('also asks if another tab has signed in since this page was opened', async ({ openShop }) => {
    const { page, api, invite, origin, user } = await openShop()
    const paul = { nom: 'Paul Nguyen', email: 'paul@atelier.example', role: 'atelier' }
    const { id } = (await api('POST', '/api/v1/utilisateurs', paul)).body.data
    const [ours] = await Promise.all([page.context().cookies(), page.context().clearCookies()])
    await page.goto(`${origin}/app/`)
    await page.getByRole('heading', { name: 'Se connecter' }).waitFor()
    await page.context().addCookies(ours)
    const { hash } = new URL(await invite(id))
    await page.goto(`${origin}/app/${hash}`)
    await page.getByText('Continuer comme Paul Nguyen (default) ?').waitFor()
    expect((await api('GET', `/api/v1/utilisateurs/${user}/sessions`)).body.data).toHaveLength(1)
  })

  it('lets a user of several accounts choose one, and returns to it', async ({ openShop }) => {
    const { page, open, api, workplace, origin, user, complaints } = await openShop({ oidc: true })
    await page.context().clearCookies()
    await workplace.json(['accounts', 'add', 'agence'])
    await workplace.json(['accounts', 'update', 'agence', '--raison-sociale', 'Agence Roux'])
    const there = [
      '--nom',
      'Mme Petit',
      '--email',
      'claire@atelier.example',
      '--role',
      'lecture',
      '--account',
      'agence',
    ]
    await workplace.json(['users', 'add', ...there])
    const provided = page.getByRole('link', { name: 'Continuer avec le compte de l’entreprise' })
    const signOut = async () => {
      await page.getByRole('button', { name: 'Se déconnecter' }).click()
      await provided.waitFor()
    }

    await open('/')
    await provided.click()
    await page.getByRole('heading', { name: 'Choisir un compte' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Mme Petit (Agence Roux) agence' }).waitFor()
    await page.getByRole('button', { name: 'Claire Petit (default)' }).click()
    await page.getByRole('heading', { name: 'Bonjour Claire' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect((await api('GET', `/api/v1/utilisateurs/${user}/sessions`)).body.data.length).toBeGreaterThan(0)

    await signOut()
    await provided.click()
    await page.getByRole('heading', { name: 'Bonjour Claire' }).waitFor()
    await signOut()
    await page.getByRole('link', { name: 'Choisir un autre compte' }).click()
    await page.getByRole('button', { name: 'Mme Petit (Agence Roux) agence' }).click()
    await page.getByText('Agence Roux').first().waitFor()
    await signOut()
    await provided.click()
    await page.getByText('Agence Roux').first().waitFor()
    await signOut()
    await page.goto(`${origin}/app/connexion?choix`)
    await page.getByText('La connexion a pris trop de temps').waitFor()
    await provided.waitFor()
    expect(complaints).toEqual([])
  })

  it('offers to add a passkey, which signs the user in the next time', async ({ openShop }) => {
    const { page, open } = await openShop()
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await open('/')
    await page.getByRole('button', { name: 'Ajouter une clé d’accès' }).click()
    await page.getByText('La clé d’accès est enregistrée.').waitFor()
    // By default, a passkey is named after its device. The second one gets a name, and is then removed.
    await page.getByRole('link', { name: 'Claire Petit' }).click()
    const keys = page.locator('.card', { hasText: 'Clés d’accès' }).getByRole('listitem')
    await keys.filter({ hasText: /^Chrome sous Linux/ }).waitFor()
    await page.locator('.card', { hasText: 'Sessions' }).getByText('Chrome sous Linux').waitFor()
    await page.getByRole('button', { name: 'Retirer la clé Chrome sous Linux' }).click()
    await page.getByText('La clé d’accès est retirée.').waitFor()
    await devtools.send('WebAuthn.clearCredentials', { authenticatorId })
    await page.getByLabel('Nom de la clé').fill('Poste de l’atelier')
    await page.getByRole('button', { name: 'Ajouter une clé d’accès' }).click()
    await keys.filter({ hasText: 'Poste de l’atelier' }).waitFor()
    await page.getByRole('button', { name: 'Se déconnecter' }).click()
    await page.getByRole('button', { name: 'Se connecter avec une clé d’accès' }).click()
    await page.getByRole('heading', { level: 1, name: 'Claire Petit' }).waitFor()
    await open('/dossiers')
    await page.getByText('Pas encore de dossier').waitFor()
  })

  it('is possible again when a session ends, without loss of typed text', async ({ openShop }) => {
    const { page, open, api, user, invite } = await openShop()
    await open('/clients/nouveau')
    await page.getByLabel('Nom', { exact: true }).fill('Martin-Desrousseaux')
    await api('DELETE', `/api/v1/utilisateurs/${user}/sessions`)
    await page.getByRole('button', { name: 'Créer le client' }).click()
    await page.getByText('Votre session est terminée.').waitFor()
    // Signing in returns to the page, but only once.
    await page.goto(await invite())
    await page.getByRole('heading', { level: 1, name: 'Nouveau client' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/app/clients/nouveau')
    expect(await page.getByLabel('Nom', { exact: true }).inputValue()).toBe('Martin-Desrousseaux')
    await open('/')
    await page.getByRole('heading', { name: 'Bonjour Claire' }).waitFor()
  })

  it('returns to a search in the same tab, and stores its words nowhere else', async ({ openShop }) => {
    const { page, open, invite } = await openShop()
    await open('/dossiers?recherche=durand')
    const kept = () => page.evaluate(`JSON.stringify({ ...localStorage })`).then(String)
    const leave = async () => {
      await page.context().clearCookies()
      await page.reload()
      await page.getByRole('heading', { name: 'Se connecter', exact: true }).waitFor()
    }
    await leave()
    expect(await kept()).toContain('/app/dossiers')
    expect(await kept()).not.toContain('durand')
    await page.goto(await invite())
    await page.getByRole('heading', { level: 1, name: 'Dossiers' }).waitFor()
    expect(new URL(page.url()).search).toBe('?recherche=durand')

    await leave()
    const beside = await page.context().newPage()
    await beside.goto(await invite())
    await beside.getByRole('heading', { level: 1, name: 'Dossiers' }).waitFor()
    expect(new URL(beside.url()).search).toBe('')
    await beside.getByRole('button', { name: 'Se déconnecter' }).click()
    await page.getByRole('heading', { name: 'Se connecter', exact: true }).waitFor()
    await expect.poll(kept).not.toContain('sav-way-back')
  })

  it('leaves no photo in the browser once the user signs out', async ({ openShop }) => {
    const { page, open, api } = await openShop()
    const photos = [`data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}`]
    const description = 'La porte du meuble bas ne ferme plus.'
    const { id } = (await api('POST', '/api/v1/sav', { client_id: 1, description, photos })).body.data
    const [{ url }] = (await api('GET', `/api/v1/sav/${id}`)).body.data.photos
    await open('/')
    /** The status of the photo from the cache of the browser, or from the service if it is not cached. */
    const shown = () => page.evaluate(async (at) => (await fetch(at, { cache: 'force-cache' })).status, String(url))
    expect([await shown(), await shown()]).toEqual([200, 200])
    const signOut = page.getByRole('button', { name: 'Se déconnecter' })
    await signOut.click()
    await signOut.waitFor({ state: 'detached' })
    expect(await shown()).toBe(401)
  })

  it('lets an administrator add a user, invite them and end their sessions', async ({ openShop }) => {
    const { page, open, api } = await openShop()
    await open('/reglages/utilisateurs')
    await page.getByRole('button', { name: 'Nouvel utilisateur' }).click()
    await page.getByLabel('Nom').fill('Paul Nguyen')
    await page.getByLabel('E-mail').fill('paul@atelier.example')
    await page.getByLabel('Rôle').selectOption('atelier')
    await page.getByRole('button', { name: 'Ajouter', exact: true }).click()
    const row = page.getByRole('row', { name: /Paul Nguyen/ })
    await row.getByRole('button', { name: 'Inviter' }).click()
    await page.getByText(/#sav_inv_/).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Fermer' }).click()
    await row.getByRole('button', { name: 'Désactiver' }).click()
    await row.getByText('Désactivé', { exact: true }).waitFor()
    const people: { nom: string }[] = (await api('GET', '/api/v1/utilisateurs')).body.data
    expect(people.find(({ nom }) => nom === 'Paul Nguyen')).toMatchObject({ role: 'atelier', actif: false })
  })

  it('lets a user without other rights see and end their own sessions', async ({ openShop }) => {
    const { page, open, api, user, invite, origin, complaints } = await openShop({ role: 'lecture' })
    const elsewhere = await page.context().browser()?.newContext()
    await elsewhere?.request.post(`${origin}/app/session/invitation`, {
      headers: { 'X-Sav-Console': '1', Origin: origin },
      data: { token: new URL(await invite()).hash.slice(1) },
    })
    await elsewhere?.close()
    const sessions = async () => (await api('GET', `/api/v1/utilisateurs/${user}/sessions`)).body.data
    await open('/reglages/moi')
    const listed = page.locator('.card', { hasText: 'Sessions' }).getByRole('listitem')
    await expect.poll(() => listed.count()).toBe(2)
    expect(await listed.first().textContent()).toMatch(/^Chrome sous \w+Lien d’invitation · 127\.0\.0\.1 · Utilisée /)
    await listed.first().getByRole('button', { name: 'Terminer' }).click()
    await page.getByText('La session est terminée.').waitFor()
    expect(await sessions()).toHaveLength(1)
    await expect.poll(() => listed.count()).toBe(1)
    await listed.getByRole('button', { name: 'Terminer' }).click()
    await page.getByRole('heading', { name: 'Se connecter' }).waitFor()
    expect(complaints).toEqual([])
  })
})
