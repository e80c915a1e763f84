import { describe, expect } from 'vitest'
import { needs } from '../../../test/needs.js'
import { it } from './browser.js'

const hasBrowser = needs('chromium', 'the planning in a browser')

/** A Tuesday in the summer time of Paris. */
const date = '2032-06-08'

describe.runIf(hasBrowser)('the planning in the browser', () => {
  it('books a free time for a case, moves it by mouse and keys, shows conflicts, confirms and cancels', async ({
    openShop,
  }) => {
    const { page, open, api, book, complaints } = await openShop()
    for (const [nom, code_postal] of [
      ['Karim Benali', '69003'],
      ['Lucie Moreau', '69100'],
    ])
      await api('POST', '/api/v1/poseurs', { nom, lieu: { code_postal } })
    await api('PUT', '/api/v1/clients/1', {
      lieu: { ligne1: '8 rue Jean-Jaurès', code_postal: '69100', ville: 'Villeurbanne' },
    })
    await api('POST', '/api/v1/sav', { client_id: 1, description: 'La porte du four racle, en bas à droite.' })
    const visit = async (id: number) => (await api('GET', `/api/v1/planning/${id}`)).body.data

    await open('/dossiers/1')
    await page.getByRole('link', { name: 'Planifier une visite' }).click()
    await page.getByLabel('À partir du').fill(date)
    await page.getByLabel('À partir du').blur()
    await page.getByLabel('Poseur').first().selectOption({ label: 'Lucie Moreau' })
    // Free times are grouped by installer and half-day, those with the least travel first. The others are shown on
    // demand.
    const firstDay = page.locator('[aria-busy=false] .slots section').first()
    const ofDay = firstDay.locator('.slot')
    await firstDay.getByRole('heading', { name: 'mar. 8 juin' }).waitFor()
    await firstDay.locator('.slot-group', { hasText: 'Lucie Moreau le matin' }).waitFor()
    const atFirst = await ofDay.count()
    await firstDay.getByRole('button', { name: /créneaux$/ }).click()
    await expect.poll(() => ofDay.count()).toBeGreaterThan(atFirst)
    await firstDay.getByRole('button', { name: /^08:00 .*Lucie/ }).click()
    await page.getByText('Le rendez-vous est pris avec Lucie Moreau.').waitFor()
    expect(await visit(1)).toMatchObject({ poseur: { id: 2 }, sav: { id: 1 }, debut: `${date}T06:00:00.000Z` })

    // A free time is labelled with the visit before it.
    await open('/planning/nouveau?client_id=1')
    await page.getByLabel('À partir du').fill(date)
    await page.getByLabel('À partir du').blur()
    await page
      .locator('.slot-group', { hasText: /Lucie Moreau .*après .Durand., .Villeurbanne.,/ })
      .first()
      .waitFor()

    const { body: paul } = await api('POST', '/api/v1/clients', { nom: 'Nguyen', prenom: 'Paul' })
    await book(`${date}T14:00:00.000Z`, { client_id: paul.data.id })
    // The mouse moves a visit to another installer and hour.
    await open(`/planning?vue=jour&date=${date}`)
    const event = page.locator('.visit-card', { hasText: 'Durand' })
    // Waits until the place of the visit is stable: the first answers change the layout.
    await event.hover({ position: { x: 60, y: 10 } })
    await expect.poll(() => event.boundingBox()).not.toBe(null)
    const from = await event.boundingBox()
    if (from === null) throw new Error('the visit is not shown')
    const hour = (from.height + 2) / 1.5
    await page.mouse.down()
    await page.mouse.move(from.x - from.width + 60, from.y + 10 + hour, { steps: 8 })
    await page.locator('.spot-hint', { hasText: '09:00, Karim Benali' }).waitFor()
    // The hint beside the mouse shows the time and the conflict.
    const ghost = page.locator('.visit-ghost')
    await ghost.getByText('09:00 – 10:30').waitFor()
    expect(await ghost.locator('.visit-clash').count()).toBe(0)
    await page.mouse.move(from.x - from.width + 60, from.y + 10 + 7 * hour, { steps: 8 })
    await ghost.getByText('15:00 – 16:30').waitFor()
    await ghost.getByText('déjà pris par Paul Nguyen, de 16:00 à 17:00').waitFor()
    await page.mouse.move(from.x - from.width + 60, from.y + 10 + 2 * hour, { steps: 4 })
    await page.locator('.spot-hint', { hasText: '10:00, Karim Benali' }).waitFor()
    await page.mouse.up()
    await page.getByText('Déplacé : mardi 8 juin, 10:00, Karim Benali.').waitFor()
    expect(await visit(1)).toMatchObject({ poseur: { id: 1 }, debut: `${date}T08:00:00.000Z` })

    await page.getByRole('status').getByRole('button', { name: 'Annuler' }).click()
    await page.getByText('C’est annulé.').waitFor()
    expect(await visit(1)).toMatchObject({ poseur: { id: 2 }, debut: `${date}T06:00:00.000Z` })

    // Keys move the visit to a taken time: nothing changes, and free times are offered.
    await book(`${date}T08:00:00.000Z`)
    await open(`/planning?vue=jour&date=${date}`)
    const focused = page.locator('.visit-card[title*="SAV-"]')
    await focused.focus()
    // A change of another visit does not move the focus.
    const lucie = { client_id: 1, poseur_id: 2, duree_minutes: 60 }
    await api('POST', '/api/v1/planning/rdv', { ...lucie, debut: `${date}T13:00:00.000Z` })
    await page.locator('.visit-card', { hasText: '15:00' }).waitFor()
    await page.locator('.visit-card[title*="SAV-"]:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Déplacer vers…' }).click()
    const dialog = page.getByRole('dialog').first()
    await dialog.getByLabel('Heure').fill('10:30')
    await dialog.locator('select[name=poseur_id]').selectOption({ label: 'Karim Benali' })
    await dialog.getByRole('button', { name: 'Déplacer', exact: true }).click()
    const taken = page.getByRole('dialog', { name: 'Ce créneau est déjà pris' })
    await taken.getByText('Karim Benali a un rendez-vous le mardi 8 juin, de 10:00 à 11:00.').waitFor()
    expect(await visit(1)).toMatchObject({ poseur: { id: 2 }, debut: `${date}T06:00:00.000Z` })
    await taken.locator('.slot').first().click()
    await page.getByText(/^Déplacé\s:/).waitFor()
    expect((await visit(1)).poseur).toMatchObject({ nom: 'Karim Benali' })

    // A second change, right after a change by the same user, is no conflict.
    const confirmed = Promise.withResolvers<void>()
    await page.route('**/planning/1', async (route) => {
      if (route.request().method() === 'GET') await confirmed.promise
      await route.continue()
    })
    await page.locator('.visit-card[title*="SAV-"]').click()
    await page.getByRole('button', { name: 'Confirmer' }).click()
    await expect.poll(async () => (await visit(1)).statut).toBe('confirme')
    confirmed.resolve()
    await page.getByRole('dialog').getByText('Confirmé', { exact: true }).waitFor()
    // If only one end of the announced window is given, the visit determines the other.
    await page.getByRole('button', { name: 'Plage annoncée au client…' }).click()
    await page.getByLabel('De', { exact: true }).fill('')
    await page.getByRole('button', { name: 'Enregistrer' }).click()
    await page.getByText('Enregistré.', { exact: true }).waitFor()
    const { debut, fenetre_client } = await visit(1)
    expect(fenetre_client.debut).toBe(debut)
    await page.getByRole('button', { name: 'Annuler le rendez-vous' }).click()
    await page.getByLabel('Motif').fill('La cliente est en voyage.')
    await page.getByRole('button', { name: 'Annuler le rendez-vous' }).click()
    await page.getByText('Le rendez-vous est annulé.').waitFor()
    expect(await visit(1)).toMatchObject({ statut: 'annule', motif_annulation: 'La cliente est en voyage.' })
    expect(complaints).toEqual([])
  })

  it('shows what a better order of a day saves, applies it, and undoes it', async ({ openShop }) => {
    const { page, open, api, book } = await openShop()
    await api('POST', '/api/v1/poseurs', { nom: 'Karim Benali', lieu: { code_postal: '69003', ville: 'Lyon' } })
    // The visits alternate between two towns.
    const towns = ['69700', '01000', '69700', '01000']
    for (const [at, code_postal] of towns.entries()) {
      const { body } = await api('POST', '/api/v1/clients', { nom: 'Petit', prenom: 'Aïcha', lieu: { code_postal } })
      const hour = String(6 + 2 * at).padStart(2, '0')
      await book(`${date}T${hour}:00:00.000Z`, { client_id: body.data.id, duree_minutes: 30 })
    }
    const order = async () =>
      (await api('GET', `/api/v1/planning?du=${date}&au=${date}`)).body.data.map(({ id }: { id: number }) => id)
    const before = (await api('GET', `/api/v1/planning?du=${date}&au=${date}`)).body.data.map(
      ({ id, debut }: { id: number; debut: string }) => [id, debut],
    )
    // In the week, the cards do not overlap.
    await open(`/planning?date=${date}`)
    const tops = async () =>
      new Set(
        (
          await page
            .locator('.visit-card')
            .all()
            .then((all) => Promise.all(all.map((each) => each.boundingBox())))
        ).map((box) => box?.y),
      )
    await expect.poll(async () => (await tops()).size).toBe(4)
    await open(`/planning/tournees?date=${date}`)
    await page.getByRole('button', { name: 'Chercher un meilleur ordre' }).click()
    await page.getByText(/économisées$/).waitFor()
    expect(await page.locator('.round-map').count()).toBe(2)
    expect(await order()).toEqual([1, 2, 3, 4])
    await page.getByRole('button', { name: 'Appliquer' }).click()
    await page.getByText(/sont déplacées\.$/).waitFor()
    expect(await order()).not.toEqual([1, 2, 3, 4])
    await page.getByRole('status').getByRole('button', { name: 'Annuler' }).click()
    await page.getByText('C’est annulé.').waitFor()
    const after = (await api('GET', `/api/v1/planning?du=${date}&au=${date}`)).body.data.map(
      ({ id, debut }: { id: number; debut: string }) => [id, debut],
    )
    expect(after).toEqual(before)
  })

  it('reassigns the visits of an ill installer in at most five clicks, and undoes it, also if a time was taken meanwhile', async ({
    openShop,
  }) => {
    const { page, open, api, book, complaints } = await openShop()
    for (const nom of ['Karim Benali', 'Lucie Moreau'])
      await api('POST', '/api/v1/poseurs', { nom, lieu: { code_postal: '69003', ville: 'Lyon' } })
    for (const hour of ['06', '08', '11', '13']) await book(`${date}T${hour}:00:00.000Z`)
    // On Lucie's visit, he is a teammate: a new time must suit both.
    await book(`${date}T14:30:00.000Z`, { poseur_id: 2, equipiers: [1] })
    const visits = async (): Promise<{ id: number; debut: string; poseur: { nom: string } }[]> =>
      (await api('GET', `/api/v1/planning?du=${date}&limite=200`)).body.data
    const people = async () => (await visits()).filter(({ id }) => id <= 4).map(({ poseur }) => poseur.nom)
    await open('/poseurs/1')
    await page.evaluate(`addEventListener('click', () => { window.presses = (window.presses ?? 0) + 1 }, true)`)
    await page.getByRole('button', { name: 'Ajouter une absence' }).click()
    await page.getByLabel('Du', { exact: true }).fill(date)
    await page.getByLabel('Au (inclus)').fill(date)
    await page.getByLabel('Motif').fill('Grippe')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('accompagne Lucie Moreau').waitFor()
    // If one of these times is taken meanwhile, nothing is moved, and other times are proposed.
    await page.route(
      '**/replacer',
      async (route) => {
        const [first] = route.request().postDataJSON().deplacements
        const taken = { client_id: 1, poseur_id: first.poseur_id, debut: first.debut, duree_minutes: 30 }
        expect((await api('POST', '/api/v1/planning/rdv', taken)).status).toBe(201)
        await route.continue()
      },
      { times: 1 },
    )
    const apply = page.getByRole('button', { name: 'Replacer 5 visites' })
    const proposed = () => page.getByRole('dialog').locator('select').first().inputValue()
    const before = await proposed()
    await apply.click()
    await page.getByText(/^Lucie Moreau a un rendez-vous le mardi 8 juin, de /).waitFor()
    expect(new Set(await people())).toEqual(new Set(['Karim Benali']))
    await expect.poll(proposed).not.toBe(before)
    await apply.click()
    await page.getByText('5 visites sont déplacées.').waitFor()
    const along = (await visits()).find(({ id }) => id === 5)
    expect([along?.poseur.nom, (along?.debut ?? '') > `${date}T23`]).toEqual(['Lucie Moreau', true])
    expect(await page.evaluate('window.presses')).toBeLessThanOrEqual(5)
    expect(new Set(await people())).toEqual(new Set(['Lucie Moreau']))
    await page.getByRole('status').getByRole('button', { name: 'Annuler' }).click()
    await page.getByText('C’est annulé.').waitFor()
    expect(new Set(await people())).toEqual(new Set(['Karim Benali']))
    expect(complaints).toEqual([])
  })

  it('first proposes that a present teammate takes the visit over', async ({ openShop }) => {
    const { page, open, api, book, complaints } = await openShop()
    for (const nom of ['Karim Benali', 'Lucie Moreau', 'Tomasz Nowak']) await api('POST', '/api/v1/poseurs', { nom })
    const day = { debut: `${date}T00:00:00.000Z`, fin: `${date}T22:00:00.000Z`, motif: null }
    await api('PUT', '/api/v1/planning/poseurs/2/absences', { absences: [day] })
    for (const hour of ['08', '12']) await book(`${date}T${hour}:00:00.000Z`, { equipiers: [2, 3] })
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await open('/poseurs/1')
    await page.getByRole('button', { name: 'Ajouter une absence' }).click()
    await page.getByLabel('Du', { exact: true }).fill(date)
    await page.getByLabel('Au (inclus)').fill(date)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Replacer 2 visites' }).click()
    await page.getByText('2 visites sont déplacées.').waitFor()
    const [visit] = (await api('GET', `/api/v1/planning?du=${date}`)).body.data
    expect([visit.debut, visit.poseur.id]).toEqual([`${date}T08:00:00.000Z`, 3])
    expect(visit.equipiers).toMatchObject([{ id: 2 }])
    // Each visit needs two requests for free times, and each person one for absences.
    const times = asked.filter((path) => path.endsWith('/creneaux')).length
    for (const id of [2, 3])
      expect(asked.filter((path) => path.endsWith(`/poseurs/${id}/absences`))).toHaveLength(times / 4)
    expect(complaints).toEqual([])
  })

  it('lets a visit take place without an ill teammate, and undoes that', async ({ openShop }) => {
    const { page, open, api, book, complaints } = await openShop()
    for (const nom of ['Karim Benali', 'Lucie Moreau']) await api('POST', '/api/v1/poseurs', { nom })
    await book(`${date}T08:00:00.000Z`, { equipiers: [2] })
    const visit = async () => {
      const { debut, poseur, equipiers } = (await api('GET', '/api/v1/planning/1')).body.data
      return [debut, poseur.nom, ...equipiers.map(({ nom }: { nom: string }) => nom)]
    }
    const before = await visit()
    await open('/poseurs/2')
    await page.getByRole('button', { name: 'Ajouter une absence' }).click()
    await page.getByLabel('Du', { exact: true }).fill(date)
    await page.getByLabel('Au (inclus)').fill(date)
    await page.keyboard.press('Enter')
    const way = page.getByRole('dialog').locator('select')
    // The default is another day, on which both are present.
    const proposed = way.locator('option:checked')
    await proposed.filter({ hasText: /^mer\. 9 juin, .*, Karim Benali · / }).waitFor({ state: 'attached' })
    await way.selectOption({ label: 'sans Lucie Moreau · mar. 8 juin, 10:00, Karim Benali' })
    await page.getByRole('button', { name: 'Replacer 1 visite' }).click()
    await page.getByText('1 visite est déplacée.').waitFor()
    expect(await visit()).toEqual(before.slice(0, 2))
    await page.getByRole('status').getByRole('button', { name: 'Annuler' }).click()
    await page.getByText('C’est annulé.').waitFor()
    expect(await visit()).toEqual(before)
    expect(complaints).toEqual([])
  })

  it('asks whether to notify customers of new rounds, of moved visits, and when either is undone', async ({
    openShop,
  }) => {
    // No mail server listens on this port, and letters wait for a minute.
    const settings = { SAV_SMTP_URL: 'smtp://127.0.0.1:9', SAV_MAIL_FROM: 'sav@atelier.example' }
    const { page, open, api, book, complaints } = await openShop({ settings })
    await api('PUT', '/api/v1/compte', { confirmation_rdv: true })
    await api('POST', '/api/v1/poseurs', { nom: 'Karim Benali', lieu: { code_postal: '69003', ville: 'Lyon' } })
    for (const [at, code_postal] of ['69700', '01000', '69700', '01000'].entries()) {
      const person = { nom: `Petit ${at}`, prenom: 'Aïcha', email: `aicha${at}@petit.example`, lieu: { code_postal } }
      const { body } = await api('POST', '/api/v1/clients', person)
      const debut = `${date}T${String(6 + 2 * at).padStart(2, '0')}:00:00.000Z`
      await book(debut, { client_id: body.data.id, duree_minutes: 30 })
    }
    const day = async () =>
      (await api('GET', `/api/v1/planning?du=${date}&au=${date}`)).body.data.map(
        ({ id, debut }: { id: number; debut: string }) => [id, debut],
      )
    const before = await day()
    /** The body of the next write whose path ends with `end`. */
    const sent = async (end: string, act: () => Promise<void>) => {
      const [request] = await Promise.all([
        page.waitForRequest((each) => each.method() !== 'GET' && new URL(each.url()).pathname.endsWith(end)),
        act(),
      ])
      return request.postDataJSON()
    }
    const asked = page.getByRole('dialog', { name: /^Prévenir les? clients?\s\? / })
    const undo = page.getByRole('status').getByRole('button', { name: 'Annuler' })

    await open(`/planning/tournees?date=${date}`)
    await page.getByRole('button', { name: 'Chercher un meilleur ordre' }).click()
    const apply = page.getByRole('button', { name: 'Appliquer' })
    await apply.click()
    expect(await asked.getByRole('heading').textContent()).toMatch(/^Prévenir les clients\s\? [2-4] messages$/)
    await asked.getByRole('button', { name: 'Fermer' }).click()
    expect(await day()).toEqual(before)
    await apply.click()
    const applied = await sent('/optimiser', () => asked.getByRole('button', { name: 'Ne pas prévenir' }).click())
    expect(applied).toMatchObject({ mode: 'appliquer', prevenir: false })
    await page.getByText(/sont déplacées\.$/).waitFor()
    expect(await day()).not.toEqual(before)
    await undo.click()
    const undone = await sent('/annuler', () => asked.getByRole('button', { name: 'Prévenir', exact: true }).click())
    expect(undone).toEqual({ version: expect.stringMatching(/^u1\./), prevenir: true })
    await page.getByText('C’est annulé.').waitFor()
    expect(await day()).toEqual(before)

    await open(`/planning?vue=jour&date=${date}`)
    const event = page.locator('.visit-card', { hasText: 'Petit 0' })
    await event.waitFor()
    const drag = async () => {
      await expect.poll(() => event.boundingBox()).not.toBe(null)
      const from = await event.boundingBox()
      if (from === null) throw new Error('the visit is not shown')
      await page.mouse.move(from.x + 60, from.y + 10)
      await page.mouse.down()
      await page.mouse.move(from.x + 60, from.y + 62, { steps: 8 })
      await page.locator('.spot-hint', { hasText: '09:00, Karim Benali' }).waitFor()
      await page.mouse.up()
    }
    await drag()
    await asked.getByText('Prévenir le client ? 1 message').waitFor()
    await asked.getByRole('button', { name: 'Fermer' }).click()
    await expect.poll(async () => (await event.textContent())?.includes('08:00')).toBe(true)
    expect(await day()).toEqual(before)
    await drag()
    const moved = await sent('/planning/1', () => asked.getByRole('button', { name: 'Prévenir', exact: true }).click())
    expect(moved).toMatchObject({ debut: `${date}T07:00:00.000Z`, prevenir: true })
    await page.getByText(/^Déplacé\s:/).waitFor()
    await undo.click()
    const back = await sent('/planning/1', () => asked.getByRole('button', { name: 'Ne pas prévenir' }).click())
    expect(back).toMatchObject({ debut: `${date}T06:00:00.000Z`, prevenir: false })
    await expect.poll(day).toEqual(before)
    expect(complaints).toEqual([])
  })
})
