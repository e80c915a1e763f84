import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import { needs } from '../../../test/needs.js'
import { it } from './browser.js'

const hasBrowser = needs('chromium', 'the week and the day of the planning')

/** A Tuesday in the summer time of Paris. */
const date = '2032-06-08'

describe.runIf(hasBrowser)('the week and the day', () => {
  it('shows eight installers’ week on one screen, with drags of visits and cases, and clicks on empty days', async ({
    openShop,
  }) => {
    const { page, open, api, book, complaints } = await openShop()
    await page.setViewportSize({ width: 1440, height: 900 })
    const { body: long } = await api('POST', '/api/v1/clients', { nom: 'Vandenbrouck', prenom: 'Marie-Charlotte' })
    for (let n = 1; n <= 8; n += 1) {
      await api('POST', '/api/v1/poseurs', { nom: `Jean-Christophe Bouvet ${n}` })
      for (const hour of ['06:00', '07:00', '12:00', '13:00'])
        await book(`${date}T${hour}:00.000Z`, { client_id: long.data.id, poseur_id: n, duree_minutes: 30 })
    }
    await api('POST', '/api/v1/sav', { client_id: 1, description: 'La porte du four racle, en bas à droite.' })
    // Adds a case with an installer but without a visit, and one with a visit.
    await api('POST', '/api/v1/sav', { client_id: long.data.id, description: 'Plan de travail rayé.', poseur_id: 6 })
    await api('POST', '/api/v1/sav', { client_id: 1, description: 'Tiroir bloqué au fond du meuble.' })
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
    await book(tomorrow, { sav_id: 3, poseur_id: 7, duree_minutes: 30 })
    await open(`/planning?date=${date}`)
    const toPlan = page.locator('.to-plan li')
    await expect.poll(() => toPlan.allInnerTexts()).toHaveLength(2)
    await expect.poll(() => toPlan.nth(0).textContent()).toContain('Jean-Christophe Bouvet 6')
    const cards = page.locator('.visit-card')
    await expect.poll(() => cards.count()).toBe(32)
    expect(await page.evaluate('document.querySelector(".week").getBoundingClientRect().bottom')).toBeLessThan(900)
    const cellOf = (poseur: number, day: string) => page.locator(`td[data-poseur="${poseur}"][data-date="${day}"]`)
    const drag = async (what: Locator, to: Locator) => {
      const [from, until] = [await what.boundingBox(), await to.boundingBox()]
      if (from === null || until === null) throw new Error('what is dragged is not shown')
      await page.mouse.move(from.x + 20, from.y + 5)
      await page.mouse.down()
      await page.mouse.move(until.x + 20, until.y + 40, { steps: 8 })
      await page.locator('.visit-ghost').waitFor()
      await page.mouse.up()
    }
    // A visit that is dragged in the week keeps its time.
    await drag(cellOf(1, date).locator('.visit-card').nth(2), cellOf(2, '2032-06-09'))
    await page.getByText('Déplacé : mercredi 9 juin, 14:00, Jean-Christophe Bouvet 2.').waitFor()
    expect((await api('GET', '/api/v1/planning/3')).body.data).toMatchObject({
      ...{ poseur: { id: 2 }, debut: '2032-06-09T12:00:00.000Z' },
    })
    const isFilled = async (heure: string, poseur: string) => {
      await page.getByRole('heading', { name: 'Nouveau rendez-vous' }).waitFor()
      const { searchParams } = new URL(page.url())
      expect(Object.fromEntries(searchParams)).toMatchObject({ date: '2032-06-10', heure, poseur_id: poseur })
    }
    // A new visit in a cell starts with the working day, or after the existing visits.
    await cellOf(3, '2032-06-10').click()
    await isFilled('08:00', '3')
    await page.goBack()
    await drag(toPlan.filter({ hasText: 'Durand' }), cellOf(4, '2032-06-10'))
    await isFilled('08:00', '4')
    expect(await page.getByLabel('Heure').inputValue()).toBe('08:00')
    await page.getByRole('button', { name: 'Réserver' }).click()
    await page.getByText('Le rendez-vous est pris avec Jean-Christophe Bouvet 4.').waitFor()

    // One click marks an installer as away, and offers to reassign their visits.
    await open(`/planning?date=${date}`)
    await page.getByRole('button', { name: 'Absence de Jean-Christophe Bouvet 5' }).click()
    expect(await page.getByLabel('Du', { exact: true }).inputValue()).toBe('2032-06-07')
    await page.getByLabel('Au (inclus)').fill(date)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Visites à replacer' }).getByText('Replacer 4 visites').waitFor()
    await page.keyboard.press('Escape')
    await cellOf(5, date).getByText('Absent', { exact: true }).waitFor()

    // In the view of a day, visits of half an hour or more have room for their time and a name of twelve letters.
    const cutIn = (board: string) => `[...document.querySelectorAll('.${board} :is(.visit-name, .visit-time)')]
      .filter((part) => part.scrollWidth > part.clientWidth || part.getBoundingClientRect().bottom > part.closest('.visit-card').getBoundingClientRect().bottom + 1)
      .map((part) => part.textContent)`
    for (const width of [1440, 1024]) {
      await page.setViewportSize({ width, height: 900 })
      await open(`/planning?vue=jour&date=${date}`)
      await expect.poll(() => cards.count()).toBe(31)
      expect(await page.evaluate(cutIn('day'))).toEqual([])
    }
    // Escape cancels a drag. Releasing the button then does not click the hour below.
    const held = await cards.first().boundingBox()
    await page.mouse.move((held?.x ?? 0) + 20, (held?.y ?? 0) + 5)
    await page.mouse.down()
    await page.mouse.move((held?.x ?? 0) + 20, (held?.y ?? 0) + 160, { steps: 4 })
    await page.locator('.visit-ghost').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.visit-ghost').waitFor({ state: 'detached' })
    await page.mouse.up()
    expect(new URL(page.url()).pathname).toBe('/app/planning')
    await page.mouse.click((held?.x ?? 0) + 20, (held?.y ?? 0) + 165)
    await page.waitForURL(/nouveau\?poseur_id=1&/)
    // Time and name also fit in a week of ten installers. That week has a scroll bar of 15 pixels, which this browser
    // does not show, so the window is narrower.
    for (const nom of ['Karim Benali', 'Lucie Moreau']) await api('POST', '/api/v1/poseurs', { nom })
    await page.setViewportSize({ width: 1425, height: 900 })
    await open(`/planning?date=${date}`)
    await expect.poll(() => page.locator('.week tbody tr').count()).toBe(10)
    await expect.poll(() => page.evaluate(cutIn('week'))).toEqual([])
    expect(complaints).toEqual([])
  })
})
