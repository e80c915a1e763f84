import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { needs } from '../../../test/needs.js'
import { receiver } from '../../cli/test/receiver.js'
import { it } from './browser.js'

const hasBrowser = needs('chromium', 'settings that are changed in a browser')
const hasOpenssl = needs('openssl', 'the signature of a delivery’s command')
const hasCurl = needs('curl', 'a delivery’s command, which sends it again')

describe.runIf(hasBrowser)('settings in the browser are stored:', () => {
  it('the account, hours, absences, people, keys and receivers', async ({ openShop }) => {
    const { page, open, api, user, complaints } = await openShop()
    const read = async (path: string) => (await api('GET', path)).body.data
    const dialog = page.getByRole('dialog')
    const undo = page.getByRole('status').getByRole('button', { name: 'Annuler' })
    await api('POST', '/api/v1/poseurs', { nom: 'Karim Benali' })

    await open('/reglages/compte')
    await page.getByLabel('Raison sociale').fill('Cuisines Petit')
    await page.getByLabel('SIRET').fill('123')
    await page.getByRole('button', { name: 'Enregistrer' }).click()
    await page
      .locator('.field', { has: page.getByLabel('SIRET') })
      .locator('.field-error')
      .waitFor()
    await page.getByLabel('SIRET').fill('123 456 789 00011')
    await page.getByLabel('Nom de l’expéditeur').fill('Cuisines Petit, SAV')
    await page.getByLabel('Couleur').fill('#ffd400')
    await page.getByLabel('Répondre à').fill('sav@petit.example')
    await page.getByLabel('Adresse des liens').fill('https://sav.petit.example')
    await page.getByLabel('Les leur rappeler la veille').check()
    await page.getByRole('button', { name: 'Enregistrer' }).click()
    await page.getByText('Enregistré.').waitFor()
    expect(await read('/api/v1/compte')).toMatchObject({
      raison_sociale: 'Cuisines Petit',
      siret: '12345678900011',
      couleur: '#ffd400',
      nom_expediteur: 'Cuisines Petit, SAV',
      repondre_a: 'sav@petit.example',
      url_publique: 'https://sav.petit.example',
      rappel_rdv: true,
    })
    const opening = page.context().waitForEvent('page')
    const [preview] = await Promise.all([
      page.context().waitForEvent('response', (response) => response.url().endsWith('/apercu-pv')),
      page.getByRole('link', { name: 'Aperçu du procès-verbal' }).click(),
    ])
    expect([preview.status(), preview.headers()['content-type']]).toEqual([200, 'application/pdf'])
    await (await opening).close()

    await open('/poseurs/1')
    await page.locator('.card', { hasText: 'Horaires' }).getByRole('button', { name: 'Modifier' }).click()
    await dialog.getByLabel('Lundi').fill('7:00-12:00, 25:00–26:00')
    await dialog.getByRole('button', { name: 'Enregistrer' }).click()
    await dialog
      .locator('.field', { has: page.getByLabel('Lundi') })
      .locator('.field-error')
      .waitFor()
    await dialog.getByLabel('Lundi').fill('7:00-12:00, 13:00–15:30')
    await dialog.getByLabel('Vendredi').fill('')
    await dialog.getByRole('button', { name: 'Enregistrer' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { semaine } = (await read('/api/v1/planning/poseurs/1/horaires')).periodes[0]
    expect(semaine.lundi).toEqual([
      { debut: '07:00', fin: '12:00' },
      { debut: '13:00', fin: '15:30' },
    ])
    expect(semaine.vendredi ?? []).toEqual([])

    await page.getByRole('button', { name: 'Ajouter une absence' }).click()
    await dialog.getByLabel('Du').fill('2032-06-07')
    await dialog.getByLabel('Au (inclus)').fill('2032-06-08')
    await dialog.getByLabel('Motif').fill('Congés')
    await dialog.getByRole('button', { name: 'Ajouter une absence' }).click()
    await dialog.waitFor({ state: 'detached' })
    // The absence covers both days, so it ends when the next day begins.
    const away = { debut: '2032-06-06T22:00:00.000Z', fin: '2032-06-08T22:00:00.000Z', motif: 'Congés' }
    const absences = async () => (await read('/api/v1/planning/poseurs/1/absences')).absences
    expect(await absences()).toMatchObject([away])
    await page.getByRole('button', { name: 'Retirer l’absence' }).click()
    await page.getByText('L’absence est retirée.').waitFor()
    expect(await absences()).toEqual([])
    await undo.click()
    await page.getByText(/7 juin – mardi 8 juin/).waitFor()
    expect(await absences()).toMatchObject([away])

    // The planning shows hours in which nobody works.
    await open('/planning?date=2032-06-14')
    await expect.poll(() => page.locator('.week-off').count()).toBe(3)

    await api('POST', '/api/v1/utilisateurs', { nom: 'Paul Nguyen', email: 'paul@petit.example', role: 'atelier' })
    await open('/reglages/utilisateurs')
    const paul = page.getByRole('row', { name: /Paul Nguyen/ })
    await paul.getByRole('button', { name: 'Modifier' }).click()
    await dialog.getByLabel('Rôle').selectOption('gestion')
    await dialog.getByRole('button', { name: 'Enregistrer' }).click()
    await paul.getByText('Gestion').waitFor()
    await paul.getByRole('button', { name: 'Désactiver' }).click()
    await undo.click()
    await paul.getByText('Actif', { exact: true }).waitFor()
    await page
      .getByRole('row', { name: /Claire/ })
      .getByRole('button', { name: 'Sessions' })
      .click()
    await dialog.getByText('Lien d’invitation').waitFor()
    const people: { nom: string }[] = await read('/api/v1/utilisateurs')
    expect(people.find(({ nom }) => nom === 'Paul Nguyen')).toMatchObject({ role: 'gestion', actif: true })

    await api('POST', '/api/v1/cles', { nom: 'Site', permissions: ['sav:read'] })
    await open('/reglages/api/cles')
    await page.getByRole('row', { name: /Site/ }).getByRole('button', { name: 'Remplacer' }).click()
    await dialog.getByRole('button', { name: 'Remplacer' }).click()
    await dialog.getByText('sav_live_').waitFor()
    const keys: { nom: string }[] = await read('/api/v1/cles')
    expect(keys.filter(({ nom }) => nom.startsWith('Site'))).toHaveLength(2)

    // The journal names the user who acted, on the screen and in the file.
    await open(`/reglages/journal?user_id=${user}`)
    await page
      .getByRole('row', { name: /Claire Petit a remplacé la clé Site.*POST \/api\/v1\/cles/ })
      .first()
      .waitFor()
    expect(await page.getByRole('row', { name: /bureau/ }).count()).toBe(0)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Exporter (CSV)' }).click(),
    ])
    const [head, ...lines] = (await readFile(await file.path(), 'utf8')).split('\r\n')
    expect(head).toBe('\ufefftime,ip,method,endpoint,by,key_id,user_id,target,status,duration_ms,request_id,calls,nom')
    expect(lines.find((line) => line.includes(',PUT,/api/v1/compte,'))).toContain(
      `,Claire Petit,,${user},account:default,200,`,
    )
    expect(lines.find((line) => line.includes('/cles/{key}/renouveler,'))).toMatch(/,1,Site$/)

    await open('/reglages/journal?since=2026-01-15')
    await page.getByLabel('Jusqu’au (inclus)').fill('2026-01-14')
    await page.getByText('Aucun appel ne correspond.').waitFor()
    const [none] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Exporter (CSV)' }).click(),
    ])
    expect(await readFile(await none.path(), 'utf8')).not.toContain('/api/v1')
    await page.getByLabel('Jusqu’au (inclus)').fill('2100-01-01')
    await page
      .getByRole('row', { name: /POST \/api\/v1\/cles/ })
      .first()
      .waitFor()
    expect(complaints).toEqual([])
  })

  it('a receiver; the shell command that is shown for a delivery sends it the same event', async ({ openShop }) => {
    const { page, open, api, complaints } = await openShop()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const dialog = page.getByRole('dialog')
    const atelier = await receiver()
    const made = (await api('POST', '/api/v1/webhooks', { url: atelier.url, events: ['sav.created'] })).body.data
    atelier.trust(made.secret)
    // The description contains shell syntax.
    await api('POST', '/api/v1/sav', { client_id: 1, description: 'La porte dit $HOME, `ls` et \'non\' "oui" \\ %s.' })
    const [event] = await atelier.received(1)

    await open('/reglages/sante')
    await page.getByText('En service').waitFor()
    await page.getByRole('link', { name: 'En attente 0 Aucun échu.' }).waitFor()
    await page.getByRole('link', { name: /^En cours 0/ }).waitFor()
    await page.getByRole('link', { name: /^Par seconde \d/ }).waitFor()
    for (const said of [/^Base de donnéesSQLite$/, /^Schéma[\w-]*\d{4}-/, /^CanauxWebhook$/])
      await page.locator('.facts > div', { hasText: said }).waitFor()
    await page.getByRole('link', { name: /^Remis/ }).click()
    await page.getByRole('link', { name: 'sav.created' }).click()
    await page.getByText(`POST ${atelier.url}`).waitFor()
    await page.locator('pre', { hasText: String(event?.data.event_id) }).waitFor()
    await page.getByRole('button', { name: 'Copier en curl' }).click()
    await page.getByText('Copié').first().waitFor()
    if (hasOpenssl && hasCurl) {
      const command = await page.evaluate('navigator.clipboard.readText()')
      const env = { ...process.env, SAV_WEBHOOK_SECRET: made.secret }
      const { stdout } = await promisify(execFile)('sh', ['-c', String(command)], { env })
      expect(stdout).toContain('200 OK')
      expect((await atelier.received(2))[1]).toEqual(event)
    }

    await open(`/reglages/api/webhooks/${made.id}`)
    await page.getByText('Plus', { exact: true }).click()
    await page.getByRole('button', { name: 'Modifier' }).click()
    await dialog.getByLabel('Description').fill('Caisse')
    await dialog.getByRole('button', { name: 'Enregistrer' }).click()
    await page.getByRole('heading', { name: 'Caisse' }).waitFor()
    await page.getByText('Plus', { exact: true }).click()
    await page.getByRole('button', { name: 'Changer le secret' }).click()
    await dialog.getByLabel(/a fuité/).check()
    await dialog.getByRole('button', { name: 'Changer le secret' }).click()
    const secret = (await dialog.locator('code', { hasText: 'whsec_' }).first().textContent()) ?? ''
    expect(secret).not.toBe(made.secret)
    atelier.trust(secret)
    await dialog.getByRole('button', { name: 'J’ai copié le secret' }).click()

    // The screen shows the result of a delivery, although no event reports it.
    await api('POST', `/api/v1/webhooks/${made.id}/desactiver`)
    await api('POST', '/api/v1/sav', { client_id: 1, description: 'La plinthe du côté fenêtre manque.' })
    await open('/reglages/api/webhooks/historique')
    const newest = page.getByRole('row').nth(1)
    await newest.getByText('En attente').waitFor()
    await api('POST', `/api/v1/webhooks/${made.id}/activer`)
    await newest.getByText('Remis').waitFor()

    await open('/reglages/api/webhooks/historique?state=delivered')
    await page.getByRole('button', { name: 'Renvoyer en nombre' }).click()
    await dialog.getByRole('button', { name: 'Compter' }).click()
    await dialog.getByText('2 envois correspondent.').waitFor()
    await dialog.getByRole('button', { name: 'Renvoyer', exact: true }).click()
    await dialog.getByText('Terminé : 2 envois renvoyés.').waitFor()
    const before = hasOpenssl && hasCurl ? 3 : 2
    expect((await atelier.received(before + 2)).slice(before)).toContainEqual(event)

    // Ten deliveries are shown, and older ones on demand. New deliveries do not remove shown ones.
    const created = async (count: number) => {
      for (let n = 0; n < count; n += 1)
        await api('POST', '/api/v1/sav', { client_id: 1, description: `Le tiroir n° ${n} ne ferme plus bien.` })
    }
    await created(11)
    await open(`/reglages/api/webhooks/${made.id}`)
    const links = page.getByRole('link', { name: 'sav.created' })
    await expect.poll(() => links.count()).toBe(10)
    await page.getByRole('button', { name: 'Afficher les suivants' }).click()
    await expect.poll(() => links.count()).toBe(13)
    await created(3)
    await expect.poll(() => links.count()).toBe(16)
    const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(new Set(addresses).size).toBe(16)
    expect(complaints).toEqual([])
  })
})
