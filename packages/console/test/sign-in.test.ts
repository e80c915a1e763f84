import { describe, expect } from 'vitest'
import { needs } from '../../../test/needs.js'
import { it } from './browser.js'

const hasBrowser = needs('chromium', 'that people sign in in a browser')

describe.runIf(hasBrowser)('signing in', { timeout: 120_000 }, () => {
  it('takes an invitation once, and leaves nothing of it in the address', async ({ openShop }) => {
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

  it('keeps a passkey for the next time, and signs in by it', async ({ openShop }) => {
    const { page, open } = await openShop()
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
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
    await page.getByRole('button', { name: 'Se déconnecter' }).click()
    await page.getByRole('button', { name: 'Se connecter avec une clé d’accès' }).click()
    await page.getByRole('heading', { name: 'Bonjour Claire' }).waitFor()
    await open('/dossiers')
    await page.getByText('Pas encore de dossier').waitFor()
  })

  it('is asked for when a session ends, and what was typed is still there afterwards', async ({ openShop }) => {
    const { page, open, api, user, invite } = await openShop()
    await open('/clients/nouveau')
    await page.getByLabel('Nom', { exact: true }).fill('Martin-Desrousseaux')
    await api('DELETE', `/api/v1/utilisateurs/${user}/sessions`)
    await page.getByRole('button', { name: 'Créer le client' }).click()
    await page.getByText('Votre session est terminée.').waitFor()
    await page.goto(await invite())
    await page.getByRole('heading', { name: 'Bonjour Claire' }).waitFor()
    await open('/clients/nouveau')
    expect(await page.getByLabel('Nom', { exact: true }).inputValue()).toBe('Martin-Desrousseaux')
  })

  it('lets an administrator add somebody, invite them and end their sessions', async ({ openShop }) => {
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
})
